/** An environment with snapshots, as `shakedown run` has it, that can be renewed again and again. */
import { chooseContainment } from '../../src/environment/containment/containment.ts';
import { beginLaunch } from '../../src/environment/keeper/launch.ts';
import { takeDown } from '../../src/environment/keeper/take-down.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { runId, uniqueLabel } from '../../src/kernel/unique-id.ts';
import { findConfig } from '../../src/system/find-config.ts';
import { loadSystem } from '../../src/system/load-system.ts';

export interface HeldEnvironment {
  /** Milliseconds until everything was ready again. */
  renew(level: 'fresh' | 'restart'): Promise<number>;
  end(): Promise<void>;
}

export async function holdEnvironment(project: string, hostEnv: NodeJS.ProcessEnv): Promise<HeldEnvironment> {
  const system = await loadSystem({ file: await findConfig(project) }, hostEnv);
  const { client, plan } = await beginLaunch({
    systemFolder: project,
    run: runId(systemClock.now()),
    environment: uniqueLabel(),
    containment: await chooseContainment(undefined),
    clock: systemClock,
    hostEnv,
  }).complete({ system, seed: 'bench', variant: {}, tool: 'bench', snapshots: true });
  const ready = new Promise<void>((resolve, reject) => {
    client.onEvent((event) => {
      if (event.type === 'environment.ready') resolve();
      if (event.type === 'environment.failed')
        reject(new Error(event.problems[0]?.what ?? 'the boot failed'));
    });
  });
  await client.ask('subscribe', { as: 'bench' });
  await ready;
  return {
    renew: async (level) => {
      const startedAt = performance.now();
      await client.ask('renew', { level });
      return performance.now() - startedAt;
    },
    end: async () => void (await takeDown(client, plan, 'the bench is over', systemClock)),
  };
}
