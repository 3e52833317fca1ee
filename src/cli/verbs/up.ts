/** `shakedown up`: boots the system, shows it, and holds it until it is told to let go. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type ExitCode, exitCodes, worstExitCode } from '../../kernel/exit-codes.ts';
import { formatProblem, Problem, problemFromData, problemToData } from '../../kernel/problem.ts';
import { freshSeed, runId, uniqueLabel } from '../../kernel/unique-id.ts';
import { chooseContainment, type Containment } from '../../environment/containment/containment.ts';
import { launch, type Launched } from '../../environment/keeper/launch.ts';
import { stateFolder } from '../../environment/run-folder.ts';
import { releaseUpLock } from '../../environment/up-lock.ts';
import type { System } from '../../system/system.ts';
import { interruptExitCode, type Interrupts, listenForInterrupts } from '../interrupts.ts';
import { claimFolder } from '../live-environment.ts';
import { openSystem } from '../open-system.ts';
import { reapAndTell } from '../reap-and-tell.ts';
import { runInside } from '../run-inside.ts';
import { toolVersion } from '../tool-version.ts';
import { type BootOutcome, followSession, type UpSession } from '../up-session.ts';
import { type Call, optionText, type Verb } from '../verb.ts';
import { openBootView } from '../view/boot-view.ts';
import { printReady } from '../view/print-ready.ts';

export const up: Verb = {
  summary: 'boot the whole system and hold it open',
  usage: '[--detach] [-- COMMAND [WORD…]]',
  words: { atMost: 0 },
  takesCommand: true,
  options: {
    detach: { type: 'boolean', short: 'd', help: 'leave it running when it is ready; `shakedown down` ends it' },
    seed: { type: 'string', value: 'SEED', help: 'repeat the random choices of an earlier run' },
    containment: { type: 'string', value: 'namespace|ledger', help: 'how processes are held together; default: the best this machine permits' },
  },
  run: async (call) => {
    const containment = wantedContainment(call);
    if (call.options.detach === true && call.command.length > 0) throw detachedCommand();
    const [system, held] = await Promise.all([openSystem(call), chooseContainment(containment)]);
    await reapAndTell(call);
    const interrupts = listenForInterrupts();
    try {
      const launched = await claimAndLaunch(call, system, held);
      return await attend(call, launched, interrupts);
    } finally {
      interrupts.stopListening();
    }
  },
};

async function claimAndLaunch(call: Call, system: System, containment: Containment): Promise<Launched> {
  const run = runId(call.clock.now());
  await claimFolder(system.folder, run, path.join(stateFolder(system.folder), 'runs', run), call.clock);
  try {
    const seed = optionText(call, 'seed') ?? freshSeed();
    const { clock, env: hostEnv } = call;
    return await launch({ system, run, seed, containment, clock, hostEnv, environment: uniqueLabel(), tool: `shakedown ${toolVersion()}` });
  } catch (error) {
    releaseUpLock(system.folder, run);
    throw error;
  }
}

async function attend(call: Call, launched: Launched, interrupts: Interrupts): Promise<ExitCode> {
  const view = call.json ? undefined : openBootView(call.terminal, call.clock);
  const session = await followSession(launched, call.clock, (event) => view?.show(event));
  const outcome = await Promise.race([session.booted, interrupts.first.then(() => 'interrupted' as const)]);
  view?.close();
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
    const commandCode = await runInside(call, launched, status, session, interrupts);
    return leave(call, launched, session, [commandCode], interrupts);
  }
  const end = await Promise.race([session.ended, interrupts.first.then(() => 'interrupted' as const)]);
  return end === 'interrupted' ? leave(call, launched, session, [], interrupts) : explainEnd(call, launched, session, end, interrupts);
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
  const result = await session.takeDown(signal ? `interrupted by ${signal}` : 'the command has ended');
  const problems = [...session.deaths, ...result.problems.map(problemFromData)];
  printProblems(call, problems);
  const leftovers = await checkLeftovers(call, launched, session, result.leftBehind);
  const worst = worstExitCode([...codes, ...problems.map(({ exitCode }) => exitCode), ...leftovers]);
  return signal && (worst === exitCodes.held || worst === exitCodes.failed) ? interruptExitCode(signal) : worst;
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
    if (!call.json) call.terminal.err(`\nevidence: ${launched.plan.runFolder}\nagain:    shakedown up --seed ${launched.plan.seed}`);
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
  await session.swept();
  // Keeper and guard may have been killed together: then it is on us.
  if (existsSync(launched.plan.workspace)) await reapAndTell(call);
  const left = existsSync(launched.plan.workspace) ? [...leftBehind, `folder ${launched.plan.workspace}`] : leftBehind;
  if (left.length === 0) return [];
  printProblems(call, [leftBehindProblem(left)]);
  return [exitCodes.leftBehind];
}

function printProblems(call: Call, problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  if (call.json) call.terminal.out(JSON.stringify({ errors: problems.map(problemToData) }));
  else call.terminal.err(problems.map(formatProblem).join('\n\n'));
}

function wantedContainment(call: Call): Containment | undefined {
  const given = optionText(call, 'containment');
  if (given === undefined || given === 'namespace' || given === 'ledger') return given;
  throw new Problem({
    code: 'usage.bad-value',
    where: 'shakedown up --containment',
    what: `${JSON.stringify(given)} is no way to hold processes together`,
    allowed: 'namespace, ledger',
    next: 'leave the option out: the best that this machine permits is taken',
  });
}

function detachedCommand(): Problem {
  return new Problem({
    code: 'usage.bad-value',
    where: 'shakedown up --detach -- COMMAND',
    what: 'an environment cannot be left behind and go down with a command at once',
    allowed: 'either `--detach` or a command after `--`',
    next: 'leave one of the two out',
  });
}

function keeperDied(launched: Launched): Problem {
  return new Problem({
    code: 'shakedown.keeper-died',
    where: `the keeper of ${launched.plan.system.name}`,
    what: 'it ended without a word; somebody killed it, or it crashed',
    allowed: 'a keeper that lives as long as its environment',
    next: `its guard has taken everything away; if nobody killed it, report it with ${launched.plan.runFolder}`,
  });
}

export function leftBehindProblem(left: readonly string[]): Problem {
  return new Problem({
    code: 'left.behind',
    where: 'teardown',
    what: `${left.length} ${left.length === 1 ? 'thing is' : 'things are'} left behind`,
    allowed: 'nothing',
    next: 'take them away by hand, or call `shakedown down` again',
    evidence: left,
  });
}
