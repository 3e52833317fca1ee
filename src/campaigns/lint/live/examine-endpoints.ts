/** Compares the endpoints that steps call with the service: by its OpenAPI document, or else by safe requests. */
import type { LintFinding } from '../../../checks/lint-finding.ts';
import type { ActEvidence } from '../../../drivers/driver.ts';
import { didYouMean } from '../../../kernel/nearest.ts';
import { uniqueLabel } from '../../../kernel/unique-id.ts';
import { liveFinding } from '../live-finding.ts';
import type { EndpointClaim } from './claims.ts';
import { type Examined, type Outcome, openExamination } from './examined.ts';
import type { Looking } from './looking.ts';
import { declaredFor, findOpenApi, type OpenApi } from './openapi-document.ts';

export async function examineEndpoints(
  claims: readonly EndpointClaim[],
  looking: Looking,
): Promise<Examined> {
  const examination = openExamination();
  const asked = claims.filter(({ isMeantToFail }) => !isMeantToFail);
  for (const [target, own] of Map.groupBy(asked, (claim) => claim.target)) {
    const absence = await askForAbsence(target, looking);
    if (typeof absence === 'string') {
      const [first] = own;
      examination.note(target, first ? [silentService(first, absence)] : []);
      for (const claim of own) examination.note(nameOf(claim), `${target} does not answer`);
      continue;
    }
    const openApi = await findOpenApi(target, looking);
    for (const claim of own) {
      const outcome = openApi ? judgeDeclared(claim, openApi) : await compare(claim, looking, absence);
      examination.note(nameOf(claim), outcome);
    }
  }
  return examination.examined('endpoints');
}

function nameOf({ method, target, path }: EndpointClaim): string {
  return `${method} ${target}${path.split('?')[0]}`;
}

function judgeDeclared(claim: EndpointClaim, openApi: OpenApi): Outcome {
  const { target, method, path } = claim;
  if (/^\/?\$\{[^}]*\}/.test(path)) return 'the path is only known when the step runs';
  const found = declaredFor(openApi, path);
  const methods = [...new Set(found.flatMap(([, known]) => known))];
  if (methods.includes(method) || (method === 'HEAD' && methods.includes('GET'))) return [];
  if (found.length === 0) return [unknownEndpoint(claim, [...openApi.paths.keys()])];
  const text = `${target} has ${path} for ${methods.join(', ') || 'no method at all'}, but not for ${method}`;
  const next = `use ${methods.join(' or ')}; if a refusal is intended, expect its status`;
  return [liveFinding('unknown-endpoint', claim.place, text, next)];
}

function unknownEndpoint(
  { target, method, path, place }: EndpointClaim,
  known: readonly string[],
): LintFinding {
  const advice = 'correct the path; if a refusal is intended, expect its status: `expect: { status: 404 }`';
  const next = didYouMean(path.split('?')[0] ?? path, known, advice);
  return liveFinding('unknown-endpoint', place, `${target} has no ${method} ${path}`, next);
}

function silentService({ target, place }: EndpointClaim, because: string): LintFinding {
  return {
    kind: 'silent-service',
    level: 'finding',
    ...place,
    text: `${target} does not answer: ${because}`,
    why: 'its trials cannot test this service',
    next: `look at its output: shakedown logs ${target.split('.')[0]}`,
  };
}

/** How a service answers for a path that no service has. */
interface Absence {
  readonly evidence: ActEvidence;
  readonly path: string;
}

/** A text where there is no answer, with what was received instead. */
async function askForAbsence(target: string, { down, ask, system }: Looking): Promise<Absence | string> {
  const state = down.get(target.split('.')[0] ?? '');
  if (state !== undefined) return `it is ${state}`;
  const path = `/shakedown-lint-${uniqueLabel()}`;
  const evidence = await ask('http', { method: 'GET', target, path }, system.folder);
  return evidence.error ? evidence.error.message : { evidence, path };
}

/** Requests only what trials read anyway: anything else might have effects. */
async function compare(claim: EndpointClaim, { ask, system }: Looking, absence: Absence): Promise<Outcome> {
  const { target, method } = claim;
  if (method !== 'GET')
    return 'a request other than a read would have effects, and there is no OpenAPI document (`suite.openapi` sets its path)';
  const [plain = '', query = ''] = claim.path.split('?');
  if (plain.includes('${')) return 'the path is only known when the step runs';
  const path = query === '' || query.includes('${') ? plain : claim.path;
  const headers = Object.fromEntries(
    Object.entries(claim.headers).filter(([, value]) => !value.includes('${')),
  );
  const seen = await ask('http', { method, target, path, headers }, system.folder);
  if (seen.error) return `${target} did not answer GET ${plain}: ${seen.error.message}`;
  if (answerOf(seen, plain) !== answerOf(absence.evidence, absence.path)) return [];
  if (seen.status === 404) return [unknownEndpoint(claim, [])];
  return `${target} answers ${seen.status} for existing and for missing paths alike`;
}

/** Without the path, which many services repeat. */
function answerOf({ status, json, text }: ActEvidence, path: string): string {
  const answer = JSON.stringify([status, json ?? null, text ?? null]);
  return path.length < 3 ? answer : answer.replaceAll(path, '<path>').replaceAll(path.slice(1), '<path>');
}
