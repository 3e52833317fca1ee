/** The runs that `report` was given, and whether they are parts of one, or two to be compared. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { JudgedRun } from '../../campaigns/report/merge-shards.ts';
import { readSource } from '../../campaigns/report/report-source.ts';
import { judgeRun } from '../../campaigns/run/judge-run.ts';
import { checkedVerdict } from '../../campaigns/run/read-run-verdict.ts';
import { readOutcome } from '../../campaigns/run/run-plan.ts';
import { findRun } from '../../campaigns/session/find-run.ts';
import { badUsage } from '../../kernel/problem.ts';
import type { Call } from '../call/verb.ts';

export async function readRun(call: Call, word: string): Promise<JudgedRun> {
  const folder = await findRun(call, word);
  const source = readSource(folder, call.cwd);
  const isJudged = existsSync(path.join(folder, 'verdict.json'));
  const verdict = await (isJudged ? checkedVerdict(folder) : judgeRun(folder));
  return { ...source, verdict, outcome: readOutcome(folder) };
}

export function purposeOf({ options }: Call, runs: readonly JudgedRun[]): 'merge' | 'compare' {
  const indices = runs.map(({ plan }) => plan.shard?.index);
  const areShards = indices.every((one) => one !== undefined) && new Set(indices).size === runs.length;
  if (options.merge === true || (options.compare !== true && areShards)) return 'merge';
  if (runs.length === 2) return 'compare';
  throw badUsage(
    'shakedown report',
    options.compare === true
      ? `${runs.length} runs cannot be compared`
      : `${runs.length} runs, and not all of them are shards of one`,
    'one run; the shards of one (`run --shard I/N`); or two runs to compare',
    'leave out what is neither, or add --merge to see what is wrong with them',
  );
}
