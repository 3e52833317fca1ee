/** Which services and resources a trial touched when it was performed, according to its journal. Pure. */
import type { AttemptView } from '../../../checks/attempt-view.ts';
import { outside, type TopologyEdge } from '../../../journal/topology.ts';
import { partyIn } from '../../../kernel/edge-name.ts';

/** Services and resources, by name. */
export function touchedParties(view: AttemptView): ReadonlySet<string> {
  const { record, scope, calls, refusals, modelCalls, peerCalls, topology, events } = view;
  const parties = new Set((topology?.parties ?? []).map(({ name }) => name));
  const passed = events.flatMap((event) => (event.type === 'edges.passed' ? [event.edges] : []));
  const named = [
    ...record.steps.flatMap(({ to }) => (to === undefined ? [] : [to])),
    ...calls.flatMap(({ call: { from, to } }) => [from, to]),
    ...refusals.map(({ to }) => to),
    ...[...modelCalls, ...peerCalls].map(({ resource }) => resource),
    ...passed.flat().map(({ to }) => to),
    // An address that was passed to a program.
    ...Object.keys(scope).filter((key) => key.includes('.')),
  ];
  const touched = new Set(named.map(partyIn).filter((name) => parties.has(name)));
  if (passed.length === 0) addReached(touched, topology?.edges ?? [], record.kind === 'flow');
  return touched;
}

/**
 * Traffic on edges that are not decoded is not recorded: a provider that a touched service can call over one may have
 * been touched, too. Whether it was shows when the mutant is met or not.
 */
function addReached(touched: Set<string>, edges: readonly TopologyEdge[], isFlow: boolean): void {
  const unseen = edges.filter(({ seen }) => seen === 'bytes' || seen === 'statements');
  if (isFlow) touched.add(outside);
  for (let before = -1; before !== touched.size; ) {
    before = touched.size;
    for (const { from, to } of unseen) if (touched.has(from)) touched.add(partyIn(to));
  }
  touched.delete(outside);
}
