/** Runs the user's own command beside the environment, with the addresses in its variables. */
import { type ChildProcess, spawn } from 'node:child_process';
import { addressVariables } from '../../environment/address-variables.ts';
import { openProcessTable } from '../../environment/containment/process-table.ts';
import type { EnvironmentStatus } from '../../environment/environment-status.ts';
import type { Launched } from '../../environment/keeper/launch.ts';
import type { Requests } from '../../environment/keeper/messages.ts';
import { findBinary } from '../../environment/processes/find-binary.ts';
import { markerVariable } from '../../environment/wiring/hermetic-env.ts';
import type { Clock } from '../../kernel/clock.ts';
import { within } from '../../kernel/deadline.ts';
import { type ExitCode, exitCodes, worstExitCode } from '../../kernel/exit-codes.ts';
import { limits } from '../../kernel/limits.ts';
import { formatProblem, Problem, problemsIn } from '../../kernel/problem.ts';
import type { Host } from '../session/host.ts';
import type { Attended } from './attend.ts';
import type { BootOutcome } from './up-session.ts';

/**
 * 0 when the command ended with 0, otherwise 1, because the other codes have their own meanings. When the environment
 * ended first: how it ended.
 */
export async function runInside(
  { host, request, launched, session, interrupts }: Attended,
  status: EnvironmentStatus,
): Promise<ExitCode | BootOutcome> {
  const { client } = launched;
  const { texts: argv } = await client.ask('resolve', { texts: request.command });
  const command = start(host, status, argv);
  const identity =
    command.child.pid === undefined ? undefined : openProcessTable().identify(command.child.pid);
  if (identity) await client.ask('commandStarted', { argv, process: identity }).catch(() => undefined); // its end is reported below
  void interrupts.first.then((signal) => passOn(host.clock, command, signal));
  const end = await Promise.race([command.exited, session.ended]);
  if ('kind' in end) {
    command.child.kill('SIGTERM');
    await within(host.clock, limits.stopWithinMs, command.exited);
    return end;
  }
  const silent = identity ? await formatEnd(client, { pid: identity.pid, ...end }) : [];
  for (const problem of silent) host.warn(formatProblem(problem));
  const codes = silent.map(({ exitCode }) => exitCode);
  if (end.code === 0) return worstExitCode(codes);
  if (!interrupts.received()) host.warn(commandText(argv, end));
  return worstExitCode([exitCodes.failed, ...codes]);
}

/**
 * Returns the problem when it is unknown whether the services were alive. An environment that just went down is
 * reported elsewhere.
 */
async function formatEnd(
  client: Launched['client'],
  end: Requests['commandEnded']['params'],
): Promise<readonly Problem[]> {
  try {
    await client.ask('commandEnded', end);
    return [];
  } catch (error) {
    return problemsIn(error).filter(({ code }) => code === 'world.unreachable');
  }
}

/**
 * Ctrl-C at a terminal reaches the command directly; other signals are forwarded, and a command that stays is killed.
 */
async function passOn(clock: Clock, { child, exited }: Command, signal: NodeJS.Signals): Promise<void> {
  if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  const ended = await within(clock, limits.stopWithinMs, exited);
  if (!ended) child.kill('SIGKILL');
}

interface Command {
  readonly child: ChildProcess;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

function start({ env: hostEnv, cwd }: Host, status: EnvironmentStatus, argv: readonly string[]): Command {
  const env = { ...hostEnv, ...addressVariables(status), [markerVariable]: status.environment };
  const binary = findBinary(argv[0] ?? '', hostEnv.PATH ?? '', cwd, 'the command after --');
  const child = spawn(binary, argv.slice(1), { argv0: argv[0], cwd, env, stdio: 'inherit' });
  const exited: Command['exited'] = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  return { child, exited };
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
