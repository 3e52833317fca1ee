/** A program that says on stdout when it is ready: timed until that line, and from its goodbye to its end. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { systemClock } from '../../src/kernel/clock.ts';
import { within } from '../../src/kernel/deadline.ts';

export interface ReadyProgram {
  readonly readyMs: number;
  /** Asks it to end, unless it does so by itself, and gives how long its end took. */
  end(signal?: NodeJS.Signals): Promise<number>;
}

export interface ReadyProgramOptions {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  isReady(line: string): boolean;
}

const readyWithinMs = 120_000;
const endWithinMs = 60_000;

export async function startUntilReady(options: ReadyProgramOptions): Promise<ReadyProgram> {
  const [command = '', ...args] = options.argv;
  const startedAt = performance.now();
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk));
  const exited = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
  const ready = new Promise<number>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (options.isReady(line)) resolve(performance.now());
    });
  });
  const readyAt = await within(systemClock, readyWithinMs, Promise.race([ready, exited]));
  if (readyAt === undefined) {
    child.kill('SIGTERM');
    await within(systemClock, endWithinMs, exited);
    throw new Error(`${options.argv.join(' ')} was never ready; it said:\n${said}`);
  }
  const end = async (signal?: NodeJS.Signals): Promise<number> => {
    const askedAt = signal === undefined ? readyAt : performance.now();
    if (signal !== undefined) child.kill(signal);
    const ended = await within(
      systemClock,
      endWithinMs,
      exited.then(() => performance.now()),
    );
    if (ended === undefined) throw new Error(`${options.argv.join(' ')} did not end`);
    return ended - askedAt;
  };
  return { readyMs: readyAt - startedAt, end };
}
