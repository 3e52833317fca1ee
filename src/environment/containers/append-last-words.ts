/** Adds to a log what its container printed after the keeper was killed, before the container is removed. */
import { closeSync, statSync, writeSync } from 'node:fs';
import { openToAppend } from '../../kernel/folders/entries-below.ts';
import { logTail } from '../log-tail.ts';
import { containerLogs, inspectContainer } from './engine/container-calls.ts';
import type { Engine } from './engine/open-engine.ts';
import { readFrames } from './engine/stream-frames.ts';

/** Lines of its output that are looked at. */
const mostLines = 1_000;
/** A line is written at once; what is older than this before the last writing was written. */
const surelyWrittenMs = 1_000;
/** A file system takes its times from a clock that is behind the engine's by up to a tick. */
const coarseClockMs = 20;

export async function appendLastWords(engine: Engine, id: string, logFile: string): Promise<void> {
  try {
    const state = await inspectContainer(engine, id);
    const stats = statSync(logFile, { throwIfNoEntry: false });
    if (!state || !stats) return;
    const since = ((stats.mtimeMs - surelyWrittenMs) / 1_000).toFixed(3);
    const wish = { follow: false, timestamps: true, tail: mostLines, since };
    const pieces: Buffer[] = [];
    for await (const { bytes } of readFrames(await containerLogs(engine, id, wish), state.hasTerminal))
      pieces.push(Buffer.from(bytes));
    const output = Buffer.concat(pieces).toString('utf8');
    const missing = unwritten(output, { tail: logTail(logFile, mostLines), at: stats.mtimeMs });
    if (missing.length === 0) return;
    const log = openToAppend(logFile);
    writeSync(log, missing.map((line) => `${line}\n`).join(''));
    closeSync(log);
  } catch {
    return; // the run folder may be gone, and the container is removed in any case
  }
}

/** The lines of an output, each after its moment, that follow those with which a log ends. */
export function unwritten(
  output: string,
  log: { readonly tail: readonly string[]; readonly at: number },
): readonly string[] {
  const lines = output.split('\n').flatMap((line) => {
    const [, moment = '', text = ''] = /^(\S+Z) ?(.*)$/s.exec(line) ?? [];
    return moment === '' ? [] : [{ at: Date.parse(moment), text }];
  });
  const texts = lines.map(({ text }) => text);
  const later = lines.findIndex(({ at }) => at > log.at + coarseClockMs);
  for (let written = later < 0 ? lines.length : later; written > 0; written -= 1) {
    const common = Math.min(written, log.tail.length);
    if (common > 0 && isSame(texts.slice(written - common, written), log.tail.slice(-common)))
      return texts.slice(written);
  }
  return texts;
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.every((text, at) => text === others[at]);
}
