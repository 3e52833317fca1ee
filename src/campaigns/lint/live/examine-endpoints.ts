/** Endpoints that steps call, held against the service: by its OpenAPI document where it serves one, else by asking what may be asked. */
import type { LintFinding } from '../../../checks/lint-finding.ts';
import type { EndpointClaim } from './claims.ts';
import { otherMethod, silentService, unknownEndpoint } from './endpoint-findings.ts';
import { type Examined, openExamination } from './examined.ts';
import { findOpenApi } from './find-openapi.ts';
import { askForAbsence } from './known-absence.ts';
import type { Looking } from './looking.ts';
import { declaredFor, type OpenApi } from './openapi-document.ts';

export async function examineEndpoints(
  claims: readonly EndpointClaim[],
  looking: Looking,
): Promise<Examined> {
  const examination = openExamination();
  const asked = claims.filter(({ isMeantToFail }) => !isMeantToFail);
  for (const target of new Set(asked.map((claim) => claim.target))) {
    const own = asked.filter((claim) => claim.target === target);
    const absence = await askForAbsence(target, looking);
    if ('silent' in absence) {
      examination.note(target, [silentService(own[0] as EndpointClaim, absence.silent)]);
      for (const claim of own) examination.note(nameOf(claim), `${target} does not answer`);
      continue;
    }
    const openApi = await findOpenApi(target, looking);
    for (const claim of own)
      examination.note(nameOf(claim), openApi ? judgeDeclared(claim, openApi) : await absence.examine(claim));
  }
  return examination.examined('endpoints');
}

function nameOf({ method, target, path }: EndpointClaim): string {
  return `${method} ${target}${path.split('?')[0]}`;
}

function judgeDeclared(claim: EndpointClaim, openApi: OpenApi): readonly LintFinding[] | string {
  const { method, path } = claim;
  if (/^\/?\$\{[^}]*\}/.test(path)) return 'the path is only known when the step is done';
  const found = declaredFor(openApi, path);
  const methods = [...new Set(found.flatMap(([, known]) => known))];
  if (methods.includes(method) || (method === 'HEAD' && methods.includes('GET'))) return [];
  if (found.length > 0) return [otherMethod(claim, methods)];
  return [unknownEndpoint(claim, [...openApi.paths.keys()])];
}
