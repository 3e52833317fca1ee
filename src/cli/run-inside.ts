/** Runs the user's own command beside the environment, with the addresses in its variables. */
import { spawn } from 'node:child_process';
import { markerVariable } from '../environment/containment/marker.ts';
import { openProcessTable } from '../environment/containment/process-table.ts';
import type { EnvironmentStatus } from '../environment/environment-status.ts';
import type { Launched } from '../environment/keeper/launch.ts';
import { findBinary } from '../environment/processes/find-binary.ts';
import { type ExitCode, exitCodes } from '../kernel/exit-codes.ts';
import { Problem } from '../kernel/problem.ts';
import type { Interrupts } from './interrupts.ts';
import type { UpSession } from './up-session.ts';
import type { Call } from './verb.ts';

/** 0 when the command ended with 0, otherwise 1: the other codes have meanings of their own. */
export async function runInside(
  call: Call,
  launched: Launched,
  status: EnvironmentStatus,
  session: UpSession,
  interrupts: Interrupts,
): Promise<ExitCode> {
  const { texts: argv } = await launched.client.ask('resolve', { texts: call.command });
  const env = { ...call.env, ...addressVariables(status), [markerVariable]: status.environment };
  const binary = findBinary(argv[0] ?? '', call.env.PATH ?? '', call.cwd, 'the command after --');
  const child = spawn(binary, argv.slice(1), { argv0: argv[0], cwd: call.cwd, env, stdio: 'inherit' });
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const identity = child.pid === undefined ? undefined : openProcessTable().identify(child.pid);
  if (identity) await launched.client.ask('commandStarted', { argv, process: identity });
  // Ctrl-C reaches the command through the terminal; any other signal is passed on.
  void interrupts.first.then((signal) => signal !== 'SIGINT' && child.kill(signal));
  const end = await Promise.race([exited, session.ended.then(() => undefined)]);
  if (end === undefined) {
    child.kill('SIGTERM');
    return exitCodes.failed;
  }
  await launched.client.ask('commandEnded', end);
  if (end.code === 0) return exitCodes.held;
  if (!interrupts.received()) call.terminal.err(commandText(argv, end));
  return exitCodes.failed;
}

/** `SHAKEDOWN_HEALTH_URL`, `SHAKEDOWN_DB_URL` …, one for each address. */
export function addressVariables(status: EnvironmentStatus): Record<string, string> {
  const addressed = [...status.resources, ...status.services].filter(({ url }) => url !== null);
  return Object.fromEntries(
    addressed.map(({ name, url }) => [
      `SHAKEDOWN_${name.replaceAll('-', '_').toUpperCase()}_URL`,
      url as string,
    ]),
  );
}

function commandText(argv: readonly string[], end: { code: number | null; signal: string | null }): string {
  const problem = new Problem({
    code: 'system.command-failed',
    where: 'the command after --',
    what: `\`${argv.join(' ')}\` ${end.signal ? `was ended by ${end.signal}` : `ended with ${end.code}`}`,
    allowed: 'a command that ends with 0',
    next: 'read what it printed above; the services’ side: shakedown logs',
  });
  return `${problem.where}: ${problem.what}\n  next     ${problem.next}`;
}
