/** `digestOf`: from the journal of an attempt to what is kept of it, ids and times renamed consistently. Pure. */
import type { AttemptEvent } from '../../../journal/trial-event.ts';
import { type AttemptView, viewAttempt } from '../../attempt-view.ts';
import { createCanonicaliser } from '../../canonical-value.ts';
import type { SeenCall } from '../../seen-call.ts';
import { type Traffic, trafficOf } from '../traffic.ts';
import { callAnswer, callName, callRequest, isGreeting, isLook } from './call-parts.ts';
import { expectationsOf } from './expectations.ts';
import { type GreenCall, type GreenDigest, greenLimits } from './green-digest.ts';
import { boundedValue, fingerprint, withShortTexts } from './kept-value.ts';
import { outputsOf } from './outputs-of.ts';
import { usualFaults } from './usual-faults.ts';

/** Undefined when the journal holds no attempt. */
export function digestOf(events: readonly AttemptEvent[]): GreenDigest | undefined {
  const view = viewAttempt(events);
  return view && digestTraffic(trafficOf(view)).digest;
}

/** A digest, and where in the journal its parts come from. */
export interface TracedDigest {
  readonly digest: GreenDigest;
  /** For each call of the digest. */
  readonly calls: readonly SeenCall[];
  /** For each output the events that it was read from. */
  readonly outputs: readonly (readonly number[])[];
}

export function digestTraffic(traffic: Traffic): TracedDigest {
  const { view } = traffic;
  const keep = keeper();
  const calls = traffic.calls.filter((call) => !isGreeting(call));
  const outputs = outputsOf(traffic);
  const isTooMuch =
    view.calls.length > traffic.calls.length ||
    calls.length > greenLimits.calls ||
    outputs.length > greenLimits.outputs;
  const whole: GreenDigest = {
    version: 1,
    of: subjectOf(view),
    runs: 1,
    durationMs: view.ended?.durationMs ?? view.events.at(-1)?.at ?? 0,
    calls: isTooMuch ? [] : calls.map((call) => greenCall(call, view, keep)),
    outputs: isTooMuch ? [] : outputs.map(({ output }) => ({ ...output, value: keep(output.value) })),
    held: expectationsOf(view),
    prepared: Object.fromEntries(
      (view.topology?.prepared ?? []).map(({ resource, state }) => [resource, state]),
    ),
    usual: usualFaults(traffic),
    ...(isTooMuch ? { cut: true } : {}),
  };
  const isLong = JSON.stringify(whole).length > greenLimits.chars;
  const digest: GreenDigest = isLong ? { ...whole, calls: [], outputs: [], cut: true } : whole;
  return {
    digest,
    calls: digest.cut ? [] : calls,
    outputs: digest.cut ? [] : outputs.map(({ seqs }) => seqs),
  };
}

type Keep = (value: unknown) => unknown;

/** One for the whole attempt, so that an id has the same name wherever it stands. */
function keeper(): Keep {
  const canonicalise = createCanonicaliser();
  return (value) => withShortTexts(canonicalise(boundedValue(value)));
}

function greenCall(call: SeenCall, { keeperAt }: AttemptView, keep: Keep): GreenCall {
  const { from, to, startedAt, endedAt } = call.call;
  return {
    from,
    to,
    name: callName(call),
    began: startedAt - keeperAt,
    ended: endedAt - keeperAt,
    request: keep(callRequest(call)),
    answer: keep(callAnswer(call)),
    ...(isLook(call) ? { optional: true } : {}),
  };
}

/** What the trial does, and to whom. */
function subjectOf({ record, topology }: AttemptView): string {
  const steps = record.steps.map(({ name, driver, to }) => [name, driver, to]);
  const parties = topology?.parties.map(({ name, kind }) => `${kind} ${name}`).sort();
  const edges = topology?.edges.map(({ from, to }) => `${from} -> ${to}`).sort();
  return fingerprint(
    JSON.stringify([record.id, record.written, steps, record.disturbs ?? [], parties, edges]),
  );
}
