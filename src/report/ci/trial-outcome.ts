/** A verdict in the terms of the formats that CI systems read. */
import type { TrialVerdict } from '../../checks/verdict.ts';
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

/** A trial that proves nothing is an error, whatever its verdict: a CI system must not show it as passed. */
export function trialOutcome(trial: TrialVerdict): TrialOutcome {
  const { verdict, cause, faults, skipReason, quarantined } = trial;
  const why = cause?.text ?? '';
  const [fault] = faults;
  if (verdict === 'failed')
    return {
      junit: 'failure',
      ctrf: 'failed',
      type: cause?.kind ?? 'failed',
      message: withBlame(why || 'it failed', trial),
    };
  if (verdict === 'unstable' && quarantined && !fault)
    return {
      junit: 'skipped',
      ctrf: 'other',
      type: 'quarantined',
      message: `failed in quarantine until ${quarantined.until} (${quarantined.owner}: ${quarantined.reason}): ${withBlame(why || 'it failed', trial)}`,
    };
  if (verdict === 'unstable' && !quarantined)
    return {
      junit: 'failure',
      ctrf: 'failed',
      type: 'unstable',
      message: withBlame(why || 'it held only in some attempts', trial),
    };
  if (verdict === 'unknown')
    return {
      junit: 'error',
      ctrf: 'other',
      type: 'unknown',
      message: why || fault?.text || 'it could not be judged',
    };
  if (fault) return { junit: 'error', ctrf: 'other', type: fault.kind, message: fault.text };
  if (verdict === 'skipped')
    return {
      junit: 'skipped',
      ctrf: 'skipped',
      type: 'skipped',
      message: skipReason ?? (why || 'no reason was given'),
    };
  if (verdict === 'expected-failure')
    return {
      junit: 'skipped',
      ctrf: 'other',
      type: 'expected-failure',
      message: `failed as expected: ${why}`,
    };
  return { ctrf: 'passed', type: 'passed', message: '' };
}

/** No party is named if none is known. */
function withBlame(message: string, { blame }: TrialVerdict): string {
  const words = blameText(blame);
  return words === '' ? message : `${message}; ${words}`;
}

/** What a person reads in the CI system: lines by trial id, without colours. */
export type Stories = ReadonlyMap<string, readonly string[]>;
