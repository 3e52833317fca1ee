/** Runs a foreign test command in its own process group, shows and stores its output, and ends all of it in time. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, writeSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { signalIfThere } from '../../environment/containment/end-processes.ts';
import { openProcessTable, type ProcessIdentity } from '../../environment/containment/process-table.ts';
import { findBinary } from '../../environment/processes/find-binary.ts';
import { endMarked } from '../../environment/strays.ts';
import type { Clock } from '../../kernel/clock.ts';
import { within } from '../../kernel/deadline.ts';
import { openNewFile } from '../../kernel/folders/entries-below.ts';
import { limits } from '../../kernel/limits.ts';
import { Problem } from '../../kernel/problem.ts';
import { errorCode } from '../../kernel/system-error.ts';
import { uniqueLabel } from '../../kernel/unique-id.ts';
import { observeLimits } from './junit/observe-limits.ts';

export interface ForeignCommand {
  /** The resolved command line, and the program that its first word names. */
  readonly argv: readonly string[];
  readonly binary: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  /** Where its output is stored. */
  readonly outputFile: string;
  /** Where it is shown while it runs. */
  readonly show?: { readonly out: Writable; readonly err: Writable };
  readonly clock: Clock;
  /** Aborted when the command is no longer needed, with the name of a received signal as reason. */
  readonly signal: AbortSignal;
  /** Registers the process for a sweep after our own death; the returned function reports its end. */
  readonly register: (process: ProcessIdentity) => Promise<(end: Exit) => Promise<void>>;
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Inherited by all child processes, which are found by it after they have left the group. */
const commandVariable = 'SHAKEDOWN_COMMAND';

/** Pipes may be held open by a process that no longer belongs to the command. */
const lastWordsMs = 1_000;

export type CommandEnd = Awaited<ReturnType<typeof runForeignCommand>>;

export async function runForeignCommand(command: ForeignCommand) {
  const { clock, signal, timeoutMs } = command;
  const mark = uniqueLabel();
  const startedAt = clock.now();
  const child = start(command, mark);
  const output = keepOutput(child, command);
  try {
    const exited = whenExited(child, command);
    const identity = child.pid === undefined ? undefined : openProcessTable().identify(child.pid);
    const unregister = identity && (await command.register(identity));
    let timedOut = false;
    const endGroup = (with_: NodeJS.Signals): void => void end(clock, child, exited, with_);
    const cancel = clock.after(timeoutMs, () => {
      timedOut = true;
      endGroup('SIGTERM');
    });
    const giveUp = (): void => endGroup(isSignal(signal.reason) ? signal.reason : 'SIGTERM');
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    const exit = await exited.finally(() => {
      cancel();
      signal.removeEventListener('abort', giveUp);
    });
    const endedAt = clock.now();
    // Command lines of processes that outlived it and were ended, and of those that could not be ended.
    const strays = await endMarked(clock, {
      variables: [`${commandVariable}=${mark}`],
      folders: [],
      outputs: [],
    });
    signalGroup(child, 'SIGKILL');
    await within(clock, lastWordsMs, output.ended);
    await unregister?.(exit);
    return { ...exit, timedOut, startedAt, endedAt, strays: strays.found, left: strays.left };
  } finally {
    output.close();
  }
}

function start({ argv, binary, cwd, env }: ForeignCommand, mark: string): ChildProcess {
  return spawn(binary, argv.slice(1), {
    argv0: argv[0] ?? binary,
    cwd,
    env: { ...env, [commandVariable]: mark },
    detached: true,
    // There is no input: a reader gets end-of-file.
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function whenExited(child: ChildProcess, { argv, binary }: ForeignCommand): Promise<Exit> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      if (child.pid === undefined) reject(notStarted(argv, binary, error));
    });
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

/** Terminated first; after the timeout, the whole group is killed. */
async function end(
  clock: Clock,
  child: ChildProcess,
  exited: Promise<Exit>,
  signal: NodeJS.Signals,
): Promise<void> {
  signalGroup(child, signal);
  const gone = await within(
    clock,
    limits.stopWithinMs,
    exited.catch(() => true),
  );
  if (!gone) signalGroup(child, 'SIGKILL');
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) signalIfThere(-pid, signal);
}

function isSignal(name: unknown): name is NodeJS.Signals {
  return typeof name === 'string' && name.startsWith('SIG');
}

function keepOutput(child: ChildProcess, { outputFile, show }: ForeignCommand) {
  const file = openNewFile(outputFile);
  let room: number = observeLimits.outputBytes;
  const keep = (chunk: Buffer): void => {
    const kept = chunk.subarray(0, Math.max(0, room));
    room -= chunk.length;
    if (kept.length > 0) writeSync(file, kept);
  };
  const streams = [
    { from: child.stdout, to: show?.out },
    { from: child.stderr, to: show?.err },
  ];
  const ended = streams.map(({ from, to }) => follow(from, to, keep));
  return { ended: Promise.all(ended), close: () => closeSync(file) };
}

/** If the output is slow to drain, the command waits, as it would without us. */
async function follow(
  from: Readable | null,
  to: Writable | undefined,
  keep: (chunk: Buffer) => void,
): Promise<void> {
  if (!from) return;
  from.on('data', keep);
  if (to) from.pipe(to, { end: false });
  await new Promise<void>((resolve) => from.once('close', () => resolve()));
  if (to) from.unpipe(to);
}

export function findCommand(
  argv: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): string {
  try {
    return findBinary(argv[0] ?? '', env.PATH ?? '', cwd, where);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { what, allowed, next, evidence } = error;
    throw new Problem({ code: 'command.not-started', where, what, allowed, next, evidence, cause: error });
  }
}

const where = 'the command after --';

/** The file exists, but the system does not accept it as a program. */
function notStarted(argv: readonly string[], binary: string, error: unknown): Problem {
  const code = errorCode(error) ?? String(error);
  return new Problem({
    code: 'command.not-started',
    where,
    what: `\`${argv.join(' ')}\` could not be started: ${code}`,
    allowed: 'a program, or a script whose first line names one: #!/bin/sh',
    next: `start it by hand to see why: ${binary}`,
    cause: error,
  });
}
