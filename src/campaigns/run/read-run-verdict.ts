/** The verdict of a stored run as it was written, or a problem that says why there is none. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { RunVerdict } from '../../checks/verdict.ts';
import { Problem } from '../../kernel/problem.ts';
import { exitCodeOf } from './judge-run.ts';
import { plannedRun } from './run-plan.ts';

export function readRunVerdict(folder: string): RunVerdict {
  const run = plannedRun(folder);
  const file = path.join(folder, 'verdict.json');
  if (!existsSync(file))
    throw noVerdict(file, 'the run was never judged: it was killed, is under way, or performed no trial');
  const verdict = parse(file);
  if (verdict.schemaVersion !== 1)
    throw noVerdict(file, `it is of version ${JSON.stringify(verdict.schemaVersion ?? null)}`);
  if (verdict.run !== run)
    throw noVerdict(file, `it is of the run ${JSON.stringify(verdict.run ?? null)}, and the plan of ${run}`);
  const isWhole =
    Array.isArray(verdict.trials) && Array.isArray(verdict.reasons) && typeof verdict.counts === 'object';
  if (!isWhole) throw noVerdict(file, 'it is no whole verdict');
  const { exitCode, reasons = [] } = verdict;
  if (exitCode !== exitCodeOf(reasons))
    throw noVerdict(file, `its exit code is ${JSON.stringify(exitCode)}, and its reasons say another`);
  return verdict as RunVerdict;
}

function parse(file: string): Partial<RunVerdict> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value === 'object' && value !== null) return value as Partial<RunVerdict>;
  } catch (error) {
    throw noVerdict(file, error instanceof Error ? error.message : String(error));
  }
  throw noVerdict(file, 'it is no map');
}

function noVerdict(file: string, what: string): Problem {
  return new Problem({
    code: 'run.unreadable',
    where: file,
    what: `there is no verdict to tell: ${what}`,
    allowed: 'a run that came to its end, as this version wrote it (schemaVersion 1)',
    next: `judge it from its journals: shakedown judge ${path.basename(path.dirname(file))}; or name another run`,
  });
}
