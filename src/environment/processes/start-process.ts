/** Starts one process of an environment: in its own group, with output to a file, after an entry in the ledger. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync } from 'node:fs';
import type { Clock } from '../../kernel/clock.ts';
import { waitFor, within } from '../../kernel/deadline.ts';
import { limits } from '../../kernel/limits.ts';
import { Problem } from '../../kernel/problem.ts';
import { type Containers, openContainers } from '../containment/containers.ts';
import { nameLeft, signalIfThere } from '../containment/end-processes.ts';
import type { HostPids } from '../containment/host-pids.ts';
import type { Ledger } from '../containment/ledger.ts';
import type { SharedUse } from '../containment/memory-files.ts';
import { lastUseOf } from '../containment/memory-segments.ts';
import { openProcessTable } from '../containment/process-table.ts';
import { findBinary } from './find-binary.ts';
import { openLog } from './open-log.ts';
import { worldProblem } from './world-problem.ts';

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface RunningProcess {
  /** The outer pid. */
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  /** Undefined while it runs. */
  exit(): ProcessExit | undefined;
  /**
   * Signals the whole group, and kills it when it does not end in time. Returns which it was. Without a signal, with
   * the one that its image names, or SIGTERM.
   */
  stop(
    signal: NodeJS.Signals | undefined,
    withinMs: number,
    forceStop?: AbortSignal,
  ): Promise<'asked' | 'killed'>;
  /** All of its group; a process that was not paused goes on as before. */
  freeze(how: 'pause' | 'resume'): Promise<void>;
  /** The container in which it is the first process; the pid is that of this one then. */
  readonly container?: { readonly id: string; readonly name: string };
}

export interface StartOptions {
  readonly name: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  readonly as?: { readonly uid: number; readonly gid: number };
  /** It ends its own children: the signal to stop goes to it alone, and to what is left of its group after that. */
  readonly endsItsOwn?: boolean;
}

/** What starting a process needs from its environment. */
export interface ProcessHost {
  readonly clock: Clock;
  /** The id of the environment. */
  readonly label: string;
  readonly ledger: Ledger;
  readonly hostPids: HostPids;
  /** Every process that was started and has not ended. */
  readonly started: Set<RunningProcess>;
  /** Shared memory that ended processes had in use. */
  readonly lastUses: SharedUse[];
}

export async function startProcess(host: ProcessHost, options: StartOptions): Promise<RunningProcess> {
  const where = `${options.name}, phase start`;
  if (!existsSync(options.cwd)) throw missingFolder(where, options.cwd);
  const binary = findBinary(options.argv[0] ?? '', options.env.PATH ?? '', options.cwd, where);
  const { uid } = options.as ?? {};
  host.ledger.write({ entry: 'intent', name: options.name, ...(uid === undefined ? {} : { uid }) });
  const containers = openContainers(host, options);
  const child = await spawnToFile(binary, options).catch((error: unknown) => {
    throw worldProblem(error, where);
  });
  const running = control(host, child, { containers, endsItsOwn: options.endsItsOwn ?? false });
  host.started.add(running); // before anything else can fail, so that it will be ended
  void running.exited.then(() => host.started.delete(running));
  const outerPid = host.hostPids.outerOf(running.pid);
  const identity = openProcessTable(process.platform, host.hostPids.outerProc).identify(outerPid);
  if (identity) host.ledger.write({ entry: 'process', name: options.name, process: identity });
  return { ...running, pid: outerPid };
}

/** Resolves once the program runs; rejects when it could not be executed. */
async function spawnToFile(binary: string, options: StartOptions): Promise<ChildProcess> {
  const log = openLog(options.logFile);
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
  { containers, endsItsOwn }: { readonly containers: Containers; readonly endsItsOwn: boolean },
): RunningProcess {
  const pid = child.pid as number;
  let exit: ProcessExit | undefined;
  let stopping = false;
  let isPaused = false;
  const exited = new Promise<ProcessExit>((resolve) => {
    const settle = (code: number | null, signal: string | null): void => {
      exit = { code, signal };
      // Kill the rest of the group together with its leader, while the group id is certainly still ours; a group that
      // was asked to stop may finish first.
      if (!stopping) signalIfThere(-pid, 'SIGKILL');
      containers.ended(code);
      resolve(exit);
    };
    if (child.exitCode !== null || child.signalCode !== null) settle(child.exitCode, child.signalCode);
    else child.once('exit', settle);
  });
  return {
    pid,
    exited,
    exit: () => exit,
    freeze: async (how) => {
      if (exit) return;
      isPaused = how === 'pause';
      signalIfThere(-pid, isPaused ? 'SIGSTOP' : 'SIGCONT');
    },
    stop: async (signal = 'SIGTERM', withinMs, forceStop) => {
      if (exit) return 'asked';
      stopping = true;
      lastUses.push(...lastUseOf(pid));
      if (signal === 'SIGKILL') containers.look(pid);
      let isAlone = endsItsOwn && signal !== 'SIGKILL';
      signalIfThere(isAlone ? pid : -pid, signal);
      // What is paused hears of no signal but two.
      if (isPaused) signalIfThere(-pid, 'SIGCONT');
      const groupGone = await waitFor(clock, { withinMs, firstMs: 2, mostMs: 25 }, () => {
        if (forceStop?.aborted) return false;
        if (isAlone && exit) {
          isAlone = false;
          signalIfThere(-pid, signal);
        }
        return exit !== undefined && !signalIfThere(-pid, 0) ? true : undefined;
      });
      if (groupGone) {
        await containers.end();
        return 'asked';
      }
      lastUses.push(...lastUseOf(pid));
      containers.look(pid);
      const isRefused = signalIfThere(-pid, 'SIGKILL') === 'refused';
      if (!exit && (isRefused || !(await within(clock, limits.killedSweepMs, exited)))) throw cannotEnd(pid);
      await containers.end();
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
    what: `a process did not end after SIGKILL: ${named}`,
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
