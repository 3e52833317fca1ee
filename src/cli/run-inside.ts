/** Runs the user's own command beside the environment, with the addresses in its variables. */
import { type ChildProcess, spawn } from 'node:child_process';
import { addressVariables } from '../environment/address-variables.ts';
import { markerVariable } from '../environment/containment/marker.ts';
import { openProcessTable } from '../environment/containment/process-table.ts';
import type { EnvironmentStatus } from '../environment/environment-status.ts';
import type { Launched } from '../environment/keeper/launch.ts';
import type { Requests } from '../environment/keeper/messages.ts';
import { findBinary } from '../environment/processes/find-binary.ts';
import type { Clock } from '../kernel/clock.ts';
import { within } from '../kernel/deadline.ts';
import { type ExitCode, exitCodes, worstExitCode } from '../kernel/exit-codes.ts';
import { limits } from '../kernel/limits.ts';
import { formatProblem, Problem, problemsIn } from '../kernel/problem.ts';
import type { Interrupts } from './interrupts.ts';
import type { BootOutcome, UpSession } from './up-session.ts';
import type { Call } from './verb.ts';

/** 0 when the command ended with 0, otherwise 1: the other codes have meanings of their own. When the environment ended first, how. */
export async function runInside(
  call: Call,
  launched: Launched,
  status: EnvironmentStatus,
  session: UpSession,
  interrupts: Interrupts,
): Promise<ExitCode | BootOutcome> {
  const { client } = launched;
  const { texts: argv } = await client.ask('resolve', { texts: call.command });
  const command = start(call, status, argv);
  const identity =
    command.child.pid === undefined ? undefined : openProcessTable().identify(command.child.pid);
  if (identity)
    await client.ask('commandStarted', { argv, process: identity }).catch(() => 'its end is told below');
  void interrupts.first.then((signal) => passOn(call.clock, command, signal));
  const end = await Promise.race([command.exited, session.ended]);
  if ('kind' in end) {
    command.child.kill('SIGTERM');
    await within(call.clock, limits.stopWithinMs, command.exited);
    return end;
  }
  const silent = identity ? await tellEnd(client, { pid: identity.pid, ...end }) : [];
  for (const problem of silent) call.terminal.err(formatProblem(problem));
  const codes = silent.map(({ exitCode }) => exitCode);
  if (end.code === 0) return worstExitCode(codes);
  if (!interrupts.received()) call.terminal.err(commandText(argv, end));
  return worstExitCode([exitCodes.failed, ...codes]);
}

/** Gives the reason when nobody can say whether the services lived. Where it went down in the same moment, that is told elsewhere. */
async function tellEnd(
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

/** Ctrl-C at a terminal reaches the command by itself; everything else is passed on, and what stays is ended. */
async function passOn(clock: Clock, { child, exited }: Command, signal: NodeJS.Signals): Promise<void> {
  if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  const ended = await within(clock, limits.stopWithinMs, exited);
  if (!ended) child.kill('SIGKILL');
}

interface Command {
  readonly child: ChildProcess;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

function start(call: Call, status: EnvironmentStatus, argv: readonly string[]): Command {
  const env = { ...call.env, ...addressVariables(status), [markerVariable]: status.environment };
  const binary = findBinary(argv[0] ?? '', call.env.PATH ?? '', call.cwd, 'the command after --');
  const child = spawn(binary, argv.slice(1), { argv0: argv[0], cwd: call.cwd, env, stdio: 'inherit' });
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
