/** The calls on the edges in order of time: all failed ones, and of the rest those nearest to the end. */
import type { CallEvent } from '../../journal/call-event.ts';
import { type AttemptEvent, type EventOf, eventsOf } from '../../journal/trial-event.ts';
import { defined } from '../../kernel/defined.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { edgeOf } from '../../kernel/edge-name.ts';
import { callName } from '../call-name.ts';
import { callOutcome } from './call-outcome.ts';
import { fitText, oneLine, padText, widthOf } from './fit-text.ts';
import { modelFormatter } from './format-turn.ts';
import { type Line, labelled, line } from './line.ts';
import { storyLimits } from './story-limits.ts';

interface Crossing {
  /** When it began, on the clock of the calls. */
  readonly at: number;
  readonly edge: string;
  readonly what: string;
  readonly outcome: string;
  readonly took: string;
  readonly failed: boolean;
  /** What the failing side said. */
  readonly said?: string;
  readonly breaches?: readonly string[];
  /** For a model: the content of the turn. */
  readonly turn?: string;
}

/** `expected` are the numbers of those that were refused as they should be. */
export function formatCalls(
  events: readonly AttemptEvent[],
  columns: number,
  expected: readonly number[] = [],
): readonly Line[] {
  const calls = eventsOf(events, 'call');
  const crossings = byTime([
    ...crossingsOf(calls, events, columns, expected),
    ...brokenConnections(events, calls),
  ]);
  const failed = counted(crossings.filter((crossing) => crossing.failed));
  const fine = crossings.filter((crossing) => !crossing.failed);
  const shownFailed = failed.slice(0, storyLimits.calls);
  const room = storyLimits.calls - shownFailed.length;
  const shown = byTime([...shownFailed, ...(room > 0 ? fine.slice(-room) : [])]);
  const omitted = failed.length + fine.length - shown.length;
  return [
    ...drawCrossings(shown, columns),
    ...(omitted > 0 ? [line(`      … and ${omitted} more, all in the journal`, 'dim')] : []),
  ];
}

/** A call is listed where it began, so that the calls it caused are below it. */
function byTime(crossings: readonly Crossing[]): readonly Crossing[] {
  return [...crossings].sort((a, b) => a.at - b.at);
}

/** Some of them, in their order. */
export function drawCalls(
  calls: readonly EventOf<'call'>[],
  events: readonly AttemptEvent[],
  columns: number,
): readonly Line[] {
  return drawCrossings(crossingsOf(calls, events, columns, []), columns);
}

function crossingsOf(
  calls: readonly EventOf<'call'>[],
  events: readonly AttemptEvent[],
  columns: number,
  expected: readonly number[],
): readonly Crossing[] {
  const formatModel = modelFormatter(events, columns);
  return calls.map((call) => {
    const turn = formatModel(call);
    return { ...crossingOf(call, columns, expected.includes(call.seq)), ...defined({ turn }) };
  });
}

function crossingOf(call: CallEvent, columns: number, isExpected: boolean): Crossing {
  const { from, to, startedAt, endedAt } = call;
  const { text, failed, said, breaches } = callOutcome(call, columns, isExpected);
  return {
    at: startedAt,
    edge: `${from} -> ${to}`,
    what: oneLine(callName(call)),
    outcome: text,
    took: formatDuration(endedAt - startedAt),
    failed,
    ...defined({ said, breaches }),
  };
}

const refusals: Readonly<Record<string, string>> = {
  rule: 'refused by a tap rule',
  'provider-unreachable': 'not reachable',
  'provider-not-listening': 'nothing listens there',
  'too-many': 'too many connections',
};

const brokenEnds: Readonly<Record<string, string>> = {
  'reset-by-provider': 'connection reset by the provider',
  unreachable: 'not reachable',
  cut: 'cut by a tap rule',
};

/** Failed connections; one whose call is already listed is not repeated. */
function brokenConnections(
  events: readonly AttemptEvent[],
  calls: readonly CallEvent[],
): readonly Crossing[] {
  const offset = eventsOf(events, 'attempt.started')[0]?.keeperAt ?? 0;
  return eventsOf(events, 'connection.refused', 'connection.closed').flatMap((event) => {
    const edge = edgeOf(event);
    const broken = { at: event.at + offset, edge, outcome: '', took: '', failed: true };
    if (event.type === 'connection.refused')
      return [{ ...broken, what: refusals[event.because] ?? event.because }];
    const what = brokenEnds[event.end];
    const isReported = calls.some((call) => edgeOf(call) === edge && call.connection === event.connection);
    return what === undefined || isReported ? [] : [{ ...broken, what }];
  });
}

/** Repeated equal failures are one line with a count. */
function counted(failed: readonly Crossing[]): readonly Crossing[] {
  const groups = Map.groupBy(failed, ({ edge, what, outcome, said, breaches, turn }) =>
    JSON.stringify([edge, what, outcome, said, breaches, turn]),
  );
  return [...groups.values()].map((group) => {
    const first = group[0] as Crossing;
    return group.length === 1 ? first : { ...first, took: `${group.length} times` };
  });
}

const below = ' '.repeat(8);

function drawCrossings(crossings: readonly Crossing[], columns: number): readonly Line[] {
  const width = (part: (crossing: Crossing) => string, most: number): number =>
    Math.min(most, Math.max(0, ...crossings.map((crossing) => widthOf(oneLine(part(crossing))))));
  const edge = width((crossing) => crossing.edge, 36);
  const what = width((crossing) => crossing.what, 36);
  const outcome = width((crossing) => crossing.outcome, 9);
  return crossings.flatMap((crossing) => {
    const cells = [
      cell(crossing.edge, edge),
      cell(crossing.what, what),
      cell(crossing.outcome, outcome),
      crossing.took,
    ];
    const style = crossing.failed ? 'red' : undefined;
    return [
      line(`    ${crossing.failed ? '✗' : ' '} ${cells.join('  ')}`, style),
      ...(crossing.said === undefined ? [] : [line(`${below}${crossing.said}`, style)]),
      ...(crossing.turn === undefined ? [] : labelled(below, crossing.turn, columns, style ?? 'dim', 2)),
      ...(crossing.breaches ?? []).flatMap((breach) => labelled(below, breach, columns, style, 2)),
    ];
  });
}

function cell(text: string, columns: number): string {
  return padText(fitText(oneLine(text), columns), columns);
}
