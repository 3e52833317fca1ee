/** Judges one check by its samples. Pure: the same journal gives the same answer. */

import type { EventOf } from '../journal/trial-event.ts';
import { defined } from '../kernel/defined.ts';
import { formatDuration } from '../kernel/duration.ts';
import { isNotKept } from '../kernel/not-kept.ts';
import { checkKind } from '../kinds/check-kinds.ts';
import { printValue } from '../patterns/print-value.ts';
import { isEmptyValue, resolvePattern, whyMissing } from '../patterns/scope.ts';
import { type AttemptView, endIsMissing } from './attempt-view.ts';
import { holdCalls, holdRows, holdSeen } from './doubtful-parts.ts';
import { judgeGolden } from './golden.ts';
import { type Expectation, type Held, wanted } from './hold-against.ts';
import { holdExchange, holdInExchange } from './hold-exchange.ts';
import type { CheckRecord } from './trial-record.ts';
import { unclaimedChanges } from './unclaimed-changes.ts';
import type { CheckVerdict } from './verdict.ts';

/** One sample, or several with the same value. */
export interface Sample {
  readonly seq: number;
  readonly from: number;
  readonly to: number;
  /** Absent if the source could not be observed. */
  readonly seen?: { readonly value: unknown };
  readonly unobservable?: string;
}

export function judgeCheck(check: CheckRecord, view: AttemptView): CheckVerdict {
  const say = answer(check);
  if (check.opaque) return judgeOpaque(check, view);
  const unrecorded = 'its expectation is no longer recorded; run the trial again';
  if (check.expect === undefined && check.count === undefined && !check.golden)
    return say('unknown', 'nothing', 'nothing', [], unrecorded);
  const resolved = resolvePattern({ expect: check.expect, count: check.count }, view.scope);
  const samples = samplesOf(check, view);
  const [missing] = resolved.missing;
  // A failed step leaves everything after it open; its own failure is reported once.
  const isCutShort = samples.length === 0 && view.ended?.end !== 'done';
  if (missing !== undefined && !isCutShort) return withoutValue(check, missing, view);
  const unlike = performedOtherwise(check, view);
  const open =
    unlike ??
    (samples.length === 0 ? 'the attempt ended before the check was sampled' : undefined) ??
    (check.absence && check.mode === 'within' ? atOnce : undefined);
  if (open !== undefined) return say('unknown', wanted(check), 'nothing', [], open);
  const look = (value: unknown): Held => lookAt(check, resolved.value as Expectation, value, view);
  return byMode[check.mode](check, samples, look, view);
}

const atOnce =
  'with `within`, an absence holds at the first sample: leave `within` out, or say with `never` what must not occur';

/** Every part of a check is matched; the first that does not hold decides. */
function lookAt(check: CheckRecord, expectation: Expectation, value: unknown, view: AttemptView): Held {
  const { golden, kind, mode, only, query } = check;
  if (golden && expectation.expect === undefined && expectation.count === undefined)
    return judgeGolden(golden, value);
  const { edge, comparesAsSql, givesResult } = checkKind(kind) ?? {};
  const held = givesResult
    ? (mode === 'never' ? holdInExchange : holdExchange)(expectation, value)
    : comparesAsSql
      ? holdRows(expectation, value)
      : edge
        ? holdCalls(expectation, value, resolvePattern(query.where, view.scope).value, mode === 'never')
        : holdSeen(expectation, only ? unclaimedChanges(value, only, view, holdsFor(view)) : value);
  return golden && held.held ? judgeGolden(golden, value) : held;
}

/** Whether another check holds for a value. */
function holdsFor(view: AttemptView): (check: CheckRecord, value: unknown) => boolean {
  return (check, value) => {
    const resolved = resolvePattern({ expect: check.expect, count: check.count }, view.scope);
    return resolved.missing.length === 0 && lookAt(check, resolved.value as Expectation, value, view).held;
  };
}

/** Why the samples say nothing about this check: they were taken for another one of the same name. */
function performedOtherwise(check: CheckRecord, view: AttemptView): string | undefined {
  const then = view.performed.find(({ id }) => id === check.id);
  const again = 'perform the trial again';
  if (!then) return check.kind === 'exchange' ? undefined : `it was not sampled in that run; ${again}`;
  if (!view.probes.has(check.id)) return undefined;
  if (then.kind !== check.kind || JSON.stringify(then.query) !== JSON.stringify(check.query))
    return `the check looked at something else in that run; ${again}`;
  const isWatched = then.mode === 'never' || then.mode === 'throughout';
  if (then.mode === check.mode || (isWatched && check.mode !== 'within')) return undefined;
  return `it was sampled in another mode in that run (${then.mode}, now ${check.mode}); ${again}`;
}

type Look = (value: unknown) => Held;
type Judge = (check: CheckRecord, samples: readonly Sample[], look: Look, view: AttemptView) => CheckVerdict;

const byMode: Readonly<Record<CheckRecord['mode'], Judge>> = {
  quiet: (check, samples, look) => judgeLast(check, samples.at(-1) as Sample, look),
  within: judgeWithin,
  throughout: judgeThroughout,
  never: judgeNever,
};

function judgeLast(check: CheckRecord, sample: Sample, look: Look): CheckVerdict {
  const say = answer(check);
  if (!sample.seen) return say('unknown', wanted(check), 'nothing', [sample.seq], sample.unobservable);
  const held = look(sample.seen.value);
  const verdict = held.held ? 'passed' : held.undecided === undefined ? 'failed' : 'unknown';
  const said = say(verdict, held.expected, held.observed, [sample.seq], held.explanation);
  return { ...said, ...defined({ mismatches: held.mismatches }) };
}

function judgeWithin(
  check: CheckRecord,
  samples: readonly Sample[],
  look: Look,
  view: AttemptView,
): CheckVerdict {
  const inTime = withinTime(check, samples, view);
  const seen = inTime.filter((sample) => sample.seen);
  for (const sample of seen) {
    if (look(sample.seen?.value).held) return judgeLast(check, sample, look);
  }
  const last = judgeLast(check, (seen.at(-1) ?? inTime.at(-1)) as Sample, look);
  if (last.verdict !== 'failed') return last;
  const because = stoppedEarly(check, view, samples, inTime);
  if (because !== undefined) return { ...last, verdict: 'unknown', explanation: because };
  const waited = `waited ${formatDuration(check.withinMs ?? 0)}; the last value seen: ${printValue(seen.at(-1)?.seen?.value)}`;
  return { ...last, explanation: [last.explanation, waited].filter(Boolean).join('\n') };
}

/** How long the probe was to sample, when the trial was performed. */
function recordedWithin(check: CheckRecord, view: AttemptView): number {
  return view.performed.find(({ id }) => id === check.id)?.withinMs ?? check.withinMs ?? 0;
}

/** A check with less time now does not count later samples. */
function withinTime(check: CheckRecord, samples: readonly Sample[], view: AttemptView): readonly Sample[] {
  const { withinMs = 0 } = check;
  if (withinMs >= recordedWithin(check, view)) return samples;
  const endsAt = (samples[0]?.from ?? 0) + withinMs;
  return samples.filter(({ from }) => from <= endsAt);
}

/** A probe that was satisfied, had less time, or sampled too seldom, cannot decide a stricter check. */
function stoppedEarly(
  check: CheckRecord,
  view: AttemptView,
  samples: readonly Sample[],
  inTime: readonly Sample[],
): string | undefined {
  const end = view.probes.get(check.id)?.end;
  const { withinMs = 0 } = check;
  const sampledMs = (inTime.at(-1)?.to ?? 0) - (samples[0]?.from ?? 0);
  if (inTime.length < samples.length) {
    const [next] = samples.slice(inTime.length);
    if (sampledMs >= withinMs) return undefined;
    return `there is no sample between ${formatDuration(Math.round(inTime.at(-1)?.to ?? 0))} and ${formatDuration(Math.round(next?.from ?? 0))}, when the time was up; perform the trial again`;
  }
  if (end?.end === 'reached')
    return `the probe stopped after ${formatDuration(Math.round(end.at))}, when the check of that run held; perform the trial again`;
  if (end?.end === 'deadline' && withinMs > recordedWithin(check, view))
    return `the probe sampled for only ${formatDuration(Math.round(sampledMs))}; perform the trial again`;
  if (end === undefined && view.ended === undefined) return endIsMissing;
  return end?.end === 'attempt-over' ? 'the attempt ended before the time was up' : undefined;
}

function judgeThroughout(check: CheckRecord, samples: readonly Sample[], look: Look): CheckVerdict {
  for (const sample of samples) {
    if (!sample.seen) continue;
    const verdict = judgeLast(check, sample, look);
    if (verdict.verdict !== 'passed')
      return {
        ...verdict,
        explanation: [verdict.explanation, `at ${formatDuration(Math.round(sample.from))}`].join('\n'),
      };
  }
  const unobservable = samples.find((sample) => !sample.seen);
  if (unobservable) return judgeLast(check, unobservable, look);
  return { ...judgeLast(check, samples.at(-1) as Sample, look), evidence: samples.map(({ seq }) => seq) };
}

function judgeNever(check: CheckRecord, samples: readonly Sample[], look: Look): CheckVerdict {
  const say = answer(check);
  const expected = `never ${wanted(check)}`;
  for (const sample of samples) {
    if (!sample.seen) continue;
    const held = look(sample.seen.value);
    if (held.undecided !== undefined || held.unsure !== undefined)
      return say('unknown', expected, held.observed, [sample.seq], held.unsure ?? held.explanation);
    if (held.held) {
      const when = `seen at ${formatDuration(Math.round(sample.from))}`;
      return say('failed', expected, printValue(sample.seen.value), [sample.seq], when);
    }
  }
  const unobservable = samples.find((sample) => !sample.seen);
  if (unobservable) return say('unknown', expected, 'nothing', [unobservable.seq], unobservable.unobservable);
  const seqs = samples.map(({ seq }) => seq);
  return say('passed', expected, printValue(samples.at(-1)?.seen?.value), seqs);
}

function judgeOpaque(check: CheckRecord, view: AttemptView): CheckVerdict {
  const held = check.opaque?.held ?? false;
  const observed = check.opaque?.message ?? String(held);
  const evidence = view.ended ? [view.ended.seq] : [];
  const expected = 'what the code of the flow decides';
  return { ...answer(check)(held ? 'passed' : 'failed', expected, observed, evidence), opaque: true };
}

/** A step that was never done leaves the check open; one without such a value has failed it. */
function withoutValue(check: CheckRecord, missing: string, view: AttemptView): CheckVerdict {
  const say = answer(check);
  const [step = ''] = missing.split('.');
  const done = view.steps.get(step);
  const expected = `a value for \${${missing}}`;
  if (isEmptyValue(missing, view.scope))
    return say('unknown', expected, '""', done ? [done.seq] : [], whyMissing(missing, view.scope));
  if (!done) return say('unknown', expected, 'nothing', [], `the step \`${step}\` was not done`);
  const tooLarge = 'the result of the step was too large for the journal';
  if (isNotKept(done.evidence)) return say('unknown', expected, 'nothing', [done.seq], tooLarge);
  return say('failed', expected, `nothing there in ${printValue(done.evidence)}`, [done.seq]);
}

function samplesOf(check: CheckRecord, view: AttemptView): readonly Sample[] {
  const probed = view.probes.get(check.id)?.samples ?? [];
  if (probed.length > 0) return probed.map(toSample);
  if (check.kind === 'value')
    return [{ seq: view.ended?.seq ?? 0, from: 0, to: 0, seen: { value: check.query.value } }];
  const step = check.kind === 'exchange' ? view.steps.get(String(check.query.exchange)) : undefined;
  return step ? [{ seq: step.seq, from: step.at, to: step.at, seen: { value: step.evidence } }] : [];
}

function toSample(event: EventOf<'probe.sampled'> | EventOf<'probe.blind'>): Sample {
  const { seq, from, to } = event;
  return event.type === 'probe.sampled'
    ? { seq, from, to, seen: { value: event.value } }
    : { seq, from, to, unobservable: event.because };
}

type Say = (
  verdict: CheckVerdict['verdict'],
  expected: string,
  observed: string,
  evidence: readonly number[],
  explanation?: string,
) => CheckVerdict;

function answer({ id, title, line }: CheckRecord): Say {
  return (verdict, expected, observed, evidence, explanation) =>
    defined({ id, title, line, verdict, expected, observed, explanation, evidence });
}
