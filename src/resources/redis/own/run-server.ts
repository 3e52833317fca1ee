/** Starts a server in its folder, and waits until it answers. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { waitFor } from '../../../kernel/deadline.ts';
import { limits } from '../../../kernel/limits.ts';
import { Problem } from '../../../kernel/problem.ts';
import { logSince, markLog } from '../../log-since.ts';
import type { ResourceContext, ResourceProcess } from '../../resource.ts';
import type { RedisLink } from '../client/redis-link.ts';
import { withLink } from '../client/with-link.ts';
import { redisLimits } from '../redis-limits.ts';
import type { RedisTarget } from '../redis-target.ts';

export interface ServerForm {
  readonly context: ResourceContext;
  readonly where: string;
  readonly program: string;
  /** Holds its configuration and its data. */
  readonly folder: string;
  /** Of `default`; empty where there is none. */
  readonly password: string;
}

export interface RunningServer {
  readonly process: ResourceProcess;
  readonly target: RedisTarget;
  readonly summary: string;
}

export function configFile(folder: string): string {
  return path.join(folder, 'redis.conf');
}

/** A foreign program may have taken the port; then another one is chosen. `config` is its text for a port. */
export async function runNewServer(
  form: ServerForm,
  config: (port: number) => string,
): Promise<RunningServer> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await form.context.choosePort();
    await writeFile(configFile(form.folder), config(port), { mode: 0o600 });
    const started = await runServer(form, port);
    if ('process' in started) return started;
    const isTaken = started.said.some((line) =>
      /\bbind: Address already in use|Failed listening on/.test(line),
    );
    if (!isTaken || attempt > limits.portRetries) throw didNotStart(form.where, started);
  }
}

/** Once more, at the same port. */
export async function runAgain(form: ServerForm, port: number): Promise<RunningServer> {
  const started = await runServer(form, port);
  if ('process' in started) return started;
  throw didNotStart(form.where, started);
}

interface NotStarted {
  readonly why: string;
  readonly said: readonly string[];
}

async function runServer(form: ServerForm, port: number): Promise<RunningServer | NotStarted> {
  const { context, folder, program, password } = form;
  const mark = await markLog(context.logFile);
  const process = await context.start({ argv: [program, configFile(folder)], env: {}, cwd: folder });
  const target = { address: { host: '127.0.0.1', port }, user: '', password, database: 0 };
  const found = await untilReady(form, process, target);
  if (typeof found === 'object') return { process, target, summary: found.summary };
  await process.stop('SIGKILL', limits.stopWithinMs);
  const why = found === 'late' ? `it was not ready within ${limits.readyWithinMs} ms` : 'it ended at once';
  return { why, said: await logSince(context.logFile, mark) };
}

async function untilReady(
  { context, folder }: ServerForm,
  process: ResourceProcess,
  target: RedisTarget,
): Promise<{ readonly summary: string } | 'exited' | 'late'> {
  let exited = false;
  void process.exited.then(() => {
    exited = true;
  });
  const patience = { withinMs: limits.readyWithinMs, firstMs: 2, mostMs: 20, signal: context.signal };
  try {
    const look = async () => (exited ? 'exited' : await greet(context, target, configFile(folder)));
    return (await waitFor(context.clock, patience, look)) ?? 'late';
  } catch (error) {
    await process.stop('SIGKILL', limits.stopWithinMs);
    throw error;
  }
}

/** Undefined until it answers for itself: another server may listen at the port, while ours is about to say so. */
async function greet(
  { clock }: ResourceContext,
  target: RedisTarget,
  config: string,
): Promise<{ readonly summary: string } | undefined> {
  const ask = async (link: RedisLink): Promise<{ readonly summary: string } | undefined> => {
    const facts = String(await link.do('INFO', 'server'));
    return facts.includes(`config_file:${config}\r\n`) ? { summary: nameOf(facts) } : undefined;
  };
  return withLink(target, clock, ask, redisLimits.greetMs).catch(() => undefined); // it does not listen yet, or still loads its data
}

/** `Redis 7.0.15`, `Valkey 8.1.0` */
export function nameOf(facts: string): string {
  const valkey = /valkey_version:(\S+)/.exec(facts)?.[1];
  return valkey === undefined ? `Redis ${/redis_version:(\S+)/.exec(facts)?.[1] ?? ''}` : `Valkey ${valkey}`;
}

function didNotStart(where: string, { why, said }: NotStarted): Problem {
  const at = said.findIndex((line) => line.includes('FATAL CONFIG FILE ERROR'));
  const reason =
    at < 0
      ? said.find((line) => /# .*(?:Fatal|error|Failed|Warning: Could not)/i.test(line))
      : said.slice(at + 2).join(': ');
  return new Problem({
    code: 'boot.resource-failed',
    where,
    what: `the server did not start: ${reason?.trim() || why}`,
    allowed: 'settings that this version of the server supports, with valid values',
    next: 'correct `settings` of the resource, or read the lines below, which are the end of its log',
    evidence: said,
  });
}
