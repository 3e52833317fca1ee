/** Starts the processes of the bench and reads what they print. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface Actor {
  readonly port: number;
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

/** A script that prints its port and goes on until stopped. */
export async function startActor(script: string, ...args: readonly string[]): Promise<Actor> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { port: Number(line.toString()), pid: child.pid, stop: () => stopChild(child) };
}

/** A script that prints one JSON object and ends. */
export async function askActor(script: string, ...args: readonly string[]): Promise<Record<string, number>> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(await text(child.stdout)) as Record<string, number>;
}

export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
