/** Who answered what on the edges, in the order of time: all that failed, and of the rest the calls nearest to the end. */
import type { CallEvent } from '../../journal/call-event.ts';
import type { AttemptEvent } from '../../journal/trial-event.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { eventsOf } from './attempt-parts.ts';
import { callOutcome } from './call-outcome.ts';
import { fitText, oneLine, padText, widthOf } from './fit-text.ts';
import { type Line, labelled, line } from './line.ts';
import { isMap } from './one-line-value.ts';
import { storyLimits } from './story-limits.ts';
import { modelTeller } from './tell-models.ts';

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
  /** Of a model: what the turn came to. */
  readonly turn?: string;
}

export function tellCalls(events: readonly AttemptEvent[], columns: number): readonly Line[] {
  const calls = eventsOf(events, 'call');
  const crossings = byTime([...crossingsOf(calls, events, columns), ...brokenConnections(events, calls)]);
  const failed = counted(crossings.filter((crossing) => crossing.failed));
  const fine = crossings.filter((crossing) => !crossing.failed);
  const shownFailed = failed.slice(0, storyLimits.calls);
  const room = storyLimits.calls - shownFailed.length;
  const shown = byTime([...shownFailed, ...(room > 0 ? fine.slice(-room) : [])]);
  const untold = failed.length + fine.length - shown.length;
  return [
    ...drawCrossings(shown, columns),
    ...(untold > 0 ? [line(`      … and ${untold} more, all in the journal`, 'dim')] : []),
  ];
}

/** A call stands where it began, so that what it led to stands below it. */
function byTime(crossings: readonly Crossing[]): readonly Crossing[] {
  return [...crossings].sort((a, b) => a.at - b.at);
}

/** Some of them, in their order. */
export function drawCalls(
  calls: readonly CallEvent[],
  events: readonly AttemptEvent[],
  columns: number,
): readonly Line[] {
  return drawCrossings(crossingsOf(calls, events, columns), columns);
}

function crossingsOf(
  calls: readonly CallEvent[],
  events: readonly AttemptEvent[],
  columns: number,
): readonly Crossing[] {
  const tellModel = modelTeller(events, columns);
  return calls.map((call) => {
    const turn = tellModel(call);
    return { ...crossingOf(call, columns), ...(turn === undefined ? {} : { turn }) };
  });
}

function crossingOf(call: CallEvent, columns: number): Crossing {
  const { from, to, method, path, params, protocol, startedAt, endedAt } = call;
  const tool = isMap(params) && typeof params.name === 'string' ? ` ${params.name}` : '';
  const { text, failed, said, breaches } = callOutcome(call, columns);
  return {
    at: startedAt,
    edge: `${from} -> ${to}`,
    what: protocol === 'json-rpc' ? `${method}${tool}` : `${method} ${path}`,
    outcome: text,
    took: formatDuration(endedAt - startedAt),
    failed,
    ...(said === undefined ? {} : { said }),
    ...(breaches === undefined ? {} : { breaches }),
  };
}

const refusals: Readonly<Record<string, string>> = {
  rule: 'refused, as the tap was told',
  'provider-unreachable': 'not reachable',
  'provider-not-listening': 'nobody listens there',
  'too-many': 'too many connections',
};

const brokenEnds: Readonly<Record<string, string>> = {
  'reset-by-provider': 'connection reset by the provider',
  unreachable: 'not reachable',
  cut: 'cut, as the tap was told',
};

/** Connections that came to nothing; one whose call is told already is not told twice. */
function brokenConnections(
  events: readonly AttemptEvent[],
  calls: readonly CallEvent[],
): readonly Crossing[] {
  const offset = eventsOf(events, 'attempt.started')[0]?.keeperAt ?? 0;
  const broken = (at: number, from: string, to: string, what: string): Crossing => ({
    at: at + offset,
    edge: `${from} -> ${to}`,
    what,
    outcome: '',
    took: '',
    failed: true,
  });
  return eventsOf(events, 'connection.refused', 'connection.closed').flatMap((event) => {
    const { at, from, to } = event;
    if (event.type === 'connection.refused')
      return [broken(at, from, to, refusals[event.because] ?? event.because)];
    const end = brokenEnds[event.end];
    const isTold = calls.some(
      (call) => call.from === from && call.to === to && call.connection === event.connection,
    );
    return end === undefined || isTold ? [] : [broken(at, from, to, end)];
  });
}

/** The same failure again and again is one line with a number. */
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
