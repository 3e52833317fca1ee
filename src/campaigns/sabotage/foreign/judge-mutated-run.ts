/** What each test did while a service was mutated: green, red, or nothing conclusive. Pure. */
import { outside } from '../../../environment/wiring/edges.ts';
import type { MutantOf } from '../../../journal/mutant-kinds.ts';
import type { Observation, ObservedTest } from '../../../journal/observation.ts';
import type { ForeignOutcome, MutatedRun } from './foreign-sabotage.ts';

export interface MutatedObservation extends MutantOf {
  /** How often the mutant was met. */
  readonly felt: number;
  readonly seen: Omit<Observation, 'leaks'>;
  readonly folder: string;
}

/** The only subject where tests are not told apart. */
export const wholeCommand = 'the command';

export function judgeMutatedRun(mutated: MutatedObservation, subjects: readonly string[]): MutatedRun {
  const { service, mutant, folder, seen } = mutated;
  const { exitCode, timedOut } = seen.command;
  const about = { service, mutant, exitCode, timedOut, folder };
  const all = (outcome: ForeignOutcome): MutatedRun['tests'] =>
    Object.fromEntries(subjects.map((id) => [id, outcome]));
  if (mutated.felt === 0)
    return { ...about, outcome: 'not-met', because: 'nothing met the mutant', tests: all('not-met') };
  const unbegun = whyUnbegun(mutated, subjects);
  if (unbegun !== undefined)
    return { ...about, outcome: 'proves-nothing', because: unbegun, tests: all('proves-nothing') };
  const byId = new Map(seen.tests.map((test) => [test.id, test]));
  const outcomes = subjects.map((id) => {
    const outcome = id === wholeCommand ? commandOutcome(mutated) : testOutcome(mutated, byId.get(id));
    return [id, outcome] as const;
  });
  return { ...about, outcome: 'judged', tests: Object.fromEntries(outcomes) };
}

/** No test reached an assertion: the command was ended, or what all tests need was not available. */
function whyUnbegun({ seen }: MutatedObservation, subjects: readonly string[]): string | undefined {
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
    ? `all ${own.length} tests failed in the same setup: ${own[0]?.message ?? ''}`
    : undefined;
}

function isFailed({ outcome }: ObservedTest): boolean {
  return outcome === 'failed';
}

/** Numbers differ from test to test: ports, times, ids. */
function wordsOf({ message, text }: ObservedTest): string {
  return (message ?? text ?? '').replaceAll(/\d+/g, '#');
}

function commandOutcome({ seen, mutant }: MutatedObservation): ForeignOutcome {
  if (seen.command.exitCode === 0) return 'green';
  // Without a report the cause is not known; a refused connection is the likeliest.
  return mutant === 'dead' && isTurnedAway(seen) ? 'proves-nothing' : 'red';
}

function testOutcome(mutated: MutatedObservation, test: ObservedTest | undefined): ForeignOutcome {
  if (!test) return 'proves-nothing';
  if (test.outcome === 'passed') return 'green';
  if (test.outcome === 'skipped') return 'skipped';
  const said = `${test.message ?? ''}\n${test.text ?? ''}`;
  if (beforeIt.test(said)) return 'proves-nothing';
  return mutated.mutant === 'dead' && isTurnedAwayItself(mutated, test, said) ? 'proves-nothing' : 'red';
}

/** What the taps saw while it ran decides; where its time is not known, what it says of its failure. */
function isTurnedAwayItself({ seen }: MutatedObservation, test: ObservedTest, said: string): boolean {
  if (test.metItself !== undefined) return test.metItself > 0;
  return isTurnedAway(seen) && (refused.test(said) || said.trim() === '');
}

/** A connection of the tests themselves was refused. */
function isTurnedAway({ edges }: MutatedObservation['seen']): boolean {
  return edges.some((edge) => edge.from === outside && edge.refused > 0);
}

/** How runners report that a test failed in its setup. */
const beforeIt =
  /^failed on setup|did not finish before its parent|failureType: 'hookFailed'|"before (?:all|each)" hook|collection failure/im;

/** How clients of many languages report that nothing was listening. */
const refused =
  /ECONNREFUSED|ECONNRESET|EPIPE|socket hang up|other side closed|fetch failed|connection (?:was )?(?:refused|reset|aborted|closed|error)|connect(?:ion)?(?:Refused|Reset|Aborted)Error|RemoteDisconnected|ServerDisconnected|failed to connect|could(?: not|n't) connect|unexpected EOF|\bEOF\b|Max retries exceeded|server closed the connection|connection terminated/i;
