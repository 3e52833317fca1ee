/** While a system is not quiet, or where not everything that passes is read, an absence cannot be decided. */

import type { EventOf } from '../journal/trial-event.ts';
import { formatDuration } from '../kernel/duration.ts';
import { edgeOf, looksAtEdge, partyIn } from '../kernel/edge-name.ts';
import { formatSize } from '../kernel/size.ts';
import { checkKind } from '../kinds/check-kinds.ts';
import type { AttemptView } from './attempt-view.ts';
import type { OrderQuery } from './derived-queries.ts';
import type { CheckRecord } from './trial-record.ts';
import type { CheckVerdict } from './verdict.ts';

type Quiet = Pick<EventOf<'quiet'>, 'busy' | 'busyBytes' | 'waitedMs'>;

/** The busy edges, their traffic, and what to write in the config if that is polling. */
export function whoIsBusy({ busy, busyBytes = [], waitedMs }: Quiet): string {
  const shown = busy.map((edge, index) => {
    const bytes = busyBytes[index] ?? 0;
    return bytes === 0 ? edge : `${edge} (${formatSize(bytes)} in ${formatDuration(waitedMs)})`;
  });
  const polled = busy.findIndex((_, index) => (busyBytes[index] ?? 0) > 0);
  if (polled === -1) return `${shown.join(', ')} still busy`;
  const rate = Math.ceil(((busyBytes[polled] ?? 0) * 2_000) / Math.max(waitedMs, 1) / 1024);
  const rule = `edges: { "${busy[polled]}": { idle: { below: ${rate}KB/s } } }`;
  return `${shown.join(', ')} still busy; if that is polling, declare it in the config: ${rule}`;
}

/** An absence that held while edges were busy is unknown. Edges that were deliberately not waited for are reported. */
export function openIfRestless(
  verdicts: readonly CheckVerdict[],
  view: AttemptView,
): readonly CheckVerdict[] {
  const { restless, unwatched } = view;
  const unread = unreadEdges(view);
  if (!restless && unwatched.length + unread.length === 0) return verdicts;
  const absences = new Map(view.checks.filter(({ absence }) => absence).map((check) => [check.id, check]));
  return verdicts.map((verdict) => {
    const check = absences.get(verdict.id);
    if (!check || verdict.verdict !== 'passed') return verdict;
    if (restless)
      return {
        ...verdict,
        verdict: 'unknown',
        explanation: `the system was not quiet: ${whoIsBusy(restless)}`,
      };
    const hidden = unread.find((edge) => isAbout(check, [edge]));
    if (hidden !== undefined)
      return { ...verdict, verdict: 'unknown', explanation: `what passed on ${hidden} is not read` };
    if (unwatched.length === 0) return verdict;
    const explanation = `not waited for, as configured: ${unwatched.join(', ')}`;
    return { ...verdict, explanation, ...(isAbout(check, unwatched) ? { verdict: 'unknown' } : {}) };
  });
}

/** Listeners of which only the bytes are known; a check that names such an edge itself is refused when it is read. */
function unreadEdges({ events, calls }: AttemptView): readonly string[] {
  const passed = events.flatMap((event) => (event.type === 'edges.passed' ? event.edges : []));
  const read = new Set(calls.map(({ edge }) => edge));
  return passed
    .filter(({ to }) => to !== partyIn(to))
    .map(edgeOf)
    .filter((edge) => !read.has(edge));
}

/** Such an edge may still deliver, or have delivered, what is absent so far. */
function isAbout({ kind, query }: CheckRecord, edges: readonly string[]): boolean {
  const edge = checkKind(kind)?.edge?.(query);
  const never =
    kind === 'order' ? (query as unknown as OrderQuery).moments.filter((one) => 'never' in one) : [];
  return [...(edge ? [edge] : []), ...never].some((one) => looksAtEdge(edges, one));
}
