/** Whether a verdict is one that somebody has to do something about. */
import type { Verdict } from './verdict.ts';

export function judgedBadly(verdict: Verdict): boolean {
  return verdict === 'failed' || verdict === 'unknown' || verdict === 'unstable';
}
