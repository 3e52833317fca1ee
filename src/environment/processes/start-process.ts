/** Starts one process of an environment: in a group of its own, its output straight to a file, its intent in the ledger first. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync } from 'node:fs';
import type { Clock } from '../../kernel/clock.ts';
import { waitFor, within } from '../../kernel/deadline.ts';
import { openToAppend } from '../../kernel/folders/entries-below.ts';
import { limits } from '../../kernel/limits.ts';
import { Problem } from '../../kernel/problem.ts';
import { nameLeft, signalIfThere } from '../containment/end-processes.ts';
import type { HostPids } from '../containment/host-pids.ts';
import type { Ledger } from '../containment/ledger.ts';
import type { SharedUse } from '../containment/memory-files.ts';
import { lastUseOf } from '../containment/memory-segments.ts';
import { openProcessTable } from '../containment/process-table.ts';
import { findBinary } from './find-binary.ts';
import { worldProblem } from './world-problem.ts';

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface RunningProcess {
  /** The number by which the outside world knows it. */
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  /** Undefined while it runs. */
  exit(): ProcessExit | undefined;
  /** Asks the whole group to end, and ends it when it does not in time. Says which it was. */
  stop(signal: NodeJS.Signals, withinMs: number, hurry?: AbortSignal): Promise<'asked' | 'killed'>;
}

export interface StartOptions {
  readonly name: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  readonly as?: { readonly uid: number; readonly gid: number };
}

/** What starting a process needs of its environment. */
export interface ProcessHost {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly hostPids: HostPids;
  /** Every process that was started here and has not ended. */
  readonly started: Set<RunningProcess>;
  /** Shared memory that those had in use who were ended. */
  readonly lastUses: SharedUse[];
}

export async function startProcess(host: ProcessHost, options: StartOptions): Promise<RunningProcess> {
  const where = `${options.name}, phase start`;
  if (!existsSync(options.cwd)) throw missingFolder(where, options.cwd);
  const binary = findBinary(options.argv[0] ?? '', options.env.PATH ?? '', options.cwd, where);
  const { uid } = options.as ?? {};
  host.ledger.write({ entry: 'intent', name: options.name, ...(uid === undefined ? {} : { uid }) });
  const child = await spawnToFile(binary, options).catch((error: unknown) => {
    throw worldProblem(error, where);
  });
  const running = control(host, child, child.pid as number);
  host.started.add(running); // before anything else can fail: from now on somebody will end it
  void running.exited.then(() => host.started.delete(running));
  const outerPid = host.hostPids.outerOf(running.pid);
  const identity = openProcessTable(process.platform, host.hostPids.outerProc).identify(outerPid);
  if (identity) host.ledger.write({ entry: 'process', name: options.name, process: identity });
  return { ...running, pid: outerPid };
}

/** Resolves once the program runs; rejects when it could not be executed. */
function spawnToFile(binary: string, options: StartOptions): Promise<ChildProcess> {
  const log = openToAppend(options.logFile);
  try {
    const child = spawn(binary, options.argv.slice(1), {
      argv0: options.argv[0],
      cwd: options.cwd,
      env: options.env,
      detached: true,
      stdio: ['ignore', log, log],
      ...options.as,
    });
    return new Promise((resolve, reject) => {
      child.once('spawn', () => resolve(child));
      child.once('error', reject);
    });
  } finally {
    closeSync(log);
  }
}

function control(
  { clock, lastUses }: Pick<ProcessHost, 'clock' | 'lastUses'>,
  child: ChildProcess,
  pid: number,
): RunningProcess {
  let exit: ProcessExit | undefined;
  let stopping = false;
  const exited = new Promise<ProcessExit>((resolve) => {
    const settle = (code: number | null, signal: string | null): void => {
      exit = { code, signal };
      // Whoever stayed in the group ends with its leader, now, while the group's number is certainly still ours; one that
      // was asked to stop may finish first.
      if (!stopping) signalIfThere(-pid, 'SIGKILL');
      resolve(exit);
    };
    if (child.exitCode !== null || child.signalCode !== null) settle(child.exitCode, child.signalCode);
    else child.once('exit', settle);
  });
  return {
    pid,
    exited,
    exit: () => exit,
    stop: async (signal, withinMs, hurry) => {
      if (exit) return 'asked';
      stopping = true;
      lastUses.push(...lastUseOf(pid));
      signalIfThere(-pid, signal);
      const groupGone = await waitFor(clock, { withinMs, firstMs: 2, mostMs: 25 }, () => {
        if (hurry?.aborted) return false;
        return exit !== undefined && !signalIfThere(-pid, 0) ? true : undefined;
      });
      if (groupGone) return 'asked';
      lastUses.push(...lastUseOf(pid));
      const isRefused = signalIfThere(-pid, 'SIGKILL') === 'refused';
      if (!exit && (isRefused || !(await within(clock, limits.killedSweepMs, exited)))) throw cannotEnd(pid);
      return 'killed';
    },
  };
}

function cannotEnd(pid: number): Problem {
  const table = openProcessTable();
  const named = nameLeft(table, { pid, startedAt: '' });
  return new Problem({
    code: 'left.behind',
    where: 'teardown',
    what: `a process does not end when it is killed: ${named}`,
    allowed: 'processes that belong to the user who runs Shakedown, and that end when they are killed',
    next: `end it by hand: sudo kill -9 ${pid}`,
  });
}

function missingFolder(where: string, cwd: string): Problem {
  return new Problem({
    code: 'config.bad-value',
    where,
    what: `the working folder ${cwd} does not exist`,
    allowed: 'a folder that exists when the process starts; relative to the config file',
    next: 'correct `cwd`, or leave it out to run in the folder of the config file',
  });
}
