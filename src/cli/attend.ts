/** Stays with an environment from its boot to its end, and says with which exit code the CLI leaves it. */
import { stillLeft } from '../environment/containment/workspace.ts';
import { unlessGone } from '../environment/keeper/keeper-client.ts';
import { keeperDied } from '../environment/keeper/keeper-died.ts';
import type { Launched } from '../environment/keeper/launch.ts';
import { endStrays } from '../environment/strays.ts';
import { type ExitCode, exitCodes, worstExitCode } from '../kernel/exit-codes.ts';
import { type Problem, problemFromData, problemToData } from '../kernel/problem.ts';
import { againCommand } from './again-command.ts';
import { downBeforeReady, endedBecause } from './end-problems.ts';
import { type Interrupts, interruptExitCode } from './interrupts.ts';
import { leftBehindProblem } from './left-behind.ts';
import { runInside } from './run-inside.ts';
import { sweepLeft } from './sweep-left.ts';
import { tellProblems } from './tell-problems.ts';
import { type BootOutcome, followSession, type UpSession } from './up-session.ts';
import type { Call } from './verb.ts';
import { openBootView } from './view/boot-view.ts';
import { printReady } from './view/print-ready.ts';

export async function attend(call: Call, launched: Launched, interrupts: Interrupts): Promise<ExitCode> {
  const view = call.json ? undefined : openBootView(call.terminal, call.clock);
  const session = await followSession(launched, call.clock, (event) => {
    view?.show(event);
    // Whoever watches hears of a death when it happens.
    if (event.type === 'node.failed') printProblems(call, [problemFromData(event.problem)]);
  });
  const outcome = await Promise.race([session.booted, interrupts.first.then(() => 'interrupted' as const)]);
  view?.close();
  try {
    const code = await unlessGone(hold(call, launched, session, outcome, interrupts));
    if (code !== 'gone') return code;
    // A command that never came to its start did not hold.
    const codes = call.command.length > 0 ? [exitCodes.failed] : [];
    return await explainEnd(call, launched, session, await session.ended, interrupts, codes);
  } catch (error) {
    // Whatever went wrong on our side, the environment does not outlive it.
    await session.takeDown('something went wrong');
    await checkLeftovers(call, launched, session, []);
    throw error;
  }
}

async function hold(
  call: Call,
  launched: Launched,
  session: UpSession,
  outcome: BootOutcome | 'interrupted',
  interrupts: Interrupts,
): Promise<ExitCode> {
  if (outcome === 'interrupted') return leave(call, launched, session, [], interrupts);
  if (outcome.kind !== 'ready') return explainEnd(call, launched, session, outcome, interrupts);
  const status = await launched.client.ask('status', {});
  printReady(call, status, session.events);
  if (call.options.detach === true) {
    await launched.detach();
    launched.client.close();
    return exitCodes.held;
  }
  if (call.command.length > 0) {
    const ended = await runInside(call, launched, status, session, interrupts);
    // One that was not allowed to finish did not hold.
    if (typeof ended !== 'number')
      return explainEnd(call, launched, session, ended, interrupts, [exitCodes.failed]);
    return leave(call, launched, session, [ended], interrupts);
  }
  const end = await Promise.race([session.ended, interrupts.first.then(() => 'interrupted' as const)]);
  return end === 'interrupted'
    ? leave(call, launched, session, [], interrupts)
    : explainEnd(call, launched, session, end, interrupts);
}

/** Takes everything down and says with which code to leave. */
async function leave(
  call: Call,
  launched: Launched,
  session: UpSession,
  codes: readonly ExitCode[],
  interrupts: Interrupts,
): Promise<ExitCode> {
  const signal = interrupts.received();
  if (signal && !call.json) call.terminal.err('taking everything down … (again: no time for goodbyes)');
  interrupts.onAgain(session.hurry);
  const because = signal ? `interrupted by ${signal}` : 'the command has ended';
  const { wasGone, leftBehind } = await session.takeDown(because);
  const worst = wasGone
    ? await explainEnd(call, launched, session, await session.ended, interrupts, codes)
    : await conclude(call, launched, session, codes, leftBehind);
  return signal && (worst === exitCodes.held || worst === exitCodes.failed)
    ? interruptExitCode(signal)
    : worst;
}

/** It ended without being asked by us. */
async function explainEnd(
  call: Call,
  launched: Launched,
  session: UpSession,
  outcome: BootOutcome,
  interrupts: Interrupts,
  codes: readonly ExitCode[] = [],
): Promise<ExitCode> {
  const problems =
    outcome.kind === 'failed' ? outcome.problems : endProblems(launched, session, outcome, interrupts);
  printProblems(call, problems);
  if (outcome.kind === 'down' && problems.length === 0 && !call.json) {
    call.terminal.err(`taken down: ${session.reason()?.because ?? ''}`);
  }
  if (outcome.kind === 'failed' && !call.json) {
    call.terminal.err(
      `\nevidence: ${launched.plan.runFolder}\nagain:    ${againCommand(call, 'up', launched.plan.seed)}`,
    );
  }
  await launched.client.gone;
  const told = problems.map(({ exitCode }) => exitCode);
  return conclude(call, launched, session, [...codes, ...told], []);
}

function endProblems(
  launched: Launched,
  session: UpSession,
  outcome: BootOutcome,
  interrupts: Interrupts,
): readonly Problem[] {
  if (outcome.kind === 'gone') return [keeperDied(launched.plan, 'without a word')];
  const reason = session.reason();
  if (interrupts.received() || !reason) return [];
  if (reason.cause !== 'asked') return [endedBecause(reason.cause, reason.because)];
  return session.wasReady() ? [] : [downBeforeReady(reason.because)];
}

/** The end of every way: waits for the guard, and counts all that was not as it should be. */
async function conclude(
  call: Call,
  launched: Launched,
  session: UpSession,
  codes: readonly ExitCode[],
  leftBehind: readonly string[],
): Promise<ExitCode> {
  printProblems(call, session.teardownProblems);
  const leftovers = await checkLeftovers(call, launched, session, leftBehind);
  const told = [...session.deaths, ...session.teardownProblems].map(({ exitCode }) => exitCode);
  return worstExitCode([...codes, ...told, ...leftovers]);
}

async function checkLeftovers(
  call: Call,
  launched: Launched,
  session: UpSession,
  leftBehind: readonly string[],
): Promise<readonly ExitCode[]> {
  const { plan } = launched;
  // Keeper and guard may have been killed together; a guard that is still at it must not be disturbed.
  const guardEnded = await session.swept();
  const afterSweep = guardEnded ? await sweepLeft(call, plan) : [`folder ${plan.workspace}`];
  // What the user's command started runs outside of the namespace, where only we can see it.
  const strays =
    call.command.length > 0 ? await endStrays({ ...plan, clock: call.clock, alone: false }) : undefined;
  for (const commandLine of strays?.found ?? []) {
    if (!call.json) call.terminal.err(`ended a process that outlived the command: ${commandLine}`);
  }
  const left = stillLeft([...leftBehind, ...afterSweep, ...(strays?.left ?? [])], plan);
  if (left.length === 0) return [];
  printProblems(call, [leftBehindProblem(left)]);
  return [exitCodes.leftBehind];
}

function printProblems(call: Call, problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  if (call.json) call.terminal.out(JSON.stringify({ errors: problems.map(problemToData) }));
  else call.terminal.err(tellProblems(problems, call.terminal));
}
