/** Runs a command inside of a container to its end. */
import { readFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { orElse } from '../../kernel/or-else.ts';
import { unlessAborted } from '../../kernel/until-aborted.ts';
import { attachExec, createExec, type ExecWish, inspectExec } from './engine/exec-calls.ts';
import type { Engine } from './engine/open-engine.ts';
import { readFrames } from './engine/stream-frames.ts';

export interface InsideWish extends ExecWish {
  readonly stdin?: string;
  /** Of each output; the rest is counted. */
  readonly mostBytes: number;
  readonly signal: AbortSignal;
  /** Where numbers of processes are those that the engine says. */
  readonly outerProc?: string | undefined;
}

export interface InsideResult {
  /** Null when it had not ended in time; it was killed then, as far as that is possible in this container. */
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
}

export async function runInside(engine: Engine, container: string, wish: InsideWish): Promise<InsideResult> {
  const { stdin, mostBytes, signal } = wish;
  const id = await createExec(engine, container, { ...wish, hasInput: stdin !== undefined });
  const connection = await attachExec(engine, id);
  const outputs = { stdout: keeper(mostBytes), stderr: keeper(mostBytes) };
  connection.on('error', () => undefined); // its end is asked for below
  if (stdin !== undefined) connection.write(stdin);
  if (stdin !== undefined) connection.end();
  const isWhole = await unlessAborted(signal, collect(connection, outputs));
  const state = await inspectExec(engine, id);
  if (isWhole === undefined) {
    connection.destroy();
    await killInside(engine, container, state.pid, wish.outerProc ?? '/proc');
  }
  const { stdout, stderr } = outputs;
  return {
    code: isWhole === undefined ? null : state.exitCode,
    stdout: stdout.kept(),
    stderr: stderr.kept(),
    stdoutBytes: stdout.bytes(),
    stderrBytes: stderr.bytes(),
  };
}

type Keeper = ReturnType<typeof keeper>;

async function collect(
  connection: Duplex,
  outputs: Readonly<Record<'stdout' | 'stderr', Keeper>>,
): Promise<true> {
  try {
    for await (const { from, bytes } of readFrames(connection)) outputs[from].add(bytes);
  } catch {
    return true; // the container ended under it: its state says so
  }
  return true;
}

function keeper(mostBytes: number) {
  const pieces: Buffer[] = [];
  let keptBytes = 0;
  let bytes = 0;
  return {
    add: (piece: Buffer): void => {
      bytes += piece.length;
      const room = mostBytes - keptBytes;
      if (room <= 0) return;
      pieces.push(Buffer.from(piece.subarray(0, room)));
      keptBytes += Math.min(room, piece.length);
    },
    kept: (): Buffer => Buffer.concat(pieces),
    bytes: (): number => bytes,
  };
}

/** The engine has no way to end a command: a second one does, where the container has a shell. */
async function killInside(engine: Engine, container: string, pid: number, proc: string): Promise<void> {
  const status = orElse(() => readFileSync(`${proc}/${pid}/status`, 'utf8'), '');
  const inner = /^NSpid:.*\t(\d+)$/m.exec(status)?.[1];
  if (inner === undefined) return;
  const argv = ['sh', '-c', `kill -9 ${inner}`];
  const id = await createExec(engine, container, { argv, user: '0' });
  const connection = await attachExec(engine, id);
  await collect(connection, { stdout: keeper(0), stderr: keeper(0) });
}
