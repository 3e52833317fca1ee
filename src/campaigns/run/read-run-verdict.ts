/** The verdict of a stored run as it was written, or a problem that says why there is none. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { RunVerdict } from '../../checks/verdict.ts';
import { isSealed, openDocument } from '../../journal/seal.ts';
import { Problem } from '../../kernel/problem.ts';
import { judgeRun } from './judge-run.ts';
import { plannedRun } from './run-plan.ts';

/** One without a checksum proves nothing: the run is judged again from its journals. */
export async function checkedVerdict(folder: string): Promise<RunVerdict> {
  return readRunVerdict(folder) ?? (await judgeRun(folder));
}

/** Undefined when it has no checksum, because an older version wrote it, or somebody changed it. */
export function readRunVerdict(folder: string): RunVerdict | undefined {
  const run = plannedRun(folder);
  const file = path.join(folder, 'verdict.json');
  if (!existsSync(file))
    throw noVerdict(file, 'the run was never judged: it was killed, is under way, or performed no trial');
  const bytes = readFileSync(file);
  const verdict = parse(file, bytes);
  if (verdict?.schemaVersion !== 1)
    throw noVerdict(file, `it is of version ${JSON.stringify(verdict?.schemaVersion ?? null)}`);
  if (verdict.run !== run)
    throw noVerdict(file, `it is of the run ${JSON.stringify(verdict.run ?? null)}, and the plan of ${run}`);
  return isSealed(bytes) ? (verdict as RunVerdict) : undefined;
}

function parse(file: string, bytes: Buffer): Partial<RunVerdict> | null {
  try {
    return JSON.parse(openDocument(bytes)) as Partial<RunVerdict> | null;
  } catch (error) {
    throw noVerdict(file, error instanceof Error ? error.message : String(error));
  }
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
