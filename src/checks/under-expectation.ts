/** The verdict of a trial that is known to fail: only expected failures may occur. */
import type { AttemptEnd } from '../journal/trial-event.ts';
import { logGateId } from './judge-logs.ts';
import { processGateId } from './judge-processes.ts';
import type { ExpectedFailure } from './trial-record.ts';
import type { CheckVerdict, TrialVerdict } from './verdict.ts';

type Judged = Pick<TrialVerdict, 'verdict' | 'cause'>;

/** Ends of an attempt that are failures, by the names under which they can be expected. */
export const endNames: Readonly<Partial<Record<AttemptEnd, string>>> = {
  timeout: 'timeout',
  'flow-failed': 'flow',
};

/** A death, an error line, a timeout or a mistake in a flow hides the expected failure: never included by default. */
export const onlyByName: readonly string[] = [logGateId, processGateId, ...Object.values(endNames)];

export function underExpectation(
  expected: ExpectedFailure | undefined,
  plain: Judged,
  checks: readonly CheckVerdict[],
  ends: readonly (AttemptEnd | undefined)[],
): Judged {
  const { verdict, cause } = plain;
  if (!expected) return plain;
  if (verdict === 'passed') {
    const text = `it was expected to fail (${expected.because}) but passes now: remove \`expectedFailure\``;
    return { verdict: 'failed', cause: { kind: 'expected-failure-passed', text } };
  }
  if (verdict !== 'failed' || ends.some(wasGivenUp)) return plain;
  const isForeseen = (name: string): boolean =>
    expected.checks ? expected.checks.includes(name) : !onlyByName.includes(name);
  const failed = checks.filter((check) => check.verdict === 'failed');
  const badEnds = ends.flatMap((end) => (end && endNames[end]) ?? []);
  const unforeseen = failed.find(({ id }) => !isForeseen(id));
  if (!unforeseen && badEnds.every(isForeseen)) {
    const happened = failed.length + badEnds.length > 0 || !expected.checks;
    return { verdict: happened ? 'expected-failure' : verdict, cause };
  }
  if (!unforeseen || cause?.kind !== 'check') return plain;
  const { id, expected: wanted, observed } = unforeseen;
  const text = `${id}: expected ${wanted}, observed ${observed}; it is not among the failures that are expected`;
  return { verdict, cause: { kind: 'check', text } };
}

function wasGivenUp(end: AttemptEnd | undefined): boolean {
  return end === undefined || end === 'interrupted' || end === 'environment-broken';
}
