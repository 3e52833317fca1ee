/** An environment of a run: launched, booted, made fresh between trials, and taken away at the end. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Containment } from '../../environment/containment/containment.ts';
import { connectKeeper, type KeeperClient } from '../../environment/keeper/keeper-client.ts';
import { beginLaunch, type Launched } from '../../environment/keeper/launch.ts';
import { takeDown } from '../../environment/keeper/take-down.ts';
import type { Plan } from '../../environment/plan.ts';
import type { JournalEvent } from '../../journal/event.ts';
import { createRedactor, secretValues } from '../../journal/redaction.ts';
import type { Clock } from '../../kernel/clock.ts';
import { within } from '../../kernel/deadline.ts';
import { limits } from '../../kernel/limits.ts';
import { type Problem, Problems, problemFromData } from '../../kernel/problem.ts';
import { uniqueLabel } from '../../kernel/unique-id.ts';
import type { System } from '../../system/system.ts';
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
  /** Sees every event of the environment. */
  readonly onEvent: (event: JournalEvent) => void;
}

export interface LiveStage {
  readonly stage: Stage;
  /** Takes everything away; gives what is left, which is nothing as a rule. */
  end(because: string): Promise<{ readonly leaks: readonly string[]; readonly problems: readonly Problem[] }>;
}

/** Rejects with the problems of the boot; nothing is left of it then. */
export async function bootStage(options: StageOptions, number: number): Promise<LiveStage> {
  const { system, run, containment, clock, hostEnv } = options;
  const launched = await beginLaunch({
    systemFolder: system.folder,
    run,
    runFolder: path.join(options.runFolder, 'environments', String(number)),
    environment: uniqueLabel(),
    containment,
    clock,
    hostEnv,
  }).complete({ system, seed: options.seed, variant: options.variant, tool: options.tool, snapshots: true });
  const { stage, booted } = await follow(options, launched.client, launched.plan);
  const problems = await booted;
  if (problems.length > 0) {
    await swept(launched, clock);
    throw problems.length === 1 ? problems[0] : new Problems(problems);
  }
  return {
    stage,
    end: async (because) => {
      const down = await takeDown(launched.client, launched.plan, because, clock);
      await swept(launched, clock);
      return { leaks: down.leftBehind, problems: down.problems.map(problemFromData) };
    },
  };
}

/** An environment that somebody else holds; it stays when we leave. */
export async function attachStage(options: StageOptions, plan: Plan): Promise<LiveStage | undefined> {
  const client = await connectKeeper(plan.runFolder);
  if (!client) return undefined;
  const { stage } = await follow(options, client, plan);
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
  client.onEvent((event) => {
    options.onEvent(event);
    for (const listener of listeners) listener(event);
    if (event.type === 'environment.ready') booted.resolve([]);
    if (event.type === 'environment.failed') booted.resolve(event.problems.map(problemFromData));
  });
  void client.gone.then(() => booted.resolve([]));
  await client.ask('subscribe', { as: 'run' });
  const stage: Stage = {
    system,
    environment: plan.environment,
    clock,
    hostEnv,
    redactor: createRedactor(secretValues(system.secrets, hostEnv)),
    ask: client.ask,
    onEvent: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    gone: client.gone,
  };
  return { stage, booted: booted.promise };
}

async function swept(launched: Launched, clock: Clock): Promise<void> {
  await within(clock, limits.teardownWithinMs, launched.guardEnded);
  if (existsSync(launched.plan.workspace)) launched.client.close();
}
