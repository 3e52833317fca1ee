/** Of a system that did not come to rest nobody can say that something will not happen. */

import { formatDuration } from '../kernel/duration.ts';
import { type EdgeEnds, hasEdge } from '../kernel/edge-name.ts';
import { formatSize } from '../kernel/size.ts';
import type { AttemptView, EventOf } from './attempt-view.ts';
import type { CheckRecord } from './trial-record.ts';
import type { CheckVerdict } from './verdict.ts';

type Quiet = Pick<EventOf<'quiet'>, 'busy' | 'busyBytes' | 'waitedMs'>;

/** The busy edges, what passed them, and what to write in the config when that is how somebody polls. */
export function whoIsBusy({ busy, busyBytes = [], waitedMs }: Quiet): string {
  const told = busy.map((edge, index) => {
    const bytes = busyBytes[index] ?? 0;
    return bytes === 0 ? edge : `${edge} (${formatSize(bytes)} in ${formatDuration(waitedMs)})`;
  });
  const polled = busy.findIndex((_, index) => (busyBytes[index] ?? 0) > 0);
  if (polled === -1) return `${told.join(', ')} still busy`;
  const rate = Math.ceil(((busyBytes[polled] ?? 0) * 2_000) / Math.max(waitedMs, 1) / 1024);
  const rule = `edges: { "${busy[polled]}": { idle: { below: ${rate}KB/s } } }`;
  return `${told.join(', ')} still busy; where that is a poll, the config says so: ${rule}`;
}

/** What held as an absence while edges were still busy is unknown. What was not waited for, because the config says so, is told. */
export function openIfRestless(
  verdicts: readonly CheckVerdict[],
  view: AttemptView,
): readonly CheckVerdict[] {
  const { restless, unwatched } = view;
  if (!restless && unwatched.length === 0) return verdicts;
  const absences = new Map(view.checks.filter(({ absence }) => absence).map((check) => [check.id, check]));
  return verdicts.map((verdict) => {
    const check = absences.get(verdict.id);
    if (!check || verdict.verdict !== 'passed') return verdict;
    if (restless)
      return {
        ...verdict,
        verdict: 'unknown',
        explanation: `the system had not come to rest: ${whoIsBusy(restless)}`,
      };
    const explanation = `not waited for, as the config says: ${unwatched.join(', ')}`;
    return { ...verdict, explanation, ...(isAbout(check, unwatched) ? { verdict: 'unknown' } : {}) };
  });
}

/** An edge that is not waited for may bring at any time what has not come yet. */
function isAbout({ kind, query }: CheckRecord, unwatched: readonly string[]): boolean {
  return kind === 'calls' && hasEdge(unwatched, query as unknown as EdgeEnds);
}
