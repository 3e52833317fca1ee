/** What each test did while a service lied: green, red, or nothing that shows anything. Pure. */
import { outside } from '../../../environment/wiring/edges.ts';
import type { Observation, ObservedTest } from '../../../journal/observation.ts';
import type { LieKind } from '../live/place-lie.ts';
import type { ForeignOutcome, LiedRun } from './foreign-sabotage.ts';

export interface LiedObservation {
  readonly service: string;
  readonly lie: LieKind;
  /** How often somebody has met it. */
  readonly felt: number;
  readonly seen: Omit<Observation, 'leaks'>;
  readonly folder: string;
}

/** Where tests are not told apart, the command is the one subject. */
export const wholeCommand = 'the command';

export function judgeLiedRun(lied: LiedObservation, subjects: readonly string[]): LiedRun {
  const { service, lie, folder, seen } = lied;
  const { exitCode, timedOut } = seen.command;
  const about = { service, lie, exitCode, timedOut, folder };
  const all = (outcome: ForeignOutcome): LiedRun['tests'] =>
    Object.fromEntries(subjects.map((id) => [id, outcome]));
  if (lied.felt === 0)
    return { ...about, outcome: 'not-met', because: 'nobody met the lie', tests: all('not-met') };
  const unbegun = whyUnbegun(lied, subjects);
  if (unbegun !== undefined)
    return { ...about, outcome: 'proves-nothing', because: unbegun, tests: all('proves-nothing') };
  const byId = new Map(seen.tests.map((test) => [test.id, test]));
  const outcomes = subjects.map((id) => {
    const outcome = id === wholeCommand ? commandOutcome(lied) : testOutcome(lied, byId.get(id));
    return [id, outcome] as const;
  });
  return { ...about, outcome: 'judged', tests: Object.fromEntries(outcomes) };
}

/** Nothing of it came to a check: it was ended, or what all tests need could not be had. */
function whyUnbegun({ seen }: LiedObservation, subjects: readonly string[]): string | undefined {
  const { command, tests, edges } = seen;
  if (subjects[0] === wholeCommand) return command.timedOut ? 'it did not end in time' : undefined;
  const known = new Set(tests.map(({ id }) => id));
  if (!subjects.some((id) => known.has(id)))
    return command.timedOut ? 'it did not end in time' : 'no test of the healthy run was begun';
  const own = tests.filter(({ id }) => subjects.includes(id));
  const words = new Set(own.map((test) => wordsOf(test)));
  const crossings = edges
    .filter(({ from }) => from === outside)
    .reduce((sum, { calls, connections, refused }) => sum + Math.max(calls, connections) + refused, 0);
  const isOneFailure = own.length > 1 && own.every(isFailed) && words.size === 1 && !words.has('');
  return isOneFailure && crossings < own.length
    ? `all ${own.length} tests failed of one thing that comes before them: ${own[0]?.message ?? ''}`
    : undefined;
}

function isFailed({ outcome }: ObservedTest): boolean {
  return outcome === 'failed';
}

/** Numbers differ from test to test: ports, times, ids. */
function wordsOf({ message, text }: ObservedTest): string {
  return (message ?? text ?? '').replaceAll(/\d+/g, '#');
}

function commandOutcome({ seen, lie }: LiedObservation): ForeignOutcome {
  if (seen.command.exitCode === 0) return 'green';
  // Nobody says of what it failed; that its connection was refused is then the likeliest.
  return lie === 'dead' && isTurnedAway(seen) ? 'proves-nothing' : 'red';
}

function testOutcome(lied: LiedObservation, test: ObservedTest | undefined): ForeignOutcome {
  if (!test) return 'proves-nothing';
  if (test.outcome === 'passed') return 'green';
  if (test.outcome === 'skipped') return 'skipped';
  const said = `${test.message ?? ''}\n${test.text ?? ''}`;
  if (beforeIt.test(said)) return 'proves-nothing';
  const isRefused = lied.lie === 'dead' && isTurnedAway(lied.seen);
  return isRefused && (refused.test(said) || said.trim() === '') ? 'proves-nothing' : 'red';
}

/** A connection of the tests themselves was refused. */
function isTurnedAway({ edges }: LiedObservation['seen']): boolean {
  return edges.some((edge) => edge.from === outside && edge.refused > 0);
}

/** As runners tell that a test failed in what comes before it. */
const beforeIt =
  /^failed on setup|did not finish before its parent|failureType: 'hookFailed'|"before (?:all|each)" hook|collection failure/im;

/** As clients of many languages tell that nobody was there. */
const refused =
  /ECONNREFUSED|ECONNRESET|EPIPE|socket hang up|other side closed|fetch failed|connection (?:was )?(?:refused|reset|aborted|closed|error)|connect(?:ion)?(?:Refused|Reset|Aborted)Error|RemoteDisconnected|ServerDisconnected|failed to connect|could(?: not|n't) connect|unexpected EOF|\bEOF\b|Max retries exceeded|server closed the connection|connection terminated/i;
