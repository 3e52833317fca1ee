/** Calls of a failed attempt that were refused as they should be: the trial wants the refusal, or passing runs had it, too. */
import { isModelCall } from '../../journal/is-model-call.ts';
import { outside } from '../../journal/topology.ts';
import { isMap } from '../../kernel/is-map.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import type { AttemptView } from '../attempt-view.ts';
import { stepCheckId } from '../judge-steps.ts';
import type { SeenCall } from '../seen-call.ts';
import type { CheckVerdict } from '../verdict.ts';
import { isFailure } from './legality.ts';
import { alignCalls } from './reference/align-calls.ts';
import { digestTraffic } from './reference/digest-of.ts';
import { edgeIn, type ReferenceCall, type ReferenceDigest } from './reference/reference-digest.ts';
import { type Traffic, trafficOf } from './traffic.ts';

/** Numbers of their events. Whatever is not complete, or broke a rule, is no refusal. */
export function expectedRefusals(
  view: AttemptView,
  verdicts: readonly CheckVerdict[],
  reference?: ReferenceDigest,
): readonly number[] {
  const traffic = trafficOf(view);
  const refused = view.calls.filter(isRefused);
  if (refused.length === 0) return [];
  const usual = refusedBefore(refused, traffic, reference);
  const wanted = callsWanted(view, verdicts);
  return refused
    .filter((call) => usual.has(call.seq) || wanted(call) || isStaged(call, traffic))
    .map(({ seq }) => seq);
}

function isRefused(one: SeenCall): boolean {
  const { response, incomplete, faults = [], turn } = one.call;
  const isWhole = response !== undefined && (incomplete === undefined || incomplete === 'too-large');
  return isWhole && faults.length === 0 && (turn?.faults ?? []).length === 0 && isFailure(one);
}

/** Answered in the same way in the passing runs; what was refused once then, and twice now, counts once. */
function refusedBefore(
  refused: readonly SeenCall[],
  traffic: Traffic,
  reference: ReferenceDigest | undefined,
): ReadonlySet<number> {
  if (!reference) return new Set();
  const now = digestTraffic(traffic);
  if (now.digest.of !== reference.of) return new Set();
  const seqs = new Set(refused.map(({ seq }) => seq));
  const keyOf = (call: ReferenceCall): string => `${edgeIn(call)} ${call.name}`;
  const isMeant = (index: number): boolean => seqs.has(now.calls[index]?.seq ?? -1);
  const keys = new Set(now.digest.calls.flatMap((call, index) => (isMeant(index) ? [keyOf(call)] : [])));
  const before = reference.calls.filter((call) => keys.has(keyOf(call)));
  const here = [...now.digest.calls.entries()].filter(([, call]) => keys.has(keyOf(call)));
  const { pairs } = alignCalls(
    before,
    here.map(([, call]) => call),
  );
  const same = pairs.filter(
    ({ request, answer }) => request.likeness === 'same' && answer.likeness === 'same',
  );
  return new Set(same.flatMap(({ is }) => now.calls[here[is]?.[0] ?? -1]?.seq ?? []));
}

/** The trial makes the call fail itself: by a disturbance, or as the peer that it plays. */
function isStaged(one: SeenCall, traffic: Traffic): boolean {
  const { view } = traffic;
  const { call } = one;
  const felt = traffic.disturbanceOf(one);
  const disturb = felt && view.record.disturbs?.find(({ name }) => name === felt.disturbance);
  if (disturb?.fault === 'answer') return true;
  const isOdd =
    view.modelCalls.some((played) => played.fault && isModelCall(played, call)) ||
    view.peerCalls.some(
      ({ fault, resource, caller, path }) =>
        fault && resource === call.to && caller === call.from && path === call.path,
    );
  return traffic.isPlayed(call.to) && !isOdd;
}

/** What a check that held has looked at: the answer to a step, or calls on an edge whose outcome it reads. */
function callsWanted(view: AttemptView, verdicts: readonly CheckVerdict[]): (one: SeenCall) => boolean {
  const held = new Set(verdicts.flatMap(({ id, verdict }) => (verdict === 'passed' ? [id] : [])));
  const failed = new Set(verdicts.flatMap(({ id, verdict }) => (verdict === 'failed' ? [id] : [])));
  const exchanges = view.checks.filter(({ kind }) => kind === 'exchange');
  const steps = view.record.steps.filter(({ name, expect }) => {
    const about = exchanges.filter(({ query }) => query.exchange === name).map(({ id }) => id);
    const own = stepCheckId(name);
    const looked = [...(expect === undefined ? [] : [own]), ...about];
    return looked.some((id) => held.has(id)) && ![own, ...about].some((id) => failed.has(id));
  });
  const windows = steps.flatMap(({ name }) => windowOf(name, view));
  const read = view.checks
    .filter(
      ({ id, kind, expect, query }) =>
        checkKind(kind)?.edge && held.has(id) && readsOutcome([expect, query.where]),
    )
    .flatMap(({ id }) => elementsOf(view.probes.get(id)?.samples.at(-1)));
  return ({ call, number }) =>
    (call.from === outside && windows.some(([from, to]) => call.startedAt >= from && call.startedAt <= to)) ||
    read.some(({ from, to, crossing }) => from === call.from && to === call.to && crossing === number);
}

/** On the clock of the calls. */
function windowOf(step: string, { events, keeperAt }: AttemptView): ReadonlyArray<readonly [number, number]> {
  const started = events.find((event) => event.type === 'step.started' && event.step === step);
  const ended = events.find((event) => event.type === 'step.ended' && event.step === step);
  return started && ended ? [[started.at + keeperAt, ended.at + keeperAt]] : [];
}

function elementsOf(sample: { readonly type: string; readonly value?: unknown } | undefined) {
  const { value } = sample ?? {};
  return Array.isArray(value) ? value.filter(isMap) : [];
}

const outcomes = ['status', 'error', 'isError', 'result', 'turn', 'response'];

/** Whether a pattern says how the call ended, anywhere. */
function readsOutcome(pattern: unknown): boolean {
  if (Array.isArray(pattern)) return pattern.some(readsOutcome);
  if (!isMap(pattern)) return false;
  return Object.entries(pattern).some(([key, inner]) => outcomes.includes(key) || readsOutcome(inner));
}
