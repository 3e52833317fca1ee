/** Stays with an environment from its boot to its end, and says with which exit code the CLI leaves it. */
import { existsSync } from 'node:fs';
import type { Launched } from '../environment/keeper/launch.ts';
import { logTail } from '../environment/processes/log-tail.ts';
import { keeperLogFile } from '../environment/run-folder.ts';
import { type ExitCode, exitCodes, worstExitCode } from '../kernel/exit-codes.ts';
import { formatProblem, Problem, problemFromData, problemToData } from '../kernel/problem.ts';
import { type Interrupts, interruptExitCode } from './interrupts.ts';
import { leftBehindProblem } from './left-behind.ts';
import { runInside } from './run-inside.ts';
import { sweepLeft } from './sweep-left.ts';
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
    return await hold(call, launched, session, outcome, interrupts);
  } catch (error) {
    // Whatever went wrong on our side, the environment does not outlive it.
    await session.takeDown('something went wrong').catch(() => 'the keeper was already gone');
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
    if (typeof ended !== 'number') {
      // The command was not allowed to finish, so it did not hold.
      const code = await explainEnd(call, launched, session, ended, interrupts);
      return code === exitCodes.held ? exitCodes.failed : code;
    }
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
  if (signal && !call.json) call.terminal.err('taking everything down …');
  const because = signal ? `interrupted by ${signal}` : 'the command has ended';
  const result = await session.takeDown(because).catch(() => 'gone' as const);
  if (result === 'gone') return explainEnd(call, launched, session, await session.ended, interrupts);
  const problems = result.problems.map(problemFromData);
  printProblems(call, problems);
  const leftovers = await checkLeftovers(call, launched, session, result.leftBehind);
  const worst = worstExitCode([
    ...codes,
    ...[...session.deaths, ...problems].map(({ exitCode }) => exitCode),
    ...leftovers,
  ]);
  return signal && (worst === exitCodes.held || worst === exitCodes.failed)
    ? interruptExitCode(signal)
    : worst;
}

async function explainEnd(
  call: Call,
  launched: Launched,
  session: UpSession,
  outcome: BootOutcome,
  interrupts: Interrupts,
): Promise<ExitCode> {
  if (outcome.kind === 'failed') {
    printProblems(call, outcome.problems);
    if (!call.json)
      call.terminal.err(
        `\nevidence: ${launched.plan.runFolder}\nagain:    shakedown up --seed ${launched.plan.seed}`,
      );
    await launched.client.gone;
    const leftovers = await checkLeftovers(call, launched, session, []);
    return worstExitCode([...outcome.problems.map(({ exitCode }) => exitCode), ...leftovers]);
  }
  if (outcome.kind === 'down') {
    if (!call.json) call.terminal.err(`taken down: ${session.because()}`);
    const wasAsked = session.because().startsWith('asked');
    const leftovers = await checkLeftovers(call, launched, session, []);
    const signal = interrupts.received();
    return worstExitCode([...(wasAsked || signal ? [] : [exitCodes.bug]), ...leftovers]);
  }
  const died = keeperDied(launched);
  printProblems(call, [died]);
  await checkLeftovers(call, launched, session, []);
  return died.exitCode;
}

async function checkLeftovers(
  call: Call,
  launched: Launched,
  session: UpSession,
  leftBehind: readonly string[],
): Promise<readonly ExitCode[]> {
  // Keeper and guard may have been killed together; a guard that is still at it must not be disturbed.
  const guardEnded = await session.swept();
  const afterSweep = guardEnded
    ? await sweepLeft(call, launched.plan)
    : [`folder ${launched.plan.workspace}`];
  const left = existsSync(launched.plan.workspace) ? [...leftBehind, ...afterSweep] : leftBehind;
  if (left.length === 0) return [];
  printProblems(call, [leftBehindProblem(left)]);
  return [exitCodes.leftBehind];
}

function printProblems(call: Call, problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  if (call.json) call.terminal.out(JSON.stringify({ errors: problems.map(problemToData) }));
  else call.terminal.err(problems.map(formatProblem).join('\n\n'));
}

function keeperDied(launched: Launched): Problem {
  return new Problem({
    code: 'shakedown.keeper-died',
    where: `the keeper of ${launched.plan.system.name}`,
    what: 'it ended without a word; somebody killed it, or it crashed',
    allowed: 'a keeper that lives as long as its environment',
    next: `its guard has taken everything away; if nobody killed it, report it with ${launched.plan.runFolder}`,
    evidence: logTail(keeperLogFile(launched.plan.runFolder)),
  });
}
