/** A stored run sabotaged on one core: how many lies are told and judged in a second, reading the run included. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { type BuiltPackage, buildPackage } from './cli/built-package.ts';
import { untilInterrupted } from './cli/until-interrupted.ts';
import type { BenchResult } from './run.ts';
import { writeSuite } from './sabotage/suite.ts';
import { formatSideBySide, type Scores, sideBySide } from './side-by-side.ts';

const trials = 60;
const rounds = 7;
const leastPerSecond = 2_000;
const ours = 'shakedown sabotage';

export async function bench(): Promise<BenchResult> {
  const whileWanted = untilInterrupted();
  const built = await buildPackage();
  const folder = path.join(built.folder, 'sabotage');
  try {
    writeSuite(folder, trials);
    call(built, folder, [built.binary, 'run'], [0]);
    const pinned = pinning(built);
    const result = await sideBySide(
      rounds,
      whileWanted([{ name: ours, measure: async () => sabotage(built, folder, pinned) }]),
    );
    return {
      table: `${formatSideBySide(result)}\n\n${pinned.length > 0 ? 'on one core' : 'taskset is not there: on as many cores as it likes'}`,
      ratios: { mutantsPerSecond: result.median(ours, 'mutantsPerSecond') },
      aims: { mutantsPerSecond: { atLeast: leastPerSecond } },
      peersAbsent: [],
    };
  } finally {
    await built.remove();
  }
}

/** The whole process counts: its start, reading the run, judging, and telling. */
function sabotage(built: BuiltPackage, folder: string, pinned: readonly string[]): Scores {
  const startedAt = performance.now();
  const stdout = call(built, folder, [...pinned, 'node', built.binary, 'sabotage', '--json'], [0, 6]);
  const tookMs = performance.now() - startedAt;
  const { mutants, checks } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Scores;
  if (mutants === undefined || checks === undefined || mutants < checks)
    throw new Error(`it told ${mutants} lies about ${checks} checks`);
  return { tookMs, checks, mutants, mutantsPerSecond: mutants / (tookMs / 1_000) };
}

/** Words that keep a process and its threads on one core, where the machine has them. */
function pinning({ env }: BuiltPackage): readonly string[] {
  const words = ['taskset', '-c', '0'];
  return spawnSync(words[0] ?? '', [...words.slice(1), 'true'], { env }).status === 0 ? words : [];
}

function call(
  { env }: BuiltPackage,
  cwd: string,
  argv: readonly string[],
  allowed: readonly number[],
): string {
  const [command = '', ...words] = argv;
  const options = { cwd, env, encoding: 'utf8', timeout: 180_000, maxBuffer: 256 * 1024 * 1024 } as const;
  const { status, stdout, stderr, error } = spawnSync(command, words, options);
  if (status !== null && allowed.includes(status)) return stdout;
  throw new Error(
    `${argv.join(' ')} ended with ${status}: ${error?.message ?? (stderr || stdout).slice(-2_000)}`,
  );
}
