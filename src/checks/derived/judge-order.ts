/** `order`: moments that must all have occurred, each after the one before it. */

import { outside } from '../../journal/topology.ts';
import { formatDuration } from '../../kernel/duration.ts';
import type { AttemptView } from '../attempt-view.ts';
import type { CallMoment, Moment, OrderQuery } from '../derived-queries.ts';
import { areAllKept, nameOf } from '../seen-call.ts';
import { type Finding, unknown } from './finding.ts';
import { matchingCalls } from './matching-calls.ts';

/** A moment that occurred, on the clock of the calls. */
interface Come {
  readonly at: number;
  readonly text: string;
  readonly seqs: readonly number[];
}

export function judgeOrder({ moments }: OrderQuery, view: AttemptView): Finding {
  const expected = moments.map(format).join(', then ');
  if (!areAllKept(view.calls)) return unknown(expected, 'more calls crossed than are kept');
  const came: Come[] = [];
  for (const moment of moments) {
    if ('never' in moment) continue;
    const found = occurrences(moment, view);
    if ('undecided' in found) return unknown(expected, found.undecided, seqsOf(came));
    const before = came.at(-1);
    const next = found.come.find(({ at }) => before === undefined || at > before.at);
    if (!next) return outOfOrder(expected, moment, found.come, came);
    came.push(next);
  }
  const early = unwanted(moments, came, view);
  if (early) return { ...early, expected };
  const observed = came.map(({ text }) => text).join(', then ');
  return {
    verdict: 'passed',
    expected,
    observed: observed === '' ? 'none of them' : observed,
    evidence: seqsOf(came),
  };
}

function outOfOrder(
  expected: string,
  moment: Moment,
  found: readonly Come[],
  came: readonly Come[],
): Finding {
  const last = found.at(-1);
  const before = came.at(-1);
  const observed =
    last && before
      ? `${last.text} came ${formatDuration(Math.round(before.at - last.at))} before ${before.text}`
      : `${format(moment)} never occurred`;
  return { verdict: 'failed', expected, observed, evidence: seqsOf([...came, ...(last ? [last] : [])]) };
}

/** A call that a `never` forbids between its neighbours. */
function unwanted(
  moments: readonly Moment[],
  came: readonly Come[],
  view: AttemptView,
): Omit<Finding, 'expected'> | undefined {
  let passed = 0;
  for (const moment of moments) {
    if (!('never' in moment)) {
      passed += 1;
      continue;
    }
    const { calls, undecided } = matchingCalls(moment, view);
    if (undecided !== undefined) return unknown('', undecided);
    const from = came[passed - 1]?.at ?? Number.NEGATIVE_INFINITY;
    const to = came[passed]?.at ?? Number.POSITIVE_INFINITY;
    const found = calls.find(({ call }) => call.startedAt >= from && call.startedAt <= to);
    if (found)
      return {
        verdict: 'failed',
        observed: `${nameOf(found)} was there`,
        evidence: [...seqsOf(came), found.seq],
      };
  }
  return undefined;
}

type Occurrences = { readonly come: readonly Come[] } | { readonly undecided: string };

function occurrences(moment: Exclude<Moment, { never: true }>, view: AttemptView): Occurrences {
  if (!('exchange' in moment)) return callOccurrences(moment, view);
  const { exchange, phase = 'end' } = moment;
  const span = exchangeSpan(exchange, view);
  if (!span) return { come: [] };
  const at = phase === 'begin' ? span.beganAt : span.endedAt;
  return { come: [{ at, text: `the ${phase} of ${exchange}`, seqs: span.seqs }] };
}

function callOccurrences(moment: CallMoment, view: AttemptView): Occurrences {
  const { phase = 'begin' } = moment;
  const { calls, undecided } = matchingCalls(moment, view);
  if (undecided !== undefined) return { undecided };
  const over = phase === 'begin' ? calls : calls.filter(({ call }) => call.incomplete !== 'in-flight');
  const come = over.map((seen) => ({
    at: phase === 'begin' ? seen.call.startedAt : seen.call.endedAt,
    text: `the ${phase} of ${nameOf(seen)}`,
    seqs: [seen.seq],
  }));
  return { come: come.sort((a, b) => a.at - b.at) };
}

function format(moment: Moment): string {
  if ('exchange' in moment) return `the ${moment.phase ?? 'end'} of ${moment.exchange}`;
  const where = moment.where === undefined ? '' : ' that matches `where`';
  if ('never' in moment) return `no call ${moment.from} -> ${moment.to}${where}`;
  return `the ${moment.phase ?? 'begin'} of a call ${moment.from} -> ${moment.to}${where}`;
}

function seqsOf(came: readonly Come[]): readonly number[] {
  return [...new Set(came.flatMap(({ seqs }) => seqs))];
}

/** When a step began and ended, on the clock of the calls: by its own calls where the edge is read, else by the two journals' clocks. */
function exchangeSpan(step: string, view: AttemptView) {
  const times = stepTimes(view);
  const own = times.find(({ name }) => name === step);
  if (!own) return undefined;
  const calls = view.calls.filter(
    ({ call }) => call.from === outside && stepOf(call.startedAt, call.endedAt, times)?.name === step,
  );
  if (calls.length === 0) return { beganAt: own.beganAt, endedAt: own.endedAt, seqs: [own.seq] };
  return {
    beganAt: Math.min(...calls.map(({ call }) => call.startedAt)),
    endedAt: Math.max(...calls.map(({ call }) => call.endedAt)),
    seqs: [own.seq, ...calls.map(({ seq }) => seq)],
  };
}

interface StepTime {
  readonly name: string;
  readonly seq: number;
  readonly beganAt: number;
  readonly endedAt: number;
}

function stepTimes({ events, steps, keeperAt }: AttemptView): readonly StepTime[] {
  return events.flatMap((event) => {
    const ended = event.type === 'step.started' ? steps.get(event.step) : undefined;
    if (event.type !== 'step.started' || !ended) return [];
    return [{ name: event.step, seq: ended.seq, beganAt: event.at + keeperAt, endedAt: ended.at + keeperAt }];
  });
}

/** The step during which most of a call happened; the two clocks may differ slightly. */
function stepOf(startedAt: number, endedAt: number, times: readonly StepTime[]): StepTime | undefined {
  const overlap = (step: StepTime): number =>
    Math.min(endedAt, step.endedAt) - Math.max(startedAt, step.beganAt);
  return times.reduce<StepTime | undefined>(
    (best, step) => (overlap(step) > (best ? overlap(best) : -slackMs) ? step : best),
    undefined,
  );
}

const slackMs = 20;
