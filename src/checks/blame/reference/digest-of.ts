/** `digestOf`: from the journal of an attempt to its digest, with ids and times renamed consistently. Pure. */
import type { EarlierCalls } from '../../../journal/earlier-calls.ts';
import type { AttemptEvent } from '../../../journal/trial-event.ts';
import { defined } from '../../../kernel/defined.ts';
import { edgeOf } from '../../../kernel/edge-name.ts';
import { type AttemptView, viewAttempt } from '../../attempt-view.ts';
import { canonicalise, createCanonicaliser } from '../../canonical-value.ts';
import { logGateId } from '../../judge-logs.ts';
import { processGateId } from '../../judge-processes.ts';
import { modelGateId, peerGateId } from '../../judge-scripts.ts';
import { stepCheckId } from '../../judge-steps.ts';
import type { SeenCall } from '../../seen-call.ts';
import { isOwnFailure } from '../legality.ts';
import { illegalOutputs, usualName } from '../rule-illegal.ts';
import { ownFailureRule } from '../rule-own-failure.ts';
import { brokenRelays } from '../rule-relay.ts';
import { unreachableRule } from '../rule-unreachable.ts';
import { subjectsOf, vainEnds } from '../store-calls.ts';
import { mostBlamedCalls, type Traffic, trafficOf } from '../traffic.ts';
import { callAnswer, callName, callRequest, isGreeting, isLook } from './call-parts.ts';
import { deliveriesOf } from './deliveries.ts';
import { boundedValue, fingerprint, withShortTexts } from './kept-value.ts';
import { outputsOf } from './outputs-of.ts';
import {
  digestVersion,
  type ReferenceBefore,
  type ReferenceCall,
  type ReferenceDigest,
  referenceLimits,
} from './reference-digest.ts';

/** Undefined if the journal holds no attempt. */
export function digestOf(events: readonly AttemptEvent[]): ReferenceDigest | undefined {
  const view = viewAttempt(events);
  if (!view) return undefined;
  const { digest } = digestTraffic(trafficOf(view));
  return digest.cut && digest.stores ? digestTraffic(trafficOf(view, false)).digest : digest;
}

/** A digest, with the origin of its parts in the journal. */
export type TracedDigest = ReturnType<typeof digestTraffic>;

export function digestTraffic(traffic: Traffic) {
  const { view } = traffic;
  const keep = keeper(view.startedAt);
  const calls = piecesOf(traffic.calls.filter((call) => !isGreeting(call)));
  const vain = vainEnds(traffic.calls);
  const isOptional = (call: SeenCall): boolean => isLook(call) || vain.has(call);
  const outputs = outputsOf(traffic);
  const isTooMuch =
    (traffic.calls.length === 0 && view.calls.length > mostBlamedCalls) ||
    calls.length > referenceLimits.calls ||
    outputs.length > referenceLimits.outputs;
  const whole: ReferenceDigest = {
    version: digestVersion,
    of: subjectOf(view),
    runs: 1,
    durationMs: view.ended?.durationMs ?? view.events.at(-1)?.at ?? 0,
    calls: isTooMuch ? [] : calls.map((piece) => referenceCall(piece, view, keep, isOptional)),
    outputs: isTooMuch ? [] : outputs.map(({ output }) => ({ ...output, value: keep(output.value) })),
    held: expectationsOf(view),
    prepared: Object.fromEntries(
      (view.topology?.prepared ?? []).map(({ resource, state }) => [resource, state]),
    ),
    usual: usualFaults(traffic),
    ...defined({ before: view.before && referenceBefore(view.before, view.keeperAt) }),
    ...(traffic.hasStatements ? { stores: true } : {}),
    ...(isTooMuch ? { cut: true } : {}),
  };
  const isLong = JSON.stringify(whole).length > referenceLimits.chars;
  const digest: ReferenceDigest = isLong ? { ...whole, calls: [], outputs: [], cut: true } : whole;
  return {
    digest,
    /** For each call of the digest. */
    calls: digest.cut ? [] : calls.map(({ call }) => call),
    /** For each output, the events that it was read from. */
    outputs: digest.cut ? [] : outputs.map(({ seqs }) => seqs),
  };
}

function referenceBefore({ calls, cut = [] }: EarlierCalls, keeperAt: number): ReferenceBefore {
  return {
    calls: calls.map(({ startedAt, endedAt, ...call }) => ({
      ...call,
      began: startedAt - keeperAt,
      ended: endedAt - keeperAt,
    })),
    cut,
  };
}

type Keep = (value: unknown) => unknown;

/** One for the whole attempt, so that an id has the same name everywhere. */
function keeper(startedAt: number | undefined): Keep {
  const isOwnMoment = (text: string): boolean =>
    startedAt === undefined || !(Math.abs(Date.parse(text) - startedAt) > ownTimeMs);
  const canonicalise = createCanonicaliser(undefined, isOwnMoment);
  return (value) => withShortTexts(canonicalise(boundedValue(value)));
}

/** What happens in a run happens about then, whatever the zone of its writer. */
const ownTimeMs = 36 * 3_600_000;

/** A call as a whole, or one of the pieces that it brought to its reader. */
interface Piece {
  readonly call: SeenCall;
  readonly delivered?: { readonly piece: unknown };
}

function piecesOf(calls: readonly SeenCall[]): readonly Piece[] {
  return calls.flatMap(
    (call) => deliveriesOf(call)?.map((piece): Piece => ({ call, delivered: { piece } })) ?? [{ call }],
  );
}

function referenceCall(
  { call, delivered }: Piece,
  { keeperAt }: AttemptView,
  keep: Keep,
  isOptional: (call: SeenCall) => boolean,
): ReferenceCall {
  const { from, to, startedAt, endedAt } = call.call;
  const ended = endedAt - keeperAt;
  const edge = call.edge === edgeOf(call.call) ? undefined : call.edge;
  const common = {
    from,
    to,
    name: callName(call),
    ended,
    ...defined({ edge, about: subjectsOf(call.call) }),
  };
  // Who asks for whatever comes is free in when, and as which of several readers.
  if (delivered)
    return { ...common, began: ended, request: null, answer: keep(delivered.piece), delivered: true };
  return {
    ...common,
    began: startedAt - keeperAt,
    request: keep(callRequest(call)),
    answer: keep(callAnswer(call)),
    ...(isOptional(call) ? { optional: true } : {}),
  };
}

/** What the trial does, and to which parties. */
function subjectOf({ record, topology }: AttemptView): string {
  const steps = record.steps.map(({ name, driver, to }) => [name, driver, to]);
  const parties = topology?.parties.map(({ name, kind }) => `${kind} ${name}`).sort();
  const edges = topology?.edges.map(({ from, to }) => `${from} -> ${to}`).sort();
  return fingerprint(
    JSON.stringify([record.id, record.written, steps, record.disturbs ?? [], parties, edges]),
  );
}

/** Faults in an attempt that passed nevertheless: they are usual there, and not blamed later. */
function usualFaults(traffic: Traffic): readonly string[] {
  const names = [
    ...illegalOutputs(traffic).map(({ party, breach }) => usualName(party, breach.rule)),
    ...traffic.calls.filter(isOwnFailure).map(({ call }) => usualName(call.to, ownFailureRule)),
    ...brokenRelays(traffic).map((broken) => broken.usualName),
    ...traffic.view.refusals.map(({ to }) => usualName(to, unreachableRule)),
  ];
  return [...new Set(names)].sort();
}

/** Hashes of the expectations of an attempt: an unchanged check that held before and fails now is not wrong itself. */
function expectationsOf({ record, checks }: AttemptView): Readonly<Record<string, string>> {
  const of = (...parts: readonly unknown[]): string =>
    fingerprint(JSON.stringify(canonicalise(boundedValue(parts))));
  return Object.fromEntries([
    ...checks.map(({ id, kind, query, mode, expect, count, golden, only }) => [
      id,
      of(kind, query, mode, expect, count, golden?.accepted, only),
    ]),
    ...record.steps.map(({ name, expect }) => [stepCheckId(name), of(expect)]),
    [logGateId, of(record.logs)],
    ...[processGateId, modelGateId, peerGateId].map((gate) => [gate, of('gate')]),
  ]);
}
