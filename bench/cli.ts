/** How soon the command line answers, beside a Node that does nothing, and what the keeper takes of the memory. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { systemClock } from '../src/kernel/clock.ts';
import { type BuiltPackage, buildPackage } from './cli/built-package.ts';
import { memoryOf } from './cli/memory-of.ts';
import { writeTenServices } from './cli/ten-services.ts';
import type { BenchResult } from './run.ts';
import { type Contestant, formatSideBySide, type Scores, sideBySide } from './side-by-side.ts';

const rounds = 41;
const idleMs = 5_000;
const bare = 'node -e 0';
const version = 'shakedown --version';

export async function bench(): Promise<BenchResult> {
  const built = await buildPackage();
  const project = join(built.folder, 'ten');
  try {
    await writeTenServices(project);
    const status = JSON.parse(call(built, project, built.binary, 'up', '--detach', '--json')) as {
      keeper: { pid: number };
    };
    await systemClock.sleep(idleMs);
    const memory = await memoryOf(status.keeper.pid);
    const result = await sideBySide(rounds, [
      contestant(bare, built, project, 'node', '-e', '0'),
      contestant(version, built, project, built.binary, '--version'),
      contestant('lint', built, project, built.binary, 'lint'),
      contestant('status', built, project, built.binary, 'status'),
    ]);
    return {
      table: `${formatSideBySide(result)}\n\n${memoryTable(memory)}`,
      ratios: {
        versionOverBareNode: result.ratio('medianMs', version, bare),
        ...(memory ? { keeperMegabytes: memory.residentMb ?? Number.NaN } : {}),
      },
      aims: {
        versionOverBareNode: { atMost: 2 },
        ...(memory ? { keeperMegabytes: { atMost: 150 } } : {}),
      },
      peersAbsent: [],
    };
  } finally {
    spawnSync(built.binary, ['down'], { cwd: project, env: built.env, timeout: 60_000 });
    await built.remove();
  }
}

function contestant(name: string, built: BuiltPackage, cwd: string, ...argv: readonly string[]): Contestant {
  const measure = async (): Promise<Scores> => {
    const startedAt = performance.now();
    call(built, cwd, ...argv);
    return { medianMs: performance.now() - startedAt };
  };
  return { name, measure };
}

/** Blocks, so that nothing of ours runs beside it. */
function call({ env }: BuiltPackage, cwd: string, ...argv: readonly string[]): string {
  const [command = '', ...words] = argv;
  const { status, stdout, stderr, error } = spawnSync(command, words, {
    cwd,
    env,
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}: ${error ?? stderr}`);
  return stdout;
}

function memoryTable(memory: Scores | undefined): string {
  if (memory === undefined) return 'The memory of the keeper can be read on Linux alone.';
  const figures = Object.entries(memory).map(([name, value]) => `${name} ${value.toFixed(1)}`);
  return `the keeper with ten services, idle for ${idleMs / 1_000} s: ${figures.join(', ')}`;
}
