/** An environment of a run: launched, booted, made fresh between trials, and taken away at the end. */
import { existsSync } from 'node:fs';
import type { Containment } from '../../environment/containment/containment.ts';
import { refuseOtherSecrets } from '../../environment/containment/sealed-variables.ts';
import { stillLeft } from '../../environment/containment/workspace.ts';
import { connectKeeper, type KeeperClient, unlessGone } from '../../environment/keeper/keeper-client.ts';
import { keeperDied } from '../../environment/keeper/keeper-died.ts';
import { lastWord } from '../../environment/keeper/last-word.ts';
import { beginLaunch, type Launched } from '../../environment/keeper/launch.ts';
import { takeDown } from '../../environment/keeper/take-down.ts';
import type { Plan } from '../../environment/plan.ts';
import { redactorFor } from '../../environment/redactor-for.ts';
import { environmentFolderOf } from '../../environment/run-folder.ts';
import { endStrays } from '../../environment/strays.ts';
import type { JournalEvent } from '../../journal/event.ts';
import type { Clock } from '../../kernel/clock.ts';
import { within } from '../../kernel/deadline.ts';
import { limits } from '../../kernel/limits.ts';
import { Problem, Problems, problemFromData } from '../../kernel/problem.ts';
import { uniqueLabel } from '../../kernel/unique-id.ts';
import { unlessAborted } from '../../kernel/until-aborted.ts';
import type { System } from '../../system/system.ts';
import { preparedState } from '../../trials/perform/prepared-state.ts';
import type { Stage } from '../../trials/perform/stage.ts';

export interface StageOptions {
  readonly system: System;
  readonly run: string;
  readonly runFolder: string;
  readonly containment: Containment;
  readonly seed: string;
  readonly variant: Readonly<Record<string, string>>;
  readonly tool: string;
  readonly clock: Clock;
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  /** Aborted when whoever called is interrupted: nobody waits for a boot any more. */
  readonly signal: AbortSignal;
  /** Aborted when there is no time for goodbyes. */
  readonly hurry: AbortSignal;
  /** Sees every event of the environment. */
  readonly onEvent: (event: JournalEvent) => void;
  /** Hears of each process that a trial's own program left running, and that was ended. */
  readonly onStray: (commandLine: string) => void;
}

export interface LiveStage {
  readonly stage: Stage;
  /** Takes everything away; gives what is left, which is nothing as a rule. */
  end(because: string): Promise<{ readonly leaks: readonly string[]; readonly problems: readonly Problem[] }>;
}

/** Rejects with the problems of the boot; nothing is left of it then. Interrupted, it gives what there is, to be ended. */
export async function bootStage(options: StageOptions, number: number): Promise<LiveStage> {
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
  const { stage, booted } = await follow(options, launched.client, launched.plan);
  const problems = await unlessAborted(options.signal, booted);
  if (problems && problems.length > 0) {
    const left = await stillThere(options, launched);
    throw new Problems(left.length > 0 ? [...problems, leftBehind(left)] : problems);
  }
  return { stage, end: (because) => endStage(options, launched, because) };
}

async function endStage(
  options: StageOptions,
  launched: Launched,
  because: string,
): ReturnType<LiveStage['end']> {
  const { client, plan } = launched;
  const hurry = (): void => {
    client.ask('down', { because: 'asked again', hurry: true }).catch(() => 'it is gone already');
  };
  options.hurry.addEventListener('abort', hurry, { once: true });
  if (options.hurry.aborted) hurry();
  const down = await takeDown(client, plan, because, options.clock);
  options.hurry.removeEventListener('abort', hurry);
  const left = [...(await stillThere(options, launched)), ...(await endOutsiders(options, plan))];
  return {
    leaks: stillLeft([...down.leftBehind, ...left], plan),
    problems: down.problems.map(problemFromData),
  };
}

/** An environment that somebody else holds; it stays when we leave. Undefined when it is gone. */
export async function attachStage(options: StageOptions, plan: Plan): Promise<LiveStage | undefined> {
  refuseOtherSecrets(plan, options.hostEnv);
  const client = await connectKeeper(plan.runFolder, options.clock);
  if (!client) return undefined;
  const { stage, booted } = await follow(options, client, plan);
  // One that was ready long ago has forgotten to say so.
  const status = await unlessGone(stage.ask('status', {}));
  if (status === 'gone' || status.state === 'stopping') {
    client.close();
    return undefined;
  }
  const problems = status.state === 'booting' ? await unlessAborted(options.signal, booted) : [];
  if (problems && problems.length > 0) throw new Problems(problems);
  return {
    stage,
    end: async () => {
      client.close();
      return { leaks: [], problems: [] };
    },
  };
}

interface Followed {
  readonly stage: Stage;
  /** The problems that stood in the way of the boot; none when it is ready. */
  readonly booted: Promise<readonly Problem[]>;
}

async function follow(options: StageOptions, client: KeeperClient, plan: Plan): Promise<Followed> {
  const { system, clock, hostEnv } = options;
  const listeners = new Set<(event: JournalEvent) => void>();
  const booted = Promise.withResolvers<readonly Problem[]>();
  const mourners = new Set<() => void>();
  let isGone = false;
  const mourn = (): void => {
    isGone = true;
    for (const listener of mourners) listener();
  };
  client.onEvent((event) => {
    // Somebody takes it down: what it does from now on is no answer to anybody.
    if (event.type === 'environment.stopping') mourn();
    options.onEvent(event);
    for (const listener of listeners) listener(event);
    if (event.type === 'environment.ready') booted.resolve([]);
    if (event.type === 'environment.failed') booted.resolve(event.problems.map(problemFromData));
  });
  // A boot that fails at once may be over before we can listen; it is written down then.
  let prepared: ReturnType<Stage['prepared']> | undefined;
  const gone = client.gone.then(async () => {
    mourn();
    booted.resolve(await lastProblems(plan));
  });
  await client.ask('subscribe', { as: 'run' }).catch(() => gone);
  const stage: Stage = {
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
    prepared: () => {
      prepared ??= client
        .ask('facts', {})
        .then((facts) => preparedState(system, facts, plan.environment, clock));
      return prepared;
    },
    onGone: (listener) => {
      if (isGone) listener();
      mourners.add(listener);
      return () => mourners.delete(listener);
    },
  };
  return { stage, booted: booted.promise };
}

async function lastProblems(plan: Plan): Promise<readonly Problem[]> {
  const word = await lastWord(plan.runFolder);
  return word?.type === 'environment.failed'
    ? word.problems.map(problemFromData)
    : [keeperDied(plan, 'while the system was booting')];
}

/** What programs of trials started runs outside of the namespace, where only we can see it. */
async function endOutsiders({ clock, onStray }: StageOptions, plan: Plan): Promise<readonly string[]> {
  const { found, left } = await endStrays({ ...plan, clock, alone: false });
  for (const commandLine of found) onStray(commandLine);
  return left;
}

/** Waits for the guard; what keeper and guard could not take away, nobody else is there for. */
async function stillThere(
  { clock, hostEnv }: StageOptions,
  { plan, guardEnded }: Launched,
): Promise<readonly string[]> {
  const ended = await within(
    clock,
    limits.teardownWithinMs,
    guardEnded.then(() => true),
  );
  if (!existsSync(plan.workspace)) return [];
  // A guard that is still at it must not be disturbed.
  if (!ended) return [folderLeft(plan)];
  const { sweep } = await import('../../environment/containment/sweep.ts'); // both killed is rare
  return (await sweep(plan, clock, hostEnv)).leftBehind;
}

/** As `takeDown` names it. */
function folderLeft({ workspace }: Plan): string {
  return `folder ${workspace}`;
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
