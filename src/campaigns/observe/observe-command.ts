/** One performance of somebody else's test command on a live environment, with all that was seen meanwhile. */
import path from 'node:path';
import { addressVariables } from '../../environment/address-variables.ts';
import { markerVariable } from '../../environment/containment/marker.ts';
import { redactPlaces } from '../../environment/redact-logs.ts';
import { commandFiles } from '../../environment/run-folder.ts';
import type { Observation } from '../../journal/observation.ts';
import { redactValues } from '../../journal/redact-values.ts';
import { limits } from '../../kernel/limits.ts';
import type { ModelSpec } from '../../system/system.ts';
import { findUntapped } from '../../system/untapped.ts';
import type { Stage } from '../../trials/perform/stage.ts';
import { markLogs } from '../../trials/perform/write-logs.ts';
import { findCommand } from './find-command.ts';
import { openJunitSource } from './junit/junit-source.ts';
import { newErrorLines } from './new-error-lines.ts';
import { observedTests } from './observed-tests.ts';
import { parallelBecause } from './parallel-runner.ts';
import { type CommandEnd, type ForeignCommand, runForeignCommand } from './run-foreign-command.ts';
import { type SeenOnEdges, watchEdges } from './watch-edges.ts';

export interface ObserveOptions {
  readonly stage: Stage;
  readonly run: string;
  readonly seed: string;
  /** Words with `${…}` in them. */
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  /** Of what real models may cost in the whole run, the part of this performance; 1 when absent. */
  readonly budgetShare?: number;
  /** Files, folders and globs of reports; none: the path that is offered. */
  readonly junit: readonly string[];
  /** The run's folder, and the one below it in which evidence of this performance is kept. */
  readonly runFolder: string;
  readonly folder: string;
  readonly show?: ForeignCommand['show'];
  /** How long to wait at the end until nothing crosses any edge. */
  readonly quietWithinMs?: number;
  readonly signal: AbortSignal;
}

/** What is left behind is known only when the environment is down. */
export interface Observed {
  readonly seen: Omit<Observation, 'leaks'>;
  readonly cost: SeenOnEdges['cost'];
  readonly calls: SeenOnEdges['calls'];
  /** What the command left running, and could not be ended. */
  readonly left: readonly string[];
}

export async function observeCommand(options: ObserveOptions): Promise<Observed> {
  const { stage, cwd, signal } = options;
  const offered = path.join(options.folder, commandFiles.report);
  const { texts } = await stage.ask('resolve', { texts: options.words });
  const argv = texts.map((text) => text.replaceAll('${junit}', () => offered));
  const binary = findCommand(argv, options);
  await beginPeers(options);
  const junit = await openJunitSource({
    patterns: options.junit,
    cwd,
    offered,
    isNamed: options.words.some((word) => word.includes('${junit}')),
  });
  const logs = await markLogs(stage);
  const watch = await watchEdges(stage, signal);
  const end = await run(options, argv, binary, offered);
  if (!signal.aborted)
    await stage.ask('quiet', {
      settleMs: stage.system.settleMs,
      withinMs: options.quietWithinMs ?? limits.quietWithinMs,
    });
  const seen = await watch.end();
  if (hasPeers(stage)) await stage.ask('peersSettle', { isWhole: end.code === 0 });
  const errors = await newErrorLines(stage.system, logs, stage.redactor);
  const { reports, sources } = await junit.read();
  await redactPlaces([path.join(options.folder, commandFiles.output), offered], stage.redactor);
  const placement = { ...end, parallel: parallelBecause(argv, options) };
  const { tests, attribution } = observedTests(reports, placement, seen, cwd);
  const observation: Observed['seen'] = {
    schemaVersion: 1,
    run: options.run,
    system: stage.system.name,
    command: commandOf(options, argv, end),
    tests,
    junit: sources,
    attribution,
    edges: seen.edges,
    untapped: findUntapped(stage.system),
    errorLines: errors.lines,
    undecidedLines: errors.undecided,
    ...(errors.lost.length > 0 ? { lostLogs: errors.lost } : {}),
    deaths: seen.deaths,
    unscripted: seen.unscripted,
    strays: end.strays,
  };
  return {
    seen: redactValues(observation, stage.redactor),
    cost: seen.cost,
    calls: seen.calls,
    left: end.left.map((text) => stage.redactor.redact(text)),
  };
}

type Budget = NonNullable<ModelSpec['budget']>;

/** Models and third parties that we play forget what they were told before; what stands in the config holds. */
async function beginPeers({ stage, seed, budgetShare = 1 }: ObserveOptions): Promise<void> {
  if (!hasPeers(stage)) return;
  const budgets = stage.system.resources.flatMap((resource) =>
    resource.kind === 'model' && resource.budget
      ? [[resource.name, shareOf(resource.budget, budgetShare)] as const]
      : [],
  );
  await stage.ask('peersBegin', {
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

function hasPeers({ system }: Stage): boolean {
  return system.resources.some(({ kind }) => kind !== 'postgres');
}

async function run(
  options: ObserveOptions,
  argv: readonly string[],
  binary: string,
  offered: string,
): Promise<CommandEnd> {
  const { stage, cwd, env, timeoutMs, folder, show } = options;
  const status = await stage.ask('status', {});
  const outputFile = path.join(folder, commandFiles.output);
  // Without the system, nobody wants to know how its tests go on.
  const gone = new AbortController();
  const stopAwaiting = stage.onGone(() => gone.abort());
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
    clock: stage.clock,
    signal: AbortSignal.any([options.signal, gone.signal]),
    register: async (process) => {
      await stage.ask('commandStarted', { argv, process, files: [outputFile, offered] });
      return async (exit) => {
        await stage
          .ask('commandEnded', { pid: process.pid, ...exit })
          .catch(() => 'the environment went down in the same moment');
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
