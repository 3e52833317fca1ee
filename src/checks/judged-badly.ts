/** Whether a verdict requires action. */
import type { Verdict } from './verdict.ts';

export function judgedBadly(verdict: Verdict): boolean {
  return verdict === 'failed' || verdict === 'unknown' || verdict === 'unstable';
}
