/** A running system as it is looked at: asked from outside, by the drivers that trials act by. */
import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { openBelongings } from '../../../drivers/belongings.ts';
import type { ActEvidence, DriverContext } from '../../../drivers/driver.ts';
import type { EnvironmentFacts } from '../../../journal/environment-facts.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { removeWhole } from '../../../kernel/folders/remove-tree.ts';
import type { System } from '../../../system/system.ts';
import { type DriverKind, loadDriver } from '../../../trials/perform/driver-table.ts';
import { drivingContext } from '../../../trials/perform/driving-context.ts';
import type { Stage } from '../../../trials/perform/stage.ts';

export interface Looking {
  readonly system: System;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly facts: EnvironmentFacts;
  /** Services that are not up, and how they are instead. */
  readonly down: ReadonlyMap<string, string>;
  /** What one act brings; a failure of the transport is in it. */
  ask(kind: DriverKind, step: unknown, folder: string): Promise<ActEvidence>;
}

const askWithinMs = 5_000;

export async function lookAt<Result>(
  stage: Stage,
  signal: AbortSignal,
  look: (looking: Looking) => Promise<Result>,
): Promise<Result> {
  const scratch = mkdtempSync(path.join(stage.workspace, 'lint-'));
  const belongings = openBelongings();
  try {
    const [driving, facts, status] = await Promise.all([
      drivingContext(stage, scratch, belongings, signal),
      stage.ask('facts', {}),
      stage.ask('status', {}),
    ]);
    const down = status.services
      .filter(({ state }) => state !== 'ready')
      .map(({ name, state }) => [name, state] as const);
    return await look({
      system: stage.system,
      clock: stage.clock,
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
    await belongings.end();
    await removeWhole(scratch, { below: path.dirname(stage.workspace), owners: 'everybody' });
  }
}
