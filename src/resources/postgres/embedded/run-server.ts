/** Starts a PostgreSQL server on a prepared data folder and waits until it accepts connections. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { waitFor } from '../../../kernel/deadline.ts';
import { limits } from '../../../kernel/limits.ts';
import { Problem } from '../../../kernel/problem.ts';
import { logSince, markLog } from '../../log-since.ts';
import type { ResourceContext, ResourceProcess } from '../../resource.ts';
import type { EmbeddedForm } from './embedded-form.ts';
import { serverSettings } from './server-settings.ts';

export interface RunningServer {
  readonly process: ResourceProcess;
  readonly port: number;
}

export interface RunOptions {
  readonly dataFolder: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Only during setup of the real one. */
  readonly step: boolean;
}

/** A foreign program may sit on the chosen port; then another one is chosen. */
export async function runServer(form: EmbeddedForm, options: RunOptions): Promise<RunningServer> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await form.context.choosePort();
    const mark = await markLog(form.context.logFile);
    const process = await startServer(form, options, port);
    const outcome = await untilReady(form.context, process, options.dataFolder);
    if (outcome === 'ready') return { process, port };
    await process.stop('SIGQUIT', limits.stopWithinMs);
    const said = await logSince(form.context.logFile, mark);
    if (
      outcome === 'exited' &&
      attempt <= limits.portRetries &&
      said.some((line) => line.includes('could not bind'))
    )
      continue;
    throw didNotStart(form.where, outcome, said);
  }
}

function startServer(form: EmbeddedForm, options: RunOptions, port: number): Promise<ResourceProcess> {
  const { context, launcher, binaries, env, where } = form;
  const settings = serverSettings({ where, version: binaries.version, port, own: options.settings });
  return context.start({
    argv: [...launcher.prefix, binaries.postgres, '-D', options.dataFolder, ...settings],
    env,
    cwd: context.folder,
    step: options.step,
    ...(launcher.as ? { as: launcher.as } : {}),
  });
}

type Outcome = 'ready' | 'exited' | 'late';

/** The server says in its pid file that it is ready; asking at the port before would leave FATAL lines in its log. */
async function untilReady(
  context: ResourceContext,
  process: ResourceProcess,
  dataFolder: string,
): Promise<Outcome> {
  let exited = false;
  void process.exited.then(() => {
    exited = true;
  });
  const patience = { withinMs: limits.readyWithinMs, firstMs: 2, mostMs: 20, signal: context.signal };
  const look = async (): Promise<Outcome | undefined> => {
    if (exited) return 'exited';
    const text = await readFile(path.join(dataFolder, 'postmaster.pid'), 'utf8').catch(() => '');
    return /^ready\s*$/m.test(text) ? 'ready' : undefined;
  };
  try {
    return (await waitFor(context.clock, patience, look)) ?? 'late';
  } catch (error) {
    await process.stop('SIGQUIT', limits.stopWithinMs);
    throw error;
  }
}

function didNotStart(where: string, outcome: Outcome, said: readonly string[]): Problem {
  const why = outcome === 'late' ? `it was not ready within ${limits.readyWithinMs} ms` : 'it ended at once';
  const reason = said.find((line) => /\b(FATAL|PANIC|invalid|error while loading)\b/.test(line));
  return new Problem({
    code: 'boot.resource-failed',
    where,
    what: `PostgreSQL did not start: ${reason === undefined ? why : reason.trim()}`,
    allowed: 'settings that this version of PostgreSQL supports, with valid values',
    next: 'correct `settings` of the resource, or read the lines below, which are the end of its log',
    evidence: said,
  });
}
