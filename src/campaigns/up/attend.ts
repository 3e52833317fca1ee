/** Follows an environment from its boot to its end, and determines the exit code. */
import { stillLeft } from '../../environment/containment/workspace.ts';
import { unlessGone } from '../../environment/keeper/keeper-client.ts';
import { keeperDied } from '../../environment/keeper/keeper-died.ts';
import type { Launched } from '../../environment/keeper/launch.ts';
import { endOutsiders, sweepAfterGuard } from '../../environment/keeper/sweep-after-guard.ts';
import { takeDown } from '../../environment/keeper/take-down.ts';
import type { StopCause } from '../../journal/event.ts';
import { type ExitCode, exitCodes, interruptExitCode, worstExitCode } from '../../kernel/exit-codes.ts';
import { Problem, problemFromData } from '../../kernel/problem.ts';
import type { ProblemCode } from '../../kernel/problem-codes.ts';
import type { Host } from '../session/host.ts';
import type { Interrupts } from '../session/interrupts.ts';
import { leftBehindProblems } from '../session/leftovers.ts';
import { runInside } from './run-inside.ts';
import type { UpRequest, UpView } from './up.ts';
import { type BootOutcome, followSession, type UpSession } from './up-session.ts';

/** Everything about the environment that is attended. */
export interface Attended {
  readonly host: Host;
  readonly request: UpRequest;
  readonly view: UpView;
  readonly launched: Launched;
  readonly session: UpSession;
  readonly interrupts: Interrupts;
}

export async function attend(
  host: Host,
  request: UpRequest,
  launched: Launched,
  interrupts: Interrupts,
): Promise<ExitCode> {
  const view = request.openView();
  const session = await followSession(launched, (event) => {
    view.event(event);
    // Report a death when it happens.
    if (event.type === 'node.failed') view.problems([problemFromData(event.problem)]);
  });
  const attended: Attended = { host, request, view, launched, session, interrupts };
  const outcome = await Promise.race([session.booted, interrupts.first.then(() => 'interrupted' as const)]);
  view.booted();
  try {
    const code = await unlessGone(hold(attended, outcome));
    if (code !== 'gone') return code;
    // A command that was never started has failed.
    const codes = request.command.length > 0 ? [exitCodes.failed] : [];
    return await explainEnd(attended, await session.ended, codes);
  } catch (error) {
    // Whatever went wrong on our side, the environment must not outlive it.
    await takeDown(launched.client, launched.plan, 'something went wrong', host.clock);
    await checkLeftovers(attended, []);
    throw error;
  }
}

async function hold(attended: Attended, outcome: BootOutcome | 'interrupted'): Promise<ExitCode> {
  const { request, view, launched, session, interrupts } = attended;
  if (outcome === 'interrupted') return leave(attended, []);
  if (outcome.kind !== 'ready') return explainEnd(attended, outcome);
  const status = await launched.client.ask('status', {});
  view.ready(status, session.events);
  if (request.detach) {
    await launched.detach();
    launched.client.close();
    return exitCodes.held;
  }
  if (request.command.length > 0) {
    const ended = await runInside(attended, status);
    // A command that was not allowed to finish has failed.
    if (typeof ended !== 'number') return explainEnd(attended, ended, [exitCodes.failed]);
    return leave(attended, [ended]);
  }
  const end = await Promise.race([session.ended, interrupts.first.then(() => 'interrupted' as const)]);
  return end === 'interrupted' ? leave(attended, []) : explainEnd(attended, end);
}

/** Takes everything down and returns the exit code. */
async function leave(attended: Attended, codes: readonly ExitCode[]): Promise<ExitCode> {
  const { host, launched, session, interrupts } = attended;
  const { client, plan } = launched;
  const signal = interrupts.received();
  if (signal) host.say('taking everything down … (again: force stop)');
  interrupts.onAgain(() => {
    client.ask('down', { because: 'asked again', forceStop: true }).catch(() => undefined); // it is gone already
  });
  const because = signal ? `interrupted by ${signal}` : 'the command has ended';
  const { wasGone, leftBehind } = await takeDown(client, plan, because, host.clock);
  const worst = wasGone
    ? await explainEnd(attended, await session.ended, codes)
    : await conclude(attended, codes, leftBehind);
  return signal && (worst === exitCodes.held || worst === exitCodes.failed)
    ? interruptExitCode(signal)
    : worst;
}

/** The environment ended without a request from us. */
async function explainEnd(
  attended: Attended,
  outcome: BootOutcome,
  codes: readonly ExitCode[] = [],
): Promise<ExitCode> {
  const { host, request, view, launched, session } = attended;
  const problems = outcome.kind === 'failed' ? outcome.problems : endProblems(attended, outcome);
  view.problems(problems);
  if (outcome.kind === 'down' && problems.length === 0)
    host.say(`taken down: ${reasonOf(session)?.because ?? ''}`);
  if (outcome.kind === 'failed')
    host.say(`\nevidence: ${launched.plan.runFolder}\nagain:    ${request.again(launched.plan.seed)}`);
  await launched.client.gone;
  const shown = problems.map(({ exitCode }) => exitCode);
  return conclude(attended, [...codes, ...shown], []);
}

function endProblems({ launched, session, interrupts }: Attended, outcome: BootOutcome): readonly Problem[] {
  if (outcome.kind === 'gone') return [keeperDied(launched.plan, 'unexpectedly')];
  const reason = reasonOf(session);
  if (interrupts.received() || !reason) return [];
  if (reason.cause !== 'asked') return [endedBecause(reason.cause, reason.because)];
  const wasReady = session.events.some(({ type }) => type === 'environment.ready');
  return wasReady ? [] : [downBeforeReady(reason.because)];
}

/** Every path ends here: waits for the guard, and combines all exit codes. */
async function conclude(
  attended: Attended,
  codes: readonly ExitCode[],
  leftBehind: readonly string[],
): Promise<ExitCode> {
  const { view, session } = attended;
  const teardown = session.problems('teardown.failed');
  view.problems(teardown);
  const leftovers = await checkLeftovers(attended, leftBehind);
  const shown = [...session.problems('node.failed'), ...teardown, ...leftovers];
  return worstExitCode([...codes, ...shown.map(({ exitCode }) => exitCode)]);
}

async function checkLeftovers(
  { host, request, view, launched }: Attended,
  leftBehind: readonly string[],
): Promise<readonly Problem[]> {
  const onStray = (commandLine: string): void =>
    host.say(`ended a process that outlived the command: ${commandLine}`);
  const left = [
    ...leftBehind,
    ...(await sweepAfterGuard(launched, host.clock, host.env)),
    ...(request.command.length > 0 ? await endOutsiders(launched, host.clock, onStray) : []),
  ];
  const problems = leftBehindProblems(stillLeft(left, launched.plan));
  view.problems(problems);
  return problems;
}

/** Why it goes down, as the keeper reported; undefined while it is up. */
function reasonOf({ events }: UpSession) {
  return events.find((event) => event.type === 'environment.stopping');
}

/** `down` was called during the boot. */
function downBeforeReady(because: string): Problem {
  return new Problem({
    code: 'boot.taken-down',
    where: 'boot',
    what: `taken down before it was ready: ${because}`,
    allowed: 'a boot that is not interrupted',
    next: 'start it again: shakedown up',
  });
}

const codes: Partial<Record<StopCause, ProblemCode>> = {
  'folder-gone': 'world.not-writable',
  'journal-failed': 'world.not-writable',
  // It ends only when somebody kills it.
  'guard-gone': 'world.keeper-killed',
  signal: 'boot.taken-down',
};

/** The environment went down by itself. */
function endedBecause(cause: StopCause, because: string): Problem {
  return new Problem({
    code: codes[cause] ?? 'shakedown.keeper-died',
    where: 'the environment',
    what: `everything was taken down, because ${because}`,
    allowed:
      'an environment that stays up until it is taken down: its keeper, its guard (the small shell beside it) and its run folder stay',
    next: 'do not touch `.shakedown` or the processes of Shakedown while an environment is up, and start it again: shakedown up',
  });
}
