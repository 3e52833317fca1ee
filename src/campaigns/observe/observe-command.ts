/** One performance of a foreign test command on a live environment, with everything that was observed. */
import path from 'node:path';
import { isAllowed } from '../../checks/log-allowance.ts';
import { addressVariables } from '../../environment/address-variables.ts';
import { redactPlaces } from '../../environment/redact-logs.ts';
import { commandFiles } from '../../environment/run-folder.ts';
import { markerVariable } from '../../environment/wiring/hermetic-env.ts';
import type { Observation } from '../../journal/observation.ts';
import { redactValues } from '../../journal/redact-values.ts';
import type { Redactor } from '../../journal/redaction.ts';
import { limits } from '../../kernel/limits.ts';
import { resourceKind } from '../../kinds/resource-kinds.ts';
import { errorTexts } from '../../observers/logs/error-text.ts';
import { lossOf, scanSince } from '../../observers/logs/log-mark.ts';
import { createRegexTester } from '../../patterns/bounded-regex.ts';
import type { ModelSpec, System } from '../../system/system.ts';
import { findUntapped } from '../../system/untapped.ts';
import type { LiveEnvironment } from '../../trials/perform/live-environment.ts';
import { type LogMarks, markLogs } from '../../trials/perform/write-logs.ts';
import { logGateOf } from '../../trials/read/trial-options.ts';
import { openJunitSource } from './junit/junit-source.ts';
import { observeLimits } from './junit/observe-limits.ts';
import { observedTests } from './observed-tests.ts';
import { parallelBecause } from './parallel-runner.ts';
import {
  type CommandEnd,
  type ForeignCommand,
  findCommand,
  runForeignCommand,
} from './run-foreign-command.ts';
import { type SeenOnEdges, watchEdges } from './watch-edges.ts';

export interface ObserveOptions {
  readonly environment: LiveEnvironment;
  readonly run: string;
  readonly seed: string;
  /** Words with `${…}` in them. */
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  /** Share of the run's model budget for this performance; 1 if absent. */
  readonly budgetShare?: number;
  /** Files, folders and globs of reports; empty: the path that is offered. */
  readonly junit: readonly string[];
  /** The run's folder, and the folder below it for the evidence of this performance. */
  readonly runFolder: string;
  readonly folder: string;
  readonly show?: ForeignCommand['show'];
  /** How long to wait at the end until no edge is active. */
  readonly quietWithinMs?: number;
  readonly signal: AbortSignal;
}

/** What is left behind is known only after the environment is down. */
export interface Observed {
  readonly seen: Omit<Observation, 'leaks'>;
  readonly cost: SeenOnEdges['cost'];
  readonly calls: SeenOnEdges['calls'];
  /** Processes that the command left running and that could not be ended. */
  readonly left: readonly string[];
}

export async function observeCommand(options: ObserveOptions): Promise<Observed> {
  const { environment, cwd, signal } = options;
  const offered = path.join(options.folder, commandFiles.report);
  const { texts } = await environment.ask('resolve', { texts: options.words });
  const argv = texts.map((text) => text.replaceAll('${junit}', () => offered));
  const binary = findCommand(argv, options);
  await beginPeers(options);
  const junit = await openJunitSource({
    patterns: options.junit,
    cwd,
    offered,
    isNamed: options.words.some((word) => word.includes('${junit}')),
  });
  const logs = await markLogs(environment);
  const watch = await watchEdges(environment, signal);
  const end = await run(options, argv, binary, offered);
  if (!signal.aborted)
    await environment.ask('quiet', {
      settleMs: environment.system.settleMs,
      withinMs: options.quietWithinMs ?? limits.quietWithinMs,
    });
  const seen = await watch.end();
  if (hasPeers(environment)) await environment.ask('peersSettle', { isWhole: end.code === 0 });
  const errors = await newErrorLines(environment.system, logs, environment.redactor);
  const { reports, sources } = await junit.read();
  await redactPlaces([path.join(options.folder, commandFiles.output), offered], environment.redactor);
  const placement = { ...end, parallel: parallelBecause(argv, options) };
  const { tests, attribution } = observedTests(reports, placement, seen, cwd);
  const observation: Observed['seen'] = {
    schemaVersion: 1,
    run: options.run,
    system: environment.system.name,
    command: commandOf(options, argv, end),
    tests,
    junit: sources,
    attribution,
    edges: seen.edges,
    untapped: findUntapped(environment.system),
    errorLines: errors.lines,
    undecidedLines: errors.undecided,
    ...(errors.lost.length > 0 ? { lostLogs: errors.lost } : {}),
    deaths: seen.deaths,
    unscripted: seen.unscripted,
    strays: end.strays,
  };
  return {
    seen: redactValues(observation, environment.redactor),
    cost: seen.cost,
    calls: seen.calls,
    left: end.left.map((text) => environment.redactor.redact(text)),
  };
}

type Budget = NonNullable<ModelSpec['budget']>;

/** Models and third parties that we play forget earlier scripts; those of the config stay. */
async function beginPeers({ environment, seed, budgetShare = 1 }: ObserveOptions): Promise<void> {
  if (!hasPeers(environment)) return;
  const budgets = environment.system.resources.flatMap((resource) =>
    resource.kind === 'model' && resource.budget
      ? [[resource.name, shareOf(resource.budget, budgetShare)] as const]
      : [],
  );
  await environment.ask('peersBegin', {
    trial: 'observed',
    attempt: 1,
    seed,
    scripts: {},
    budgets: Object.fromEntries(budgets),
  });
}

function shareOf(budget: Budget, share: number): Budget {
  return {
    ...(budget.usd === undefined ? {} : { usd: budget.usd * share }),
    ...(budget.tokens === undefined ? {} : { tokens: Math.floor(budget.tokens * share) }),
  };
}

function hasPeers({ system }: LiveEnvironment): boolean {
  return system.resources.some((spec) => !resourceKind(spec).isStore);
}

async function run(
  options: ObserveOptions,
  argv: readonly string[],
  binary: string,
  offered: string,
): Promise<CommandEnd> {
  const { environment, cwd, env, timeoutMs, folder, show } = options;
  const status = await environment.ask('status', {});
  const outputFile = path.join(folder, commandFiles.output);
  // Without the system, the rest of its tests is useless.
  const gone = new AbortController();
  const stopAwaiting = environment.onGone(() => gone.abort());
  return runForeignCommand({
    argv,
    binary,
    cwd,
    env: {
      ...env,
      ...addressVariables(status),
      [markerVariable]: status.environment,
      SHAKEDOWN_JUNIT: offered,
    },
    timeoutMs,
    outputFile,
    ...(show ? { show } : {}),
    clock: environment.clock,
    signal: AbortSignal.any([options.signal, gone.signal]),
    register: async (process) => {
      await environment.ask('commandStarted', { argv, process, files: [outputFile, offered] });
      return async (exit) => {
        await environment.ask('commandEnded', { pid: process.pid, ...exit }).catch(() => undefined); // the environment went down in the same moment
      };
    },
  }).finally(stopAwaiting);
}

function commandOf(
  options: ObserveOptions,
  argv: readonly string[],
  end: CommandEnd,
): Observation['command'] {
  return {
    argv,
    startedAt: new Date(end.startedAt).toISOString(),
    durationMs: end.endedAt - end.startedAt,
    exitCode: end.code,
    signal: end.signal,
    timedOut: end.timedOut,
    timeoutMs: options.timeoutMs,
    output: path.relative(options.runFolder, path.join(options.folder, commandFiles.output)),
  };
}

/** New lines of services that match the log gate of the config, except those that it allows. */
async function newErrorLines(system: System, marks: LogMarks, redactor: Redactor) {
  const { signal } = new AbortController();
  const { error, allow } = logGateOf(system, []);
  const regexes = createRegexTester();
  const found: { readonly service: string; readonly text: string }[] = [];
  // Logs whose content is not known, and why; lines that could not be decided, or exceeded the limit.
  const lost: string[] = [];
  let undecided = 0;
  if (error === undefined) return { lines: [], undecided, lost };
  for (const [service, mark] of marks) {
    const scan = scanSince(mark, redactor, { signal, expression: error, most: observeLimits.errorLines });
    const finding = await scan.next();
    const last = scan.unfinished();
    const loss = lossOf(mark);
    if (loss !== undefined) lost.push(`${service}: ${loss}`);
    undecided += finding.undecided + finding.omitted;
    const lines = last ? [...finding.lines, last] : finding.lines;
    for (const one of errorTexts(mark.file, lines))
      if (!isAllowed({ service, ...one }, allow, regexes)) found.push({ service, text: one.text });
  }
  return { lines: found, undecided, lost };
}
