/** How a service answers for what it does not have, and whether an endpoint that trials read is answered just so. */
import type { LintFinding } from '../../../checks/lint-finding.ts';
import type { ActEvidence } from '../../../drivers/driver.ts';
import { uniqueLabel } from '../../../kernel/unique-id.ts';
import type { EndpointClaim } from './claims.ts';
import { unknownEndpoint } from './endpoint-findings.ts';
import type { Looking } from './looking.ts';

export interface KnownAbsence {
  /** Findings, or why nothing can be said. */
  examine(claim: EndpointClaim): Promise<readonly LintFinding[] | string>;
}

export interface Unanswered {
  readonly target: string;
  /** What came instead of an answer. */
  readonly silent: string;
}

/** Asks for a path that nobody has. */
export async function askForAbsence(target: string, looking: Looking): Promise<KnownAbsence | Unanswered> {
  const down = looking.down.get(target.split('.')[0] ?? '');
  if (down !== undefined) return { target, silent: `it is ${down}` };
  const path = `/shakedown-lint-${uniqueLabel()}`;
  const nowhere = await looking.ask('http', { method: 'GET', target, path }, looking.system.folder);
  if (nowhere.error) return { target, silent: nowhere.error.message };
  return { examine: (claim) => examine(claim, looking, { evidence: nowhere, path }) };
}

interface Nowhere {
  readonly evidence: ActEvidence;
  readonly path: string;
}

/** Only what trials read anyway is asked for: anything else might do something. */
async function examine(
  claim: EndpointClaim,
  looking: Looking,
  nowhere: Nowhere,
): Promise<readonly LintFinding[] | string> {
  const { target, method } = claim;
  if (method !== 'GET')
    return 'what is not read cannot be asked for without doing it, and no OpenAPI document tells (`suite.openapi` says where it is)';
  const [plain = '', query = ''] = claim.path.split('?');
  if (plain.includes('${')) return 'the path is only known when the step is done';
  const path = query === '' || query.includes('${') ? plain : claim.path;
  const headers = Object.fromEntries(
    Object.entries(claim.headers).filter(([, value]) => !value.includes('${')),
  );
  const seen = await looking.ask('http', { method, target, path, headers }, looking.system.folder);
  if (seen.error) return `${target} did not answer GET ${plain}: ${seen.error.message}`;
  if (answerOf(seen, plain) !== answerOf(nowhere.evidence, nowhere.path)) return [];
  if (seen.status === 404) return [unknownEndpoint(claim, [])];
  return `${target} answers ${seen.status} alike for what it has and for what it does not have`;
}

/** Without the path, which many a service repeats. */
function answerOf({ status, json, text }: ActEvidence, path: string): string {
  const answer = JSON.stringify([status, json ?? null, text ?? null]);
  return path.length < 3 ? answer : answer.replaceAll(path, '<path>').replaceAll(path.slice(1), '<path>');
}
