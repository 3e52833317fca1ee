/** Runs a setup program of a resource (`initdb`, `cp`) to its end, and returns its exit code and its output. */
import { defined } from '../kernel/defined.ts';
import { limits } from '../kernel/limits.ts';
import { logSince, markLog } from './log-since.ts';
import type { ResourceContext, ResourceProcessOptions } from './resource.ts';

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
