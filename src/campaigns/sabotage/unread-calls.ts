/** Calls between services that no check reads: they could have been omitted. */

import type { AttemptView } from '../../checks/attempt-view.ts';
import type { SeenCall } from '../../checks/seen-call.ts';
import { isStoreCall } from '../../journal/call-event.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import { all, type Exposure } from './exposure.ts';
import { withoutMadeParts } from './risk.ts';
import { suggestCall } from './suggest-check.ts';

export interface EdgeScore {
  readonly edge: string;
  /** Kinds of calls that crossed it, and how many of them some check reads. */
  readonly calls: number;
  readonly read: number;
}

/** Messages for the protocol itself. */
const chatter =
  /^(?:initialize|ping|notifications\/.*|tools\/list|resources\/list|prompts\/list|logging\/.*)$/;

/** `readEdges` are those that some vital check looks at. */
export function findUnreadCalls(
  view: AttemptView,
  readEdges: ReadonlySet<string>,
  checks: number,
  taken: Set<string>,
) {
  const { id, file, line, kind } = view.record;
  const kinds = new Map<string, SeenCall>();
  for (const seen of view.calls)
    if (!isStoreCall(seen.call) && isWork(seen, view)) kinds.set(`${seen.edge} ${labelOf(seen)}`, seen);
  const isClosed = readEdges.has('*');
  const exposures = [...kinds.values()]
    .filter(({ edge }) => !isClosed && !readEdges.has(edge))
    .map((seen): Exposure => {
      const label = labelOf(seen);
      return {
        trial: id,
        file,
        line: Math.max(line, ...view.checks.map((check) => check.line)),
        source: `calls ${seen.edge}`,
        endpoint: `calls ${seen.edge}`,
        path: label,
        risk: 'call',
        text: `${seen.edge} ${label} could have been omitted, and ${all(checks)} would still pass`,
        check: suggestCall(
          seen.edge,
          { method: seen.call.method, tool: toolOf(seen), count: countOf(seen, view) },
          taken,
          kind === 'flow',
        ),
      };
    });
  return { exposures, edges: scoresOf([...kinds.values()], readEdges, isClosed) };
}

/** Edges for whose calls a step has waited: without them the trial would not have finished. */
export function awaitedEdges({ probes }: Pick<AttemptView, 'probes'>): readonly string[] {
  return [...probes].flatMap(([name, { samples, end }]) => {
    const last = samples.findLast((sample) => sample.type === 'probe.sampled');
    if (!name.startsWith('when ') || end?.end !== 'reached' || !Array.isArray(last?.value)) return [];
    return last.value.filter(isPlainMap).flatMap(({ from, to }) => (from && to ? [`${from} -> ${to}`] : []));
  });
}

function scoresOf(
  calls: readonly SeenCall[],
  readEdges: ReadonlySet<string>,
  isClosed: boolean,
): readonly EdgeScore[] {
  return [...Map.groupBy(calls, ({ edge }) => edge)].map(([edge, seen]) => ({
    edge,
    calls: seen.length,
    read: isClosed || readEdges.has(edge) ? seen.length : 0,
  }));
}

/** Calls to parties that we play are counted by their scripts; calls from outside are the trial itself. */
function isWork({ call }: SeenCall, { topology }: AttemptView): boolean {
  const provider = topology?.parties.find(({ name }) => name === call.to);
  if (call.from === 'outside' || (provider && provider.kind !== 'service')) return false;
  if (call.protocol === 'json-rpc') return !chatter.test(call.method);
  return !['GET', 'HEAD', 'OPTIONS', 'DELETE'].includes(call.method);
}

/** How many calls the suggested check would find. */
function countOf(seen: SeenCall, { calls }: AttemptView): number {
  const tool = toolOf(seen);
  return calls.filter(
    (one) =>
      one.edge === seen.edge &&
      (tool === undefined ? one.call.method === seen.call.method : toolOf(one) === tool),
  ).length;
}

function labelOf(seen: SeenCall): string {
  const tool = toolOf(seen);
  if (tool !== undefined) return `${seen.call.method} ${tool}`;
  return seen.call.protocol === 'json-rpc'
    ? seen.call.method
    : `${seen.call.method} ${withoutMadeParts(seen.call.path)}`;
}

function toolOf({ call }: SeenCall): string | undefined {
  const { name } = (call.params ?? {}) as { readonly name?: unknown };
  return call.method === 'tools/call' && typeof name === 'string' ? name : undefined;
}
