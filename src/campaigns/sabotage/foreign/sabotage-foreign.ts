/** Live sabotage of a foreign test command: once healthy, then once under each mutant; what stays green is reported. */
import path from 'node:path';
import { isCrossed, type ObservedTest } from '../../../journal/observation.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { defined } from '../../../kernel/defined.ts';
import { edgeName } from '../../../kernel/edge-name.ts';
import { makeFolderBelow } from '../../../kernel/folders/entries-below.ts';
import { Problem, problemsIn } from '../../../kernel/problem.ts';
import type { System } from '../../../system/system.ts';
import { type Observed, type ObserveOptions, observeCommand } from '../../observe/observe-command.ts';
import type { EnvironmentHolder } from '../../run/environment-holder.ts';
import { rememberAnswers } from '../live/known-answers.ts';
import { type LiveMutant, listMutants, placeMutant } from '../live/place-mutant.ts';
import type { ForeignSabotage, MutatedRun } from './foreign-sabotage.ts';
import { judgeForeign, type ReportedMutant } from './judge-foreign.ts';
import { judgeMutatedRun, wholeCommand } from './judge-mutated-run.ts';

export interface ForeignOptions {
  /** Everything except the environment and what belongs to one performance: its folder and its share of the budget. */
  readonly command: Omit<ObserveOptions, 'environment' | 'folder' | 'budgetShare' | 'show'>;
  readonly system: System;
  readonly holder: EnvironmentHolder;
  readonly isolation: 'fresh' | 'restart';
  readonly clock: Clock;
  /** Receives the output of the healthy performance. */
  readonly show?: ObserveOptions['show'];
  readonly onHealthy?: (healthy: Observed, runs: number) => void;
  readonly onMutant?: (run: MutatedRun) => void;
}

export interface ForeignResult {
  readonly sabotage: ForeignSabotage;
  readonly healthy: Observed;
  /** Processes that commands left running and that could not be ended. */
  readonly left: readonly string[];
  /** Why no more mutants could be applied. */
  readonly problems: readonly Problem[];
}

export async function sabotageForeign(options: ForeignOptions): Promise<ForeignResult> {
  const { clock, command } = options;
  const startedAt = clock.monotonic();
  const healthy = await performHealthy(options);
  const subjects = subjectsOf(healthy);
  const { chosen, notPossible } = chooseMutants(options, healthy);
  options.onHealthy?.(healthy, chosen.length);
  const { runs, left, problems } = await formatMutants(options, chosen, healthy, subjects);
  const unrun = chosen.slice(runs.length);
  const notRun = unrun.map(({ service, mutant }) => ({ service, mutant, because: noEnvironment }));
  const { tests, findings, mutants } = judgeForeign(subjects, runs);
  const vital = tests.filter(({ state }) => state === 'vital').length;
  const sabotage: ForeignSabotage = {
    schemaVersion: 1,
    run: command.run,
    command: healthy.seen.command.argv,
    perTest: subjects[0]?.id !== wholeCommand,
    vitality: tests.length === 0 ? 0 : vital / tests.length,
    checks: tests.length,
    vital,
    mutants,
    exposures: [],
    tests,
    findings,
    runs: runs.map(({ edges: _edges, met: _met, ...run }) => run),
    notPossible: [...notPossible, ...notRun],
    notCounted: healthy.seen.tests.filter(({ outcome }) => outcome === 'skipped').map(({ id }) => id),
    unattributed: healthy.seen.attribution.by === null ? healthy.seen.attribution.because : null,
    durationMs: Math.round(clock.monotonic() - startedAt),
  };
  return { sabotage, healthy, left: [...healthy.left, ...left], problems };
}

const noEnvironment = 'no environment or no time was left for it';

/** Without an environment nothing more can be shown; earlier results still hold. */
async function formatMutants(
  options: ForeignOptions,
  chosen: readonly LiveMutant[],
  healthy: Observed,
  subjects: readonly ObservedTest[],
): Promise<{ readonly runs: readonly ReportedMutant[] } & Pick<ForeignResult, 'left' | 'problems'>> {
  const runs: ReportedMutant[] = [];
  const left: string[] = [];
  try {
    for (const mutant of chosen) {
      if (options.command.signal.aborted) break;
      const mutated = await performMutated(options, mutant, healthy, subjects, chosen.length);
      if (options.command.signal.aborted) break;
      runs.push(mutated.chosen);
      left.push(...mutated.left);
      options.onMutant?.(mutated.chosen);
    }
    return { runs, left, problems: [] };
  } catch (error) {
    return { runs, left, problems: problemsIn(error) };
  }
}

/** Tests that fail in the healthy run cannot be judged. */
async function performHealthy(options: ForeignOptions): Promise<Observed> {
  const { command, holder, show } = options;
  const environment = await holder.prepare(options.isolation);
  const folder = folderFor(options, 'healthy');
  const once = { environment, folder, ...defined({ show }), budgetShare: 0.5 };
  const healthy = await observeCommand({ ...command, ...once });
  await holder.used(false);
  const { exitCode, timedOut, signal } = healthy.seen.command;
  const failed = healthy.seen.tests.filter(({ outcome }) => outcome === 'failed');
  if (command.signal.aborted) return healthy;
  if (exitCode === 0 && !timedOut && failed.length === 0) {
    if (healthy.seen.junit.faults.length > 0) throw unreadableReport(healthy);
    return healthy;
  }
  const how = timedOut
    ? 'did not end in time'
    : signal === null
      ? `ended with ${exitCode}`
      : `was ended by ${signal}`;
  throw new Problem({
    code: 'system.command-failed',
    where: 'the command after --, in the healthy run',
    what: `\`${healthy.seen.command.argv.join(' ')}\` ${how}${failed.length > 0 ? `, and ${failed.length} tests failed` : ''}`,
    allowed: 'tests that pass on the healthy system: only then can a mutant make them fail',
    next: `make them pass first: shakedown run --observe -- …; its output is in ${path.join(folder, 'command.log')}`,
    evidence: failed.slice(0, 10).map(({ id, message }) => `${id}: ${message ?? 'failed'}`),
  });
}

function folderFor({ command: { runFolder } }: ForeignOptions, name: string): string {
  const folder = path.join(runFolder, name);
  makeFolderBelow(runFolder, folder, 0o700);
  return folder;
}

/** If single tests were asked for, do not fall back to the whole command or to some of its tests. */
function unreadableReport({ seen }: Observed): Problem {
  const [first = '', ...others] = seen.junit.faults;
  const rest = others.length === 0 ? '' : `, and ${others.length} more`;
  return new Problem({
    code: 'suite.bad-report',
    where: 'the command after --, in the healthy run',
    what: `its reports do not contain all of its tests: ${first}${rest}`,
    allowed: 'complete reports, written by the command, whose totals match the tests and failures in them',
    next: 'correct --junit or the runner until this passes: shakedown run --observe -- …',
    evidence: seen.junit.faults.slice(0, 10),
  });
}

function subjectsOf({ seen }: Observed): readonly ObservedTest[] {
  const passed = seen.tests.filter(({ outcome }) => outcome === 'passed');
  if (seen.tests.length > 0) return passed;
  return [{ id: wholeCommand, outcome: 'passed', durationMs: seen.command.durationMs }];
}

/** A mutant that cannot be met, because its edges were never crossed, is not applied. */
function chooseMutants({ command, system }: ForeignOptions, { seen, calls }: Observed) {
  const session = 'the suite';
  const crossed = new Set(seen.edges.filter(isCrossed).map(({ from, to }) => edgeName(`${from} -> ${to}`)));
  const runs = listMutants(system, rememberAnswers([{ name: session, calls }]), session);
  const notPossible: ForeignSabotage['notPossible'][number][] = [];
  const chosen = runs.filter(({ service, mutant, edges, notPossible: never }) => {
    const isMet = edges.some(({ from, to }) => crossed.has(edgeName(`${from} -> ${to}`)));
    const because = never ?? (isMet ? undefined : 'no edge to it was crossed while the tests ran');
    if (because !== undefined) notPossible.push({ service, mutant, because });
    return because === undefined;
  });
  return { chosen: command.signal.aborted ? [] : chosen, notPossible };
}

const times = 3;
const leastMs = 20_000;
const quietWithinMs = 1_500;

async function performMutated(
  options: ForeignOptions,
  mutant: LiveMutant,
  healthy: Observed,
  subjects: readonly ObservedTest[],
  count: number,
) {
  const { command, holder } = options;
  const environment = await holder.prepare(options.isolation);
  const name = path.join('mutants', `${mutant.service}-${mutant.mutant}`);
  const folder = folderFor(options, name);
  const placed = await placeMutant(environment, mutant);
  const patienceMs = Math.max(healthy.seen.command.durationMs * times, leastMs);
  const mutated = await observeCommand({
    ...command,
    environment,
    folder,
    timeoutMs: Math.min(command.timeoutMs, patienceMs),
    budgetShare: 0.5 / count,
    // A process under a mutant may never become quiet.
    quietWithinMs,
  });
  await placed.lift();
  const felt = await placed.felt();
  await holder.used(mutated.seen.command.timedOut || mutated.seen.deaths.length > 0);
  const run = judgeMutatedRun(
    { service: mutant.service, mutant: mutant.mutant, felt, seen: mutated.seen, folder: name },
    subjects.map(({ id }) => id),
  );
  const met = mutated.seen.tests.filter((test) => (test.met ?? 0) > 0).map(({ id }) => id);
  const edges = mutant.edges.map(({ from, to }) => edgeName(`${from} -> ${to}`));
  return { chosen: { ...run, edges, met: new Set(met) }, left: mutated.left };
}
