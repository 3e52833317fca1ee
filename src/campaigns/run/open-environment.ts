/** An environment of a run: launched, booted, renewed between trials, and removed at the end. */
import { collectEarlier } from '../../checks/blame/reference/collect-earlier.ts';
import type { Containment } from '../../environment/containment/containment.ts';
import { refuseOtherSecrets } from '../../environment/containment/sealed-variables.ts';
import { stillLeft } from '../../environment/containment/workspace.ts';
import { connectKeeper, type KeeperClient, unlessGone } from '../../environment/keeper/keeper-client.ts';
import { keeperDied } from '../../environment/keeper/keeper-died.ts';
import { lastWord } from '../../environment/keeper/last-word.ts';
import { beginLaunch, type Launched } from '../../environment/keeper/launch.ts';
import { endOutsiders, sweepAfterGuard } from '../../environment/keeper/sweep-after-guard.ts';
import { takeDown } from '../../environment/keeper/take-down.ts';
import type { Plan } from '../../environment/plan.ts';
import { redactorFor } from '../../environment/redactor-for.ts';
import { environmentFolderOf } from '../../environment/run-folder.ts';
import type { JournalEvent } from '../../journal/event.ts';
import type { Clock } from '../../kernel/clock.ts';
import { waitFor } from '../../kernel/deadline.ts';
import { limits } from '../../kernel/limits.ts';
import { Problem, Problems, problemFromData, problemsIn } from '../../kernel/problem.ts';
import { uniqueLabel } from '../../kernel/unique-id.ts';
import { unlessAborted } from '../../kernel/until-aborted.ts';
import type { System } from '../../system/system.ts';
import type { LiveEnvironment } from '../../trials/perform/live-environment.ts';
import { preparedState, withSaid } from '../../trials/perform/prepared-state.ts';
import { topologyOf } from '../../trials/perform/topology-of.ts';
import type { RunIdentity } from './run-plan.ts';

export interface BootOptions extends RunIdentity {
  readonly system: System;
  readonly runFolder: string;
  readonly containment: Containment;
  readonly clock: Clock;
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  /** Aborted when the caller is interrupted: the boot is no longer awaited. */
  readonly signal: AbortSignal;
  /** Aborted when there is no time for a graceful shutdown. */
  readonly forceStop: AbortSignal;
  /** Receives every event of the environment. */
  readonly onEvent: (event: JournalEvent) => void;
  /** Receives each process that a trial's own program left running, and that was ended. */
  readonly onStray: (commandLine: string) => void;
}

export interface OpenEnvironment {
  readonly environment: LiveEnvironment;
  /** Removes everything; returns what is left, normally nothing. */
  end(because: string): Promise<{ readonly leaks: readonly string[]; readonly problems: readonly Problem[] }>;
}

/** Rejects with the problems of the boot, after cleaning up. If interrupted, returns what there is, to be ended. */
export async function bootEnvironment(options: BootOptions, number: number): Promise<OpenEnvironment> {
  const { system, run, containment, clock, hostEnv } = options;
  const launched = await beginLaunch({
    systemFolder: system.folder,
    run,
    runFolder: environmentFolderOf(options.runFolder, number),
    environment: uniqueLabel(),
    containment,
    clock,
    hostEnv,
  }).complete({ system, seed: options.seed, variant: options.variant, tool: options.tool, snapshots: true });
  const { environment, booted } = await follow(options, launched.client, launched.plan);
  const problems = await unlessAborted(options.signal, booted);
  if (problems && problems.length > 0) {
    // Its keeper takes it down already, for as long as that takes.
    const { leaks } = await endEnvironment(options, launched, 'it did not boot');
    throw new Problems(leaks.length > 0 ? [...problems, leftBehind(leaks)] : problems);
  }
  return { environment, end: (because) => endEnvironment(options, launched, because) };
}

async function endEnvironment(
  options: BootOptions,
  launched: Launched,
  because: string,
): ReturnType<OpenEnvironment['end']> {
  const { client, plan } = launched;
  const { clock, hostEnv } = options;
  const forceStop = (): void => {
    client.ask('down', { because: 'asked again', forceStop: true }).catch(() => undefined); // it is gone already
  };
  options.forceStop.addEventListener('abort', forceStop, { once: true });
  if (options.forceStop.aborted) forceStop();
  const down = await takeDown(client, plan, because, clock);
  options.forceStop.removeEventListener('abort', forceStop);
  const left = [
    ...(await sweepAfterGuard(launched, clock, hostEnv)),
    ...(await endOutsiders(launched, clock, options.onStray)),
  ];
  return {
    leaks: stillLeft([...down.leftBehind, ...left], plan),
    problems: down.problems.map(problemFromData),
  };
}

/** An environment that another process owns; it stays when we leave. Undefined if it is gone. */
export async function attachEnvironment(
  options: BootOptions,
  plan: Plan,
): Promise<OpenEnvironment | undefined> {
  refuseOtherSecrets(plan, options.hostEnv);
  const client = await connectKeeper(plan.runFolder, options.clock);
  if (!client) return undefined;
  const { environment, booted } = await follow(options, client, plan).catch((error: unknown) => {
    client.close();
    throw error;
  });
  // An environment that was ready before we subscribed sends no event: ask for its status.
  const status = await unlessGone(environment.ask('status', {}));
  if (status === 'gone' || status.state === 'stopping') {
    client.close();
    return undefined;
  }
  const problems = status.state === 'booting' ? await unlessAborted(options.signal, booted) : [];
  if (problems && problems.length > 0) throw new Problems(problems);
  return {
    environment,
    end: async () => {
      client.close();
      return { leaks: [], problems: [] };
    },
  };
}

async function follow(options: BootOptions, client: KeeperClient, plan: Plan) {
  const { system, clock, hostEnv } = options;
  const listeners = new Set<(event: JournalEvent) => void>();
  const booted = Promise.withResolvers<readonly Problem[]>();
  const onGoneListeners = new Set<() => void>();
  let isGone = false;
  const onGone = (): void => {
    isGone = true;
    for (const listener of onGoneListeners) listener();
  };
  const earlier = collectEarlier(topologyOf(system));
  client.onEvent((event) => {
    earlier.note(event);
    // It is being taken down: its behaviour from now on is not evidence.
    if (event.type === 'environment.stopping') onGone();
    options.onEvent(event);
    for (const listener of listeners) listener(event);
    if (event.type === 'environment.ready') booted.resolve([]);
    if (event.type === 'environment.failed') booted.resolve(event.problems.map(problemFromData));
  });
  // A boot that fails at once may be over before we subscribe; then it is read from the journal.
  let described: ReturnType<typeof preparedState> | undefined;
  const gone = client.gone.then(async () => {
    onGone();
    booted.resolve(await lastProblems(plan));
  });
  if ((await subscribe(client, clock, gone)) > 0) earlier.lose();
  const environment: LiveEnvironment = {
    system,
    environment: plan.environment,
    workspace: plan.workspace,
    clock,
    hostEnv,
    redactor: redactorFor({ ...system, secrets: [...system.secrets, ...plan.system.secrets] }, hostEnv),
    ask: client.ask,
    onEvent: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    prepared: async () => {
      described ??= client
        .ask('facts', {})
        .then((facts) => preparedState(system, facts, plan.environment, clock));
      return withSaid(system, await described, earlier.prepared());
    },
    earlier,
    onGone: (listener) => {
      if (isGone) listener();
      onGoneListeners.add(listener);
      return () => onGoneListeners.delete(listener);
    },
  };
  return { environment, booted: booted.promise };
}

/** A run that has just ended may not have left yet. Returns how many events were before, and are lost. */
async function subscribe(client: KeeperClient, clock: Clock, gone: Promise<void>): Promise<number> {
  let refusal: unknown;
  const answer = await waitFor(clock, { withinMs: limits.keeperLeaveMs }, async () => {
    try {
      return await client.ask('subscribe', { as: 'run' });
    } catch (error) {
      refusal = error;
      if (problemsIn(error)[0]?.code === 'usage.in-use') return undefined;
      await gone;
      return 'gone';
    }
  });
  if (answer === undefined) throw refusal;
  return answer === 'gone' ? 0 : answer.missed;
}

async function lastProblems(plan: Plan): Promise<readonly Problem[]> {
  const word = await lastWord(plan.runFolder);
  return word?.type === 'environment.failed'
    ? word.problems.map(problemFromData)
    : [keeperDied(plan, 'while the system was booting')];
}

function leftBehind(left: readonly string[]): Problem {
  return new Problem({
    code: 'left.behind',
    where: 'an environment that did not boot',
    what: `it left something behind: ${left.join('; ')}`,
    allowed: 'nothing',
    next: 'shakedown down',
  });
}
