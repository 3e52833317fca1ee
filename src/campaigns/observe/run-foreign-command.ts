/** Runs somebody else's test command in a group of its own, shows and keeps what it prints, and ends all of it in time. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, writeSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { signalIfThere } from '../../environment/containment/end-processes.ts';
import { openProcessTable, type ProcessIdentity } from '../../environment/containment/process-table.ts';
import { endMarked } from '../../environment/strays.ts';
import type { Clock } from '../../kernel/clock.ts';
import { within } from '../../kernel/deadline.ts';
import { openNewFile } from '../../kernel/folders/entries-below.ts';
import { limits } from '../../kernel/limits.ts';
import { uniqueLabel } from '../../kernel/unique-id.ts';
import { notStarted } from './find-command.ts';
import { observeLimits } from './observe-limits.ts';

export interface ForeignCommand {
  /** The words as they were resolved, and the program that the first of them names. */
  readonly argv: readonly string[];
  readonly binary: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  /** Where its output is kept. */
  readonly outputFile: string;
  /** Where it is shown, as it comes. */
  readonly show?: { readonly out: Writable; readonly err: Writable };
  readonly clock: Clock;
  /** Aborted, with a signal's name where somebody sent one, when nobody wants it any more. */
  readonly signal: AbortSignal;
  /** Tells whoever would sweep after our own death; what is given tells of the end. */
  readonly register: (process: ProcessIdentity) => Promise<(end: Exit) => Promise<void>>;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface CommandEnd extends Exit {
  readonly timedOut: boolean;
  /** Wall time. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Command lines of what outlived it and was ended, and of what could not be ended. */
  readonly strays: readonly string[];
  readonly left: readonly string[];
}

/** Whoever it starts carries this, too, and is found by it when it has left the group. */
const commandVariable = 'SHAKEDOWN_COMMAND';

/** Pipes may be held open by somebody who is not of the command any more. */
const lastWordsMs = 1_000;

export async function runForeignCommand(command: ForeignCommand): Promise<CommandEnd> {
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
    // It is no conversation: whoever reads meets the end.
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

/** Asked first; who has not ended in time is killed, with everybody in the group. */
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
    exited.catch(() => 'it never was'),
  );
  if (!gone) signalGroup(child, 'SIGKILL');
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) signalIfThere(-pid, signal);
}

function isSignal(reason: unknown): reason is NodeJS.Signals {
  return typeof reason === 'string' && reason.startsWith('SIG');
}

interface KeptOutput {
  readonly ended: Promise<unknown>;
  close(): void;
}

function keepOutput(child: ChildProcess, { outputFile, show }: ForeignCommand): KeptOutput {
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

/** Whoever shows it may be slow, and then the command waits, as it would without us. */
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
