/** Runs a setup program of a server (`initdb`, `cp`) to its end, and returns its exit code and its output. */
import { closeSync, readSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { defined } from '../../../kernel/defined.ts';
import { findPlainFile } from '../../../kernel/folders/own-file.ts';
import { limits } from '../../../kernel/limits.ts';
import type { ResourceContext, ResourceProcessOptions } from '../../resource.ts';

export interface StepEnd {
  readonly code: number | null;
  readonly said: readonly string[];
}

export async function runStep(context: ResourceContext, options: ResourceProcessOptions): Promise<StepEnd> {
  const mark = await markLog(context.logFile);
  const running = await context.start({ ...options, step: true });
  const abandon = (): void => void running.stop('SIGKILL', limits.stopWithinMs);
  const stopWatching = context.clock.after(limits.readyWithinMs, abandon);
  context.signal.addEventListener('abort', abandon, { once: true });
  if (context.signal.aborted) abandon();
  const { code } = await running.exited;
  context.signal.removeEventListener('abort', abandon);
  stopWatching();
  context.signal.throwIfAborted();
  return { code, said: code === 0 ? [] : await logSince(context.logFile, mark) };
}

/** A tool of the system, by the path of the user. */
export function runTool(
  context: ResourceContext,
  argv: readonly string[],
  as?: ResourceProcessOptions['as'],
): Promise<StepEnd> {
  const env = { PATH: context.hostEnv.PATH ?? '/usr/bin:/bin' };
  return runStep(context, { argv, env, cwd: '/', ...defined({ as }) });
}

/** Where the log ends now. */
export async function markLog(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

/** The last lines that were written after the mark. */
export async function logSince(file: string, mark: number): Promise<readonly string[]> {
  const opened = findPlainFile(file);
  if (!opened) return [];
  try {
    const { size } = opened.stats;
    const from = Math.max(mark, size - limits.logTailBytes);
    const buffer = Buffer.alloc(Math.max(0, size - from));
    const bytesRead = readSync(opened.descriptor, buffer, 0, buffer.length, from);
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
    return lines.filter((line) => line !== '').slice(-limits.logTailLines);
  } finally {
    closeSync(opened.descriptor);
  }
}
