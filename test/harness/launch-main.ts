/** Entry: launches environments as `shakedown run` does, prints where they are, and holds them until it is ended. */
import { chooseContainment } from '../../src/environment/containment/containment.ts';
import { beginLaunch } from '../../src/environment/keeper/launch.ts';
import { environmentFolderOf, runFolderOf } from '../../src/environment/run-folder.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { formatProblem, problemFromData } from '../../src/kernel/problem.ts';
import { freshSeed, runId, uniqueLabel } from '../../src/kernel/unique-id.ts';
import { findConfig } from '../../src/system/find-config.ts';
import { loadSystem } from '../../src/system/load-system.ts';

interface Wanted {
  readonly environments: number;
  readonly snapshots: boolean;
  readonly containment?: 'namespace' | 'ledger';
}

const wanted = JSON.parse(process.argv[2] ?? '{}') as Wanted;
const systemFolder = process.cwd();
const system = await loadSystem({ file: findConfig(systemFolder) }, process.env);
const containment = await chooseContainment(wanted.containment);
const run = runId(systemClock.now());
const launched = await Promise.all(
  Array.from({ length: wanted.environments }, (_, number) => launch(number + 1)),
);
process.stdout.write(`${JSON.stringify(launched)}\n`);
// The parent holds the other end; this process ends with it.
process.stdin.on('end', () => process.exit()).resume();

async function launch(number: number): Promise<{ runFolder: string; bootMs: number; problem?: string }> {
  const startedAt = systemClock.monotonic();
  const { client, plan } = await beginLaunch({
    systemFolder,
    run,
    runFolder: environmentFolderOf(runFolderOf(systemFolder, run), number),
    containment,
    clock: systemClock,
    hostEnv: process.env,
    environment: uniqueLabel(),
  }).complete({ system, seed: freshSeed(), variant: {}, tool: 'test', snapshots: wanted.snapshots });
  const problem = await new Promise<string | undefined>((resolve) => {
    client.onEvent((event) => {
      if (event.type === 'environment.ready') resolve(undefined);
      if (event.type === 'environment.failed')
        resolve(event.problems.map((data) => formatProblem(problemFromData(data))).join('\n'));
    });
    void client.ask('subscribe', { as: 'test' });
  });
  const bootMs = systemClock.monotonic() - startedAt;
  return { runFolder: plan.runFolder, bootMs, ...(problem === undefined ? {} : { problem }) };
}
