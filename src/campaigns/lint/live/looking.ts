/** A running system as lint sees it: called from outside, by the drivers that trials use. */
import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { openAttemptResources } from '../../../drivers/attempt-resources.ts';
import type { ActEvidence, DriverContext } from '../../../drivers/driver.ts';
import type { EnvironmentFacts } from '../../../journal/environment-facts.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { removeWhole } from '../../../kernel/folders/remove-tree.ts';
import type { System } from '../../../system/system.ts';
import { loadDriver } from '../../../trials/kinds/step-table.ts';
import { drivingContext } from '../../../trials/perform/driving-context.ts';
import type { LiveEnvironment } from '../../../trials/perform/live-environment.ts';

export interface Looking {
  readonly system: System;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly facts: EnvironmentFacts;
  /** Services that are not up, with their state. */
  readonly down: ReadonlyMap<string, string>;
  /** The result of one act; a transport failure is part of it. */
  ask(kind: string, step: unknown, folder: string): Promise<ActEvidence>;
}

const askWithinMs = 5_000;

export async function lookAt<Result>(
  environment: LiveEnvironment,
  signal: AbortSignal,
  look: (looking: Looking) => Promise<Result>,
): Promise<Result> {
  const scratch = mkdtempSync(path.join(environment.workspace, 'lint-'));
  const resources = openAttemptResources();
  try {
    const [driving, facts, status] = await Promise.all([
      drivingContext(environment, scratch, resources, signal),
      environment.ask('facts', {}),
      environment.ask('status', {}),
    ]);
    const down = status.services
      .filter(({ state }) => state !== 'ready')
      .map(({ name, state }) => [name, state] as const);
    return await look({
      system: environment.system,
      clock: environment.clock,
      signal,
      facts,
      down: new Map(down),
      ask: async (kind, step, folder) => {
        const context: DriverContext = { ...driving, folder, timeoutMs: askWithinMs };
        const act = (await loadDriver(kind)).start(step, context);
        await act.done;
        return act.evidence();
      },
    });
  } finally {
    await resources.end();
    await removeWhole(scratch, { below: path.dirname(environment.workspace), owners: 'everybody' });
  }
}
