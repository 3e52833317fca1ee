/** What was done: each step with its time, its result, and how the attempt ended. */
import { type AttemptEvent, type EventOf, eventsOf } from '../../journal/trial-event.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { isMap } from '../../kernel/is-map.ts';
import type { StepEvidence } from '../../kinds/kind/evidence.ts';
import { stepKinds } from '../../kinds/step-kinds.ts';
import { declaredIn } from './attempt-parts.ts';
import { oneLineValue } from './fit-text.ts';
import { type Line, labelled, line } from './line.ts';
import { storyLimits } from './story-limits.ts';

const indent = ' '.repeat(14);

/** `judged` are the steps whose failure is explained elsewhere. */
export function formatSteps(
  events: readonly AttemptEvent[],
  judged: ReadonlySet<string>,
  columns: number,
): readonly Line[] {
  const moments = [
    ...eventsOf(events, 'step.started'),
    ...eventsOf(events, 'quiet').filter(({ quiet }) => !quiet),
    ...eventsOf(events, 'attempt.ended').filter(({ end }) => end !== 'done' && end !== 'step-failed'),
  ].sort((a, b) => a.seq - b.seq);
  const early = Math.max(0, moments.length - storyLimits.steps);
  return [
    ...(early > 0 ? [line(`${indent}… ${early} earlier`, 'dim')] : []),
    ...moments.slice(early).flatMap((event) => {
      if (event.type === 'quiet') return formatUnrest(event, columns);
      if (event.type === 'attempt.ended') return formatEnd(event, columns);
      return formatStep(event, events, judged.has(event.step), columns);
    }),
    ...formatUndone(events, columns),
  ];
}

function formatStep(
  started: EventOf<'step.started'>,
  events: readonly AttemptEvent[],
  isJudged: boolean,
  columns: number,
): readonly Line[] {
  const { step, action, at } = started;
  const name = step.startsWith('#') ? '' : `${step}: `;
  const ended = eventsOf(events, 'step.ended').find(
    (event) => event.step === step && event.seq > started.seq,
  );
  const head = line(`${moment(at)}${name}${action}`);
  if (!ended) return [head, line(`${indent}it did not end`, 'red')];
  const room = columns - indent.length;
  const later = `${formatDuration(ended.at - at)} later: ${formatEvidence(ended.evidence, room)}`;
  if (ended.outcome === 'done') return [head, line(`${indent}${later}`, 'dim')];
  return [
    head,
    line(`${indent}${later}`, 'red'),
    ...(ended.because === undefined || isJudged ? [] : labelled(indent, ended.because, columns, 'red')),
  ];
}

function formatUnrest({ at, waitedMs, busy }: EventOf<'quiet'>, columns: number): readonly Line[] {
  const who = busy.length === 0 ? '' : `; busy: ${busy.join(', ')}`;
  return labelled(moment(at), `still not quiet after ${formatDuration(waitedMs)}${who}`, columns, 'yellow');
}

const ends: Readonly<Record<string, string>> = {
  timeout: 'the time of the trial was up',
  'environment-broken': 'the environment broke',
  'flow-failed': 'the flow failed',
  interrupted: 'it was interrupted',
};

function formatEnd({ at, end, because }: EventOf<'attempt.ended'>, columns: number): readonly Line[] {
  const what = ends[end] ?? end;
  return labelled(moment(at), because === undefined ? what : `${what}: ${because}`, columns, 'red');
}

/** Steps of the trial that were not reached. */
function formatUndone(events: readonly AttemptEvent[], columns: number): readonly Line[] {
  const done = new Set(eventsOf(events, 'step.started').map(({ step }) => step));
  const undone = declaredIn(events).steps.flatMap(({ name }) => (done.has(name) ? [] : [name]));
  return undone.length === 0 ? [] : labelled(indent, `not reached: ${undone.join(', ')}`, columns, 'dim');
}

function moment(at: number): string {
  return `${formatDuration(at).padStart(indent.length - 2)}  `;
}

type Evidence = Readonly<Record<string, unknown>>;

/** The result of a step in a few words: its kind knows the significant part. */
export function formatEvidence(evidence: unknown, room: number): string {
  if (!isMap(evidence))
    return evidence === null || evidence === undefined ? 'done' : oneLineValue(evidence, room);
  const { answers, error } = evidence;
  if (answers !== undefined) return formatBurst(answers, room);
  if (error !== undefined) return formatError(error, room);
  const format = kindsOfEvidence().find((one) =>
    one.format?.when.some((key) => evidence[key] !== undefined),
  )?.format;
  return format?.words(evidence, (value) => oneLineValue(value, room)) ?? formatRest(evidence, room);
}

/** Last first, because evidence of one protocol may hold fields of another that carries it. */
function kindsOfEvidence(): readonly StepEvidence[] {
  return Object.values(stepKinds)
    .flatMap(({ evidence }) => (typeof evidence === 'object' ? [evidence] : []))
    .reverse();
}

function formatError(error: unknown, room: number): string {
  if (!isMap(error)) return oneLineValue(error, room);
  return [error.kind, error.message].filter((part) => typeof part === 'string').join(': ');
}

/** Many answers are counted by outcome: `20 answers: 19 × status 200, 1 × status 500`. */
function formatBurst(answers: unknown, room: number): string {
  if (!Array.isArray(answers)) return oneLineValue(answers, room);
  const groups = [...Map.groupBy(answers, outcomeOf)];
  const shown = groups.map(([outcome, { length }]) => `${length} × ${outcome}`);
  return `${answers.length} answers: ${shown.join(', ')}`;
}

function outcomeOf(answer: unknown): string {
  if (!isMap(answer)) return 'answered';
  if (isMap(answer.error)) return String(answer.error.kind);
  const { outcome } =
    kindsOfEvidence().find((one) => one.outcome && answer[one.outcome.field] !== undefined) ?? {};
  return outcome?.words?.(answer[outcome.field]) ?? 'answered';
}

function formatRest({ request: _request, headers: _headers, ...rest }: Evidence, room: number): string {
  return oneLineValue(rest, room);
}
