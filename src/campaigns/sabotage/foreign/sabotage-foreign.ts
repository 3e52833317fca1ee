/** Live sabotage of somebody else's tests: once healthy, then once under each lie, and what stays green is told. */
import path from 'node:path';
import { isCrossed, type ObservedTest } from '../../../journal/observation.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { edgeName } from '../../../kernel/edge-name.ts';
import { makeFolderBelow } from '../../../kernel/folders/entries-below.ts';
import { Problem, problemsIn } from '../../../kernel/problem.ts';
import type { System } from '../../../system/system.ts';
import { type Observed, type ObserveOptions, observeCommand } from '../../observe/observe-command.ts';
import type { StageHolder } from '../../run/stage-holder.ts';
import { rememberAnswers } from '../live/known-answers.ts';
import { type LiveLie, listLies, placeLie } from '../live/place-lie.ts';
import type { ForeignSabotage, LiedRun } from './foreign-sabotage.ts';
import { judgeForeign, type ToldLie } from './judge-foreign.ts';
import { judgeLiedRun, wholeCommand } from './judge-lied-run.ts';

export interface ForeignOptions {
  /** Everything but the environment, and the part of a run's folder and money that one performance gets. */
  readonly command: Omit<ObserveOptions, 'stage' | 'folder' | 'budgetShare' | 'show'>;
  readonly system: System;
  readonly holder: StageHolder;
  readonly isolation: 'fresh' | 'restart';
  readonly clock: Clock;
  /** What the healthy performance prints is shown here. */
  readonly show?: ObserveOptions['show'];
  readonly onHealthy?: (healthy: Observed, lies: number) => void;
  readonly onLied?: (run: LiedRun) => void;
}

export interface ForeignResult {
  readonly sabotage: ForeignSabotage;
  readonly healthy: Observed;
  /** What commands left running, and could not be ended. */
  readonly left: readonly string[];
  /** Why lies could not be told any more. */
  readonly problems: readonly Problem[];
}

export async function sabotageForeign(options: ForeignOptions): Promise<ForeignResult> {
  const { clock, command } = options;
  const startedAt = clock.monotonic();
  const healthy = await performHealthy(options);
  const subjects = subjectsOf(healthy);
  const { told, notPossible } = chooseLies(options, healthy);
  options.onHealthy?.(healthy, told.length);
  const { lies, left, problems } = await tellLies(options, told, healthy, subjects);
  const untold = told
    .slice(lies.length)
    .map(({ service, lie }) => ({ service, lie, because: noEnvironment }));
  const { tests, findings, mutants } = judgeForeign(subjects, lies);
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
    lies: lies.map(({ edges: _edges, met: _met, ...run }) => run),
    notPossible: [...notPossible, ...untold],
    notCounted: healthy.seen.tests.filter(({ outcome }) => outcome === 'skipped').map(({ id }) => id),
    unattributed: healthy.seen.attribution.by === null ? healthy.seen.attribution.because : null,
    durationMs: Math.round(clock.monotonic() - startedAt),
  };
  return { sabotage, healthy, left: [...healthy.left, ...left], problems };
}

const noEnvironment = 'there was no environment for it any more, or no time';

/** Without an environment nothing more can be shown; what was shown before holds. */
async function tellLies(
  options: ForeignOptions,
  told: readonly LiveLie[],
  healthy: Observed,
  subjects: readonly ObservedTest[],
): Promise<{ readonly lies: readonly ToldLie[] } & Pick<ForeignResult, 'left' | 'problems'>> {
  const lies: ToldLie[] = [];
  const left: string[] = [];
  try {
    for (const lie of told) {
      if (options.command.signal.aborted) break;
      const lied = await performLied(options, lie, healthy, subjects, told.length);
      if (options.command.signal.aborted) break;
      lies.push(lied.told);
      left.push(...lied.left);
      options.onLied?.(lied.told);
    }
    return { lies, left, problems: [] };
  } catch (error) {
    return { lies, left, problems: problemsIn(error) };
  }
}

/** Nothing can be said of tests that do not pass when nobody lies. */
async function performHealthy(options: ForeignOptions): Promise<Observed> {
  const { command, holder, show } = options;
  const stage = await holder.prepare(options.isolation);
  const folder = path.join(command.runFolder, 'healthy');
  makeFolderBelow(command.runFolder, folder, 0o700);
  const healthy = await observeCommand({
    ...command,
    stage,
    folder,
    ...(show ? { show } : {}),
    budgetShare: 0.5,
  });
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
    where: 'the command after --, while nobody lies',
    what: `\`${healthy.seen.command.argv.join(' ')}\` ${how}${failed.length > 0 ? `, and ${failed.length} tests failed` : ''}`,
    allowed: 'tests that pass on the healthy system: only then can a lie turn them red',
    next: `make them pass first: shakedown run --observe -- …; its output is in ${path.join(folder, 'command.log')}`,
    evidence: failed.slice(0, 10).map(({ id, message }) => `${id}: ${message ?? 'failed'}`),
  });
}

/** Whoever asked for single tests is not told of the whole command instead, nor of some of its tests. */
function unreadableReport({ seen }: Observed): Problem {
  const [first = '', ...others] = seen.junit.faults;
  const rest = others.length === 0 ? '' : `, and ${others.length} more`;
  return new Problem({
    code: 'suite.bad-report',
    where: 'the command after --, while nobody lies',
    what: `its reports do not tell of all of its tests: ${first}${rest}`,
    allowed:
      'reports that are written by the command, whole, and say no more tests or failures than they hold',
    next: 'correct --junit or the runner until it is well: shakedown run --observe -- …',
    evidence: seen.junit.faults.slice(0, 10),
  });
}

function subjectsOf({ seen }: Observed): readonly ObservedTest[] {
  const passed = seen.tests.filter(({ outcome }) => outcome === 'passed');
  if (seen.tests.length > 0) return passed;
  return [{ id: wholeCommand, outcome: 'passed', durationMs: seen.command.durationMs }];
}

interface ChosenLies {
  readonly told: readonly LiveLie[];
  readonly notPossible: ForeignSabotage['notPossible'];
}

/** One that nobody could meet, because its edges were never crossed, is not told. */
function chooseLies({ command, system }: ForeignOptions, { seen, calls }: Observed): ChosenLies {
  const session = 'the suite';
  const crossed = new Set(seen.edges.filter(isCrossed).map(({ from, to }) => edgeName(`${from} -> ${to}`)));
  const lies = listLies(system, rememberAnswers([{ name: session, calls }]), session);
  const notPossible: ForeignSabotage['notPossible'][number][] = [];
  const told = lies.filter(({ service, lie, edges, notPossible: never }) => {
    const isMet = edges.some(({ from, to }) => crossed.has(edgeName(`${from} -> ${to}`)));
    const because = never ?? (isMet ? undefined : 'no edge to it was crossed while the tests ran');
    if (because !== undefined) notPossible.push({ service, lie, because });
    return because === undefined;
  });
  return { told: command.signal.aborted ? [] : told, notPossible };
}

const times = 3;
const leastMs = 20_000;
const quietWithinMs = 1_500;

async function performLied(
  options: ForeignOptions,
  lie: LiveLie,
  healthy: Observed,
  subjects: readonly ObservedTest[],
  count: number,
): Promise<{ readonly told: ToldLie; readonly left: readonly string[] }> {
  const { command, holder } = options;
  const stage = await holder.prepare(options.isolation);
  const name = path.join('lies', `${lie.service}-${lie.lie}`);
  const folder = path.join(command.runFolder, name);
  makeFolderBelow(command.runFolder, folder, 0o700);
  const placed = await placeLie(stage, lie);
  const patienceMs = Math.max(healthy.seen.command.durationMs * times, leastMs);
  const lied = await observeCommand({
    ...command,
    stage,
    folder,
    timeoutMs: Math.min(command.timeoutMs, patienceMs),
    budgetShare: 0.5 / count,
    // Somebody who is lied to may never come to rest.
    quietWithinMs,
  });
  await placed.lift();
  const felt = await placed.felt();
  await holder.used(lied.seen.command.timedOut || lied.seen.deaths.length > 0);
  const run = judgeLiedRun(
    { service: lie.service, lie: lie.lie, felt, seen: lied.seen, folder: name },
    subjects.map(({ id }) => id),
  );
  const met = lied.seen.tests.filter((test) => (test.met ?? 0) > 0).map(({ id }) => id);
  const edges = lie.edges.map(({ from, to }) => edgeName(`${from} -> ${to}`));
  return { told: { ...run, edges, met: new Set(met) }, left: lied.left };
}
