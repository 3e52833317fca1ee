/** Pipes by which the keeper notices a death: end-of-file on one means that the process at the other end is gone. */
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Clock } from '../../kernel/clock.ts';
import { parseExactJson } from '../../kernel/exact-json.ts';
import type { System } from '../../system/system.ts';

/**
 * Held by the launcher. It sends a key to the guard and another to the first process of a namespace, then sends the
 * keeper the notice that there is a plan with the data that is not in it, and `detach` before it closes the pipe on
 * purpose.
 */
export const launcherDescriptor = 3;
/** Held by the guard, which sends nothing. */
export const guardDescriptor = 4;
/** The guard's own pipe from the launcher: only `detach` is sent on it. */
export const watcherDescriptor = 6;
/** Where the guard looks for heartbeats once the launcher is gone. */
const beatDescriptor = 7;

const planWord = 'plan ';
export const detachWord = 'detach\n';

/** Data that process variables or a file would expose to every process of the same user. */
export interface LaunchSecrets {
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  readonly key: string;
  /** With the real values; in the stored plan, secrets are replaced by tokens. */
  readonly system: System;
}

/** The message that there is a plan and the keeper may begin. */
export function planLine(received: LaunchSecrets): string {
  return `${planWord}${Buffer.from(JSON.stringify(received)).toString('base64')}\n`;
}

/** Writes heartbeats from now on, as long as this process can run. */
export function beat(clock: Clock): void {
  try {
    writeSync(beatDescriptor, 'here\n');
    clock.after(500, () => beat(clock));
  } catch {
    return; // no guard reads it: it was killed, or there was none
  }
}

export interface Lifeline {
  /** The received data, once there is a plan; undefined when the pipe was closed before. */
  readonly planned: Promise<LaunchSecrets | undefined>;
  /** Called when the pipe was closed without `detach`, now or later. */
  onCut(callback: () => void): void;
}

export function openLifeline(descriptor: number): Lifeline {
  let said = '';
  const planned = Promise.withResolvers<LaunchSecrets | undefined>();
  const cut = Promise.withResolvers<void>();
  const pipe = new Socket({ fd: descriptor, readable: true, writable: false });
  pipe.setEncoding('utf8');
  pipe.on('data', (text: string) => {
    said += text;
    // Another line may precede it, and a line may arrive in pieces.
    const received = text.includes('\n') ? launchSecretsIn(said.slice(0, said.lastIndexOf('\n'))) : undefined;
    if (received) planned.resolve(received);
  });
  pipe.on('error', () => pipe.destroy()); // `close` follows
  pipe.on('close', () => {
    planned.resolve(undefined);
    if (!said.endsWith(detachWord)) cut.resolve();
  });
  return { planned: planned.promise, onCut: (callback) => void cut.promise.then(callback) };
}

function launchSecretsIn(said: string): LaunchSecrets | undefined {
  const line = said.split('\n').find((one) => one.startsWith(planWord));
  if (line === undefined) return undefined;
  const text = Buffer.from(line.slice(planWord.length), 'base64').toString();
  return parseExactJson(text) as LaunchSecrets;
}
