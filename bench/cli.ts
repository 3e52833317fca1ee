/** How soon the command line answers, beside a Node that does nothing, and what the keeper takes of the memory. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { systemClock } from '../src/kernel/clock.ts';
import { type BuiltPackage, buildPackage } from './cli/built-package.ts';
import { memoryOf } from './cli/memory-of.ts';
import { writeTenServices } from './cli/ten-services.ts';
import { untilInterrupted } from './cli/until-interrupted.ts';
import type { BenchResult } from './run.ts';
import {
  type Contestant,
  formatSideBySide,
  type Scores,
  type SideBySide,
  sideBySide,
} from './side-by-side.ts';

const rounds = 41;
const idleMs = 5_000;
const bare = 'node -e 0';
const version = 'shakedown --version';

type Call = (...argv: readonly string[]) => string;

export async function bench(): Promise<BenchResult> {
  const whileWanted = untilInterrupted();
  const built = await buildPackage();
  try {
    const project = join(built.folder, 'ten');
    await writeTenServices(project);
    const call = caller(built, project);
    const contestants = whileWanted([
      contestant(bare, call, 'node', '-e', '0'),
      contestant(version, call, built.binary, '--version'),
      contestant('shakedown lint', call, built.binary, 'lint'),
      contestant('shakedown status', call, built.binary, 'status'),
    ]);
    try {
      const up = JSON.parse(call(built.binary, 'up', '--detach', '--json')) as { keeper: { pid: number } };
      await systemClock.sleep(idleMs);
      const memory = await memoryOf(up.keeper.pid);
      return report(await sideBySide(rounds, contestants), memory);
    } finally {
      call(built.binary, 'down');
    }
  } finally {
    await built.remove();
  }
}

/** Blocks, so that nothing of ours runs beside what is timed. */
function caller({ env }: BuiltPackage, cwd: string): Call {
  return (command = '', ...words) => {
    const options = { cwd, env, encoding: 'utf8', timeout: 60_000 } as const;
    const { status, stdout, stderr, error } = spawnSync(command, words, options);
    if (status === 0) return stdout;
    throw new Error(`${command} ${words.join(' ')} ended with ${status}: ${error?.message ?? stderr}`);
  };
}

function contestant(name: string, call: Call, ...argv: readonly string[]): Contestant {
  const measure = async (): Promise<Scores> => {
    const startedAt = performance.now();
    call(...argv);
    return { tookMs: performance.now() - startedAt };
  };
  return { name, measure };
}

function report(result: SideBySide, memory: Scores | undefined): BenchResult {
  const keeperMegabytes = memory?.residentMb;
  return {
    table: `${formatSideBySide(result)}\n\n${memoryLine(memory)}`,
    ratios: {
      versionOverBareNode: result.ratio('tookMs', version, bare),
      ...(keeperMegabytes === undefined ? {} : { keeperMegabytes }),
    },
    aims: {
      versionOverBareNode: { atMost: 2 },
      ...(keeperMegabytes === undefined ? {} : { keeperMegabytes: { atMost: 150 } }),
    },
    peersAbsent: [],
  };
}

function memoryLine(memory: Scores | undefined): string {
  if (memory === undefined) return 'The memory of the keeper can be read on Linux alone.';
  const figures = Object.entries(memory).map(([name, value]) => `${name} ${value.toFixed(1)}`);
  return `the keeper with ten services, idle for ${idleMs / 1_000} s: ${figures.join(', ')}`;
}
