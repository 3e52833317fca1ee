/** The value on which a check was judged, around the place where it differs from the expectation. */
import type { CheckVerdict } from '../../checks/verdict.ts';
import { type AttemptEvent, type EventOf, eventsOf } from '../../journal/trial-event.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { isMap } from '../../kernel/is-map.ts';
import { declaredIn } from './attempt-parts.ts';
import { oneLineValue } from './fit-text.ts';
import { type Line, line } from './line.ts';
import { type ValueLine, valueAround } from './value-around.ts';

const margin = ' '.repeat(8);

export interface SeenLine extends Line {
  /** A part of the value, not only of the sentence about it. */
  readonly isValue: boolean;
}

export function formatSeen(
  check: CheckVerdict,
  events: readonly AttemptEvent[],
  columns: number,
): readonly SeenLine[] {
  const seen = eventsOf(events, 'probe.sampled', 'step.ended')
    .filter(({ seq }) => check.evidence.includes(seq))
    .at(-1);
  // An act that could not be completed has no answer; its error is already shown.
  if (!seen || (seen.type === 'step.ended' && isMap(seen.evidence) && seen.evidence.error !== undefined))
    return [];
  const value = seen.type === 'step.ended' ? seen.evidence : seen.value;
  const about = seen.type === 'step.ended' ? 'the answer' : aboutSample(seen, events);
  const before = seen.type === 'step.ended' ? [] : formatBefore(seen, events, columns);
  if (check.observed === oneLineValue(value, 200) || isJudgedOtherwise(check.id, events))
    return seen.type === 'step.ended' ? [] : [sentence(`seen ${whenSeen(seen)}`), ...before];
  const lines = valueAround(value, placeIn(check), columns - margin.length - 2);
  return [sentence(`${about}:`), ...lines.map(valueLine), ...before];
}

function valueLine({ text, marked }: ValueLine): SeenLine {
  return { ...line(`${margin}${marked ? '> ' : '  '}${text}`, marked ? 'red' : 'dim'), isValue: true };
}

function sentence(text: string): SeenLine {
  return { ...line(`${margin}${text}`), isValue: false };
}

function aboutSample(sample: EventOf<'probe.sampled'>, events: readonly AttemptEvent[]): string {
  const last = samplesOf(sample.probe, events).at(-1);
  return `${last?.seq === sample.seq ? 'the last value seen' : 'the value seen'} (${whenSeen(sample)})`;
}

function whenSeen({ from, to, samples }: EventOf<'probe.sampled'>): string {
  if (samples === 1) return `at ${formatDuration(from)}`;
  return `from ${formatDuration(from)} to ${formatDuration(to)}, in ${samples} samples`;
}

/** The earlier value shows whether it was changing. */
function formatBefore(
  { probe, seq }: EventOf<'probe.sampled'>,
  events: readonly AttemptEvent[],
  columns: number,
): readonly SeenLine[] {
  const earlier = samplesOf(probe, events).filter((event) => event.seq < seq);
  const last = earlier.at(-1);
  if (!last) return [];
  const more = earlier.length === 1 ? '' : ` (the last of ${earlier.length} earlier values)`;
  return [
    sentence(`before that, until ${formatDuration(last.to)}${more}: ${oneLineValue(last.value, columns)}`),
  ];
}

function samplesOf(probe: string, events: readonly AttemptEvent[]): readonly EventOf<'probe.sampled'>[] {
  return eventsOf(events, 'probe.sampled').filter((event) => event.probe === probe);
}

/** These are judged by a value derived from the sample; a place in the sample would be wrong. */
function isJudgedOtherwise(id: string, events: readonly AttemptEvent[]): boolean {
  const check = declaredIn(events).checks.find((declared) => declared.id === id);
  return check?.only !== undefined || check?.golden !== undefined || journalKinds.includes(check?.kind ?? '');
}

/** Kinds that read the journal as a whole. */
const journalKinds: readonly string[] = ['agree', 'order', 'correlate', 'blame'];

/** The first that leads into the value; the root is everywhere. */
function placeIn({ mismatches = [] }: CheckVerdict): string {
  return mismatches.find(({ path }) => path !== '$')?.path ?? '$';
}
