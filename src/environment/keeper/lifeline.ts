/** Descriptors that tell the keeper of a death: end-of-file on one means that whoever held the other end is gone. */
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Clock } from '../../kernel/clock.ts';
import { parseExactJson } from '../../kernel/exact-json.ts';
import type { System } from '../../system/system.ts';

/**
 * Held by whoever launched us. It says a key for the guard and one more for the first process of a namespace, then to the keeper
 * that there is a plan and what is not in it, and `detach` before it lets go politely.
 */
export const launcherDescriptor = 3;
/** Held by the guard, who says nothing. */
export const guardDescriptor = 4;
/** The guard's own line to whoever launched us: only `detach` is said on it. */
export const watcherDescriptor = 6;
/** Where the guard looks for signs of life once whoever launched us is gone. */
const beatDescriptor = 7;

const planWord = 'plan ';
export const detachWord = 'detach\n';

/** What the variables of a process, or a file, would show to everybody of the same user. */
export interface ToldInSecret {
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  readonly key: string;
  /** As it is booted; in the written plan, tokens stand for secrets. */
  readonly system: System;
}

/** There is a plan, and the keeper may begin. */
export function planLine(told: ToldInSecret): string {
  return `${planWord}${Buffer.from(JSON.stringify(told)).toString('base64')}\n`;
}

/** From now on, as long as this process lives and can do anything at all. */
export function beat(clock: Clock): void {
  try {
    writeSync(beatDescriptor, 'here\n');
    clock.after(500, () => beat(clock));
  } catch {
    return; // no guard looks: it was killed, or there was none
  }
}

export interface Lifeline {
  /** What was told, once there is a plan; undefined when the line was cut before. */
  readonly planned: Promise<ToldInSecret | undefined>;
  /** Called when the line was cut, now or later, and not let go. */
  onCut(callback: () => void): void;
}

export function openLifeline(descriptor: number): Lifeline {
  let said = '';
  const planned = Promise.withResolvers<ToldInSecret | undefined>();
  const cut = Promise.withResolvers<void>();
  const pipe = new Socket({ fd: descriptor, readable: true, writable: false });
  pipe.setEncoding('utf8');
  pipe.on('data', (text: string) => {
    said += text;
    // Another line may come first, and a line in pieces.
    const told = text.includes('\n') ? toldIn(said.slice(0, said.lastIndexOf('\n'))) : undefined;
    if (told) planned.resolve(told);
  });
  pipe.on('error', () => pipe.destroy()); // `close` follows
  pipe.on('close', () => {
    planned.resolve(undefined);
    if (!said.endsWith(detachWord)) cut.resolve();
  });
  return { planned: planned.promise, onCut: (callback) => void cut.promise.then(callback) };
}

function toldIn(said: string): ToldInSecret | undefined {
  const line = said.split('\n').find((one) => one.startsWith(planWord));
  if (line === undefined) return undefined;
  const text = Buffer.from(line.slice(planWord.length), 'base64').toString();
  return parseExactJson(text) as ToldInSecret;
}
