/** Rule 3, broke a relay: an input was not passed on, or an answer was not passed back. */
import type { CallEvent } from '../../journal/call-event.ts';
import type { Relay } from '../../journal/topology.ts';
import { printValue } from '../../patterns/print-value.ts';
import { nameOf, type SeenCall } from '../seen-call.ts';
import type { Blame } from './blame.ts';
import { answerBreaches, isFailure } from './legality.ts';
import { cameThrough, type RelayPath, readRelayPath, valueAt } from './relay-paths.ts';
import type { Traffic } from './traffic.ts';

/** `usual` are relations that did not hold either when the trial passed: their declaration was wrong. */
export function blameRelay(traffic: Traffic, usual: ReadonlySet<string>): Blame | undefined {
  const found = brokenRelays(traffic).filter((one) => !usual.has(one.usualName));
  const [first] = found;
  if (!first || found.some(({ blame }) => blame.party !== first.blame.party)) return undefined;
  return first.blame;
}

export interface BrokenRelay {
  readonly blame: Blame;
  readonly usualName: string;
}

export function brokenRelays(traffic: Traffic): readonly BrokenRelay[] {
  const relays = Map.groupBy(
    traffic.view.topology?.relays ?? [],
    ({ name, incoming }) => `${name} ${incoming}`,
  );
  return [...relays.values()].flatMap((ways) => brokenIn(ways, traffic));
}

/** `ways` are all the outgoing sides of one relay. */
function brokenIn(ways: readonly Relay[], traffic: Traffic): readonly BrokenRelay[] {
  const [{ name, incoming } = { name: '', incoming: '' }] = ways;
  return traffic.calls
    .filter(({ edge }) => edge === incoming)
    .flatMap((call) => {
      const out = passedOn(call, ways, traffic);
      if (!out) return [];
      return ways.flatMap((way) =>
        way.same.flatMap((written) => {
          const path = readRelayPath(written);
          const broken = path && brokenPath(path, call, out, way, traffic);
          if (!broken) return [];
          return [
            { blame: toBlame(name, written, call, broken), usualName: `${call.call.to} ${name} ${written}` },
          ];
        }),
      );
    });
}

/**
 * The outgoing calls of an incoming one: those within its time. If another incoming call is open at the same time,
 * only a header that both carry attributes them; without one, it is unknown.
 */
function passedOn(
  incoming: SeenCall,
  ways: readonly Relay[],
  traffic: Traffic,
): readonly SeenCall[] | undefined {
  const edges = ways.map(({ outgoing }) => outgoing);
  // A read of the provider's list of models, say, is not what was passed on.
  const inside = traffic
    .within(incoming)
    .filter(({ edge, call }) => edges.includes(edge) && call.method === incoming.call.method);
  if (inside.length === 0) return undefined;
  const isShared = inside.some((call) => traffic.around(call).length > 1);
  if (!isShared) return inside;
  const mark = correlationOf(incoming.call);
  const own = mark === undefined ? [] : inside.filter(({ call }) => correlationOf(call) === mark);
  return own.length > 0 ? own : undefined;
}

/** Of a trace, the id that all of its parts share. */
function correlationOf({ request: { headers } }: CallEvent): string | undefined {
  return headers['x-request-id'] ?? headers.traceparent?.split('-')[1];
}

function brokenPath(
  { way, incoming, outgoing }: RelayPath,
  call: SeenCall,
  out: readonly SeenCall[],
  { outgoing: edge }: Relay,
  traffic: Traffic,
) {
  if (way === 'request') {
    const sent = valueAt(call.call, incoming);
    if (sent === undefined || !isKept(call)) return undefined;
    const lacking = out.find(
      (one) => one.edge === edge && isKept(one) && !cameThrough(sent, valueAt(one.call, outgoing)),
    );
    return lacking && { sent, got: valueAt(lacking.call, outgoing), outgoing: lacking };
  }
  const last = out.at(-1);
  // A relay may transform a failure; the last answer is the one that counts.
  if (!last || last.edge !== edge || !isGood(last, traffic) || !isAnswered(call)) return undefined;
  const sent = valueAt(last.call, outgoing);
  if (sent === undefined || sent === null || !isKept(last) || !isKept(call)) return undefined;
  const got = valueAt(call.call, incoming);
  return cameThrough(sent, got) ? undefined : { sent, got, outgoing: last };
}

function isGood(call: SeenCall, traffic: Traffic): boolean {
  return (
    call.call.incomplete === undefined &&
    !isFailure(call) &&
    answerBreaches(call).length === 0 &&
    !traffic.disturbanceOf(call)
  );
}

/** After an early close, it is unknown what would have followed. */
function isAnswered({ call }: SeenCall): boolean {
  return call.incomplete === undefined && call.response !== undefined;
}

function isKept({ call }: SeenCall): boolean {
  return call.incomplete !== 'too-large' && call.incomplete !== 'not-http';
}

function toBlame(
  name: string,
  written: string,
  incoming: SeenCall,
  broken: NonNullable<ReturnType<typeof brokenPath>>,
): Blame {
  const { sent, got, outgoing } = broken;
  const isRequest = readRelayPath(written)?.way === 'request';
  const [from, to] = isRequest ? [incoming, outgoing] : [outgoing, incoming];
  return {
    party: incoming.call.to,
    edge: to.edge,
    rule: 3,
    because: `broke the relay ${name}: ${written} was ${printValue(sent, 120)} in ${nameOf(from)}, and ${printValue(got, 120)} in ${nameOf(to)}`,
    evidence: [incoming.seq, outgoing.seq],
  };
}
