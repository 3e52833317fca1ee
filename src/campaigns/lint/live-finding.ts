/** Findings that only the running system shows, and why each kind of them matters. */
import type { LintFinding } from '../../checks/lint-finding.ts';
import type { Place } from './rule.ts';

const reasons = {
  'unknown-endpoint': 'a trial that calls a missing endpoint tests the error page instead of the system',
  'unknown-tool': 'a trial that calls a missing tool tests only the refusal',
  'tool-arguments': 'the trial assumes an outdated or wrong schema, and tests only the refusal',
  'unknown-table': 'a check on a missing table can never hold, and an absence in it proves nothing',
  'unknown-column':
    'a condition on a missing column matches nothing, which looks just like "there is no such row"',
} as const;

export const liveKinds: readonly string[] = Object.keys(reasons);

type LiveKind = keyof typeof reasons;

export function liveFinding(kind: LiveKind, place: Place, text: string, next: string): LintFinding {
  return { kind, level: 'finding', ...place, text, why: reasons[kind], next };
}
