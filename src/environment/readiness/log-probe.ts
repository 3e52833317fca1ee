/** Ready when a line of the service's log matches the pattern. */
import { searchLog } from '../processes/log-search.ts';
import { isReady, type Look, notReady } from './look.ts';
import type { ReadinessSubject } from './subject.ts';

export function logProbe(pattern: string, subject: ReadinessSubject): Look {
  const search = searchLog(subject.logFile, pattern, subject.logOffset);
  return async () => (search.look() ? isReady : notReady(`no line of its log matches /${pattern}/`));
}
