/** The stored verdict of a run as it was written, or a problem that says why there is none. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { RunVerdict } from '../../checks/verdict.ts';
import { isSealed, openDocument } from '../../journal/seal.ts';
import { readPlainFile } from '../../kernel/folders/own-file.ts';
import { Problem } from '../../kernel/problem.ts';
import { judgeRun } from './judge-run.ts';
import { plannedRun } from './run-plan.ts';

/** A verdict without a checksum proves nothing: the run is judged again from its journals. */
export async function checkedVerdict(folder: string): Promise<RunVerdict> {
  return readRunVerdict(folder) ?? (await judgeRun(folder));
}

/** Undefined without a checksum: an older version wrote it, or it was edited. */
export function readRunVerdict(folder: string): RunVerdict | undefined {
  const run = plannedRun(folder);
  const file = path.join(folder, 'verdict.json');
  if (!existsSync(file))
    throw noVerdict(file, 'the run was never judged: it was killed, is still running, or performed no trial');
  const { verdict, hasChecksum } = parse(file);
  if (verdict?.schemaVersion !== 1)
    throw noVerdict(file, `it is of version ${JSON.stringify(verdict?.schemaVersion ?? null)}`);
  if (verdict.run !== run)
    throw noVerdict(file, `it is of the run ${JSON.stringify(verdict.run ?? null)}, and the plan of ${run}`);
  return hasChecksum ? (verdict as RunVerdict) : undefined;
}

function parse(file: string): { verdict: Partial<RunVerdict> | null; hasChecksum: boolean } {
  try {
    const bytes = readPlainFile(file);
    const verdict = JSON.parse(openDocument(bytes)) as Partial<RunVerdict> | null;
    return { verdict, hasChecksum: isSealed(bytes) };
  } catch (error) {
    throw noVerdict(file, error instanceof Error ? error.message : String(error));
  }
}

function noVerdict(file: string, what: string): Problem {
  return new Problem({
    code: 'run.unreadable',
    where: file,
    what: `there is no verdict to show: ${what}`,
    allowed: 'a run that ended, as this version wrote it (schemaVersion 1)',
    next: `judge it from its journals: shakedown judge ${path.basename(path.dirname(file))}; or name another run`,
  });
}
