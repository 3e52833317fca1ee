/** `mayBeWaiting`: whether a party that gives no answer may rightly wait: for the rest of its request, or for another party. Pure. */
import { isListening, isStillWaiting, isStoreCall } from '../../journal/call-event.ts';
import { outside } from '../../journal/topology.ts';
import { eventsOf } from '../../journal/trial-event.ts';
import { reachedFrom } from '../../kernel/reached-from.ts';
import type { SeenCall } from '../seen-call.ts';
import { isFailure } from './legality.ts';
import { callName, callRequest, isLook } from './reference/call-parts.ts';
import { sharesStore } from './reference/outputs-of.ts';
import type { Traffic } from './traffic.ts';
import { sharedPlaces } from './unseen-input.ts';

/** `silent` has no answer, although everything was answered that its provider asked meanwhile. */
export function mayBeWaiting(silent: SeenCall, traffic: Traffic): boolean {
  const { to, request } = silent.call;
  return (
    request.unfinished === true ||
    // A statement may wait for a lock that another one holds.
    traffic.isStore(to) ||
    traffic.unseenFrom(to).length > 0 ||
    sharesStore(to, traffic) ||
    sharedPlaces(to, traffic).length > 0 ||
    isExpecting(to, traffic) ||
    isListeningTo(to, silent, traffic) ||
    mayTryAgain(silent, traffic) ||
    mayBeCalled(silent, traffic)
  );
}

/** It waits for what another one is to put into a store, or to publish there. */
function isExpecting(party: string, { view }: Traffic): boolean {
  return eventsOf(view.events, 'call').some(
    (call) =>
      call.from === party &&
      isStoreCall(call) &&
      (isStillWaiting(call) ||
        /SUBSCRIBE$|MESSAGE$|^(?:PUBLISH|LISTEN|NOTIFY|NOTIFICATION)$/.test(call.method)),
  );
}

/** An answer to it is still open, or a connection that both sides use as they like. */
function isListeningTo(party: string, silent: SeenCall, { view, askedBy }: Traffic): boolean {
  const open = eventsOf(view.events, 'edges.passed').flatMap((event) => event.open ?? []);
  return (
    open.some((edge) => edge.startsWith(`${party} -> `)) ||
    (view.before?.calls ?? []).some(({ from, answer }) => from === party && isUpgrade(answer)) ||
    askedBy(party).some(
      ({ call }) =>
        call.response?.status === 101 ||
        ((isListening(call) || isOpen(call)) && call.endedAt >= silent.call.endedAt - passedOnMs),
    )
  );
}

/** Tolerance by which a forwarded end may come earlier or later than the end itself. */
export const passedOnMs = 50;

function isOpen({ incomplete }: SeenCall['call']): boolean {
  return incomplete === 'in-flight' || incomplete === 'cut' || incomplete === 'unanswered';
}

function isUpgrade(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && Reflect.get(answer, 'status') === 101;
}

/** It sleeps before it looks again, or before the next try: what it got was a failure, or not yet what it needs. */
function mayTryAgain(silent: SeenCall, { view, askedBy, isStore, within }: Traffic): boolean {
  const { to, endedAt } = silent.call;
  const asked = askedBy(to).filter(({ call }) => call.startedAt <= endedAt && !isStore(call.to));
  const inner = within(silent).filter(({ call }) => !isStore(call.to));
  const last = inner.toSorted((a, b) => a.call.endedAt - b.call.endedAt).at(-1);
  const asks = inner.map((one) => JSON.stringify([one.edge, callName(one), callRequest(one)]));
  return (
    view.refusals.some(({ from }) => from === to) ||
    asked.some((one) => one.call.incomplete !== 'cancelled' && (isOpen(one.call) || isFailure(one))) ||
    inner.some(({ call }) => call.response?.status === 202) ||
    (last !== undefined && isLook(last)) ||
    new Set(asks).size < asks.length
  );
}

/** By one whom it has asked, or who comes by himself; not by those who wait for its answer, unless it asked them for something. */
function mayBeCalled(silent: SeenCall, traffic: Traffic): boolean {
  const { to } = silent.call;
  const { view, askedBy, around, isStore, kindOf } = traffic;
  const edges = view.topology?.edges ?? [];
  const told = reachedFrom(
    askedBy(to).map(({ call }) => call.to),
    (party) =>
      isStore(party)
        ? edges.filter((edge) => isEnd(edge.to, party)).map(({ from }) => from)
        : edges.filter(({ from }) => from === party).map((edge) => edge.to),
  );
  const open = reachedFrom([silent], (call) => around(call).filter((outer) => outer.call.to !== to));
  const waiting = new Set([...open].map(({ call }) => call.from));
  return edges
    .filter((edge) => isEnd(edge.to, to))
    .map(({ from }) => from)
    .some(
      (from) =>
        from !== outside &&
        from !== to &&
        kindOf(from) !== 'job' &&
        (!waiting.has(from) || [...told].some((end) => isEnd(end, from))),
    );
}

/** An edge leads to a party, or to one of its listeners. */
function isEnd(end: string, party: string): boolean {
  return end === party || end.startsWith(`${party}.`);
}
