/** A verdict in the terms of the formats that CI systems read. */
import type { TrialVerdict, Verdict } from '../../checks/verdict.ts';
import { blameText } from '../terminal/format-blame.ts';

export interface TrialOutcome {
  /** The element of JUnit; undefined for a trial that passed. */
  readonly junit?: 'failure' | 'error' | 'skipped';
  readonly ctrf: 'passed' | 'failed' | 'skipped' | 'other';
  /** What happened, in a word; it distinguishes what those formats have one word for. */
  readonly type: string;
  /** One sentence. */
  readonly message: string;
}

const failure = { junit: 'failure', ctrf: 'failed' } as const;
const error = { junit: 'error', ctrf: 'other' } as const;
const setAside = { junit: 'skipped', ctrf: 'other' } as const;

/** A trial that proves nothing is an error, whatever its verdict: a CI system must not show it as passed. */
export function trialOutcome(trial: TrialVerdict): TrialOutcome {
  const { verdict, cause, faults, skipReason, quarantined } = trial;
  const why = cause?.text ?? '';
  const failed = withBlame(why || 'it failed', trial);
  const [fault] = faults;
  if (verdict === 'failed') return { ...failure, type: cause?.kind ?? 'failed', message: failed };
  if (verdict === 'unstable' && quarantined && !fault) {
    const { until, owner, reason } = quarantined;
    const message = `failed in quarantine until ${until} (${owner}: ${reason}): ${failed}`;
    return { ...setAside, type: 'quarantined', message };
  }
  if (verdict === 'unstable' && !quarantined) {
    const message = withBlame(why || 'it held only in some attempts', trial);
    return { ...failure, type: 'unstable', message };
  }
  if (verdict === 'unknown')
    return { ...error, type: 'unknown', message: why || fault?.text || 'it could not be judged' };
  if (fault) return { ...error, type: fault.kind, message: fault.text };
  if (verdict === 'skipped') {
    const message = skipReason ?? (why || 'no reason was given');
    return { junit: 'skipped', ctrf: 'skipped', type: 'skipped', message };
  }
  if (verdict === 'expected-failure')
    return { ...setAside, type: 'expected-failure', message: `failed as expected: ${why}` };
  return { ctrf: 'passed', type: 'passed', message: '' };
}

/** No party is named if none is known. */
function withBlame(message: string, { blame }: TrialVerdict): string {
  const words = blameText(blame);
  return words === '' ? message : `${message}; ${words}`;
}

/** Of a trial or of a check: a reader has to look at it. */
export function isBad({ verdict }: { readonly verdict: Verdict }): boolean {
  return verdict === 'failed' || verdict === 'unstable' || verdict === 'unknown';
}

/** What a person reads in the CI system: lines by trial id, without colours. */
export type Stories = ReadonlyMap<string, readonly string[]>;
