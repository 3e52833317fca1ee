/** The result of examining the journal. */
import type { CheckVerdict } from '../verdict.ts';

export type Finding = Pick<CheckVerdict, 'verdict' | 'expected' | 'observed' | 'explanation' | 'evidence'>;

export function unknown(expected: string, explanation: string, evidence: readonly number[] = []): Finding {
  return { verdict: 'unknown', expected, observed: 'nothing', explanation, evidence };
}
