/** Finds a run by its id, as `latest`, or by the path of its folder. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { RunVerdict } from '../../checks/verdict.ts';
import { latestRunFolder, runFolderOf, runsOf } from '../../environment/run-folder.ts';
import { openDocument } from '../../journal/seal.ts';
import { readPlainFile } from '../../kernel/folders/own-file.ts';
import { didYouMean } from '../../kernel/nearest.ts';
import { Problem } from '../../kernel/problem.ts';
import { readRunVerdict } from '../run/read-run-verdict.ts';
import type { Host } from './host.ts';
import { systemFolder } from './open-system.ts';

export async function findRun(host: Host, word: string): Promise<string> {
  const asPath = path.resolve(host.cwd, word);
  if (existsSync(path.join(asPath, 'plan.json'))) return asPath;
  const folder = await systemFolder(host);
  const found = word === 'latest' ? latestOfTrials(folder) : runFolderOf(folder, word);
  // The latest is used even when it is gone or damaged: the reader reports what is wrong.
  if (found && (word === 'latest' || existsSync(found))) return found;
  throw notFound(word, folder);
}

/** `up` also leaves runs, which have no trials. */
function latestOfTrials(folder: string): string | undefined {
  const latest = latestRunFolder(folder);
  const mayBeOfTrials = (run: string): boolean => ['run', undefined].includes(kindOf(run));
  return latest && mayBeOfTrials(latest) ? latest : (runsOf(folder).findLast(mayBeOfTrials) ?? latest);
}

/** Undefined when its plan cannot be read. */
export function kindOf(run: string): string | undefined {
  try {
    const plan = JSON.parse(openDocument(readPlainFile(path.join(run, 'plan.json')))) as { kind?: string };
    return plan.kind ?? ('environment' in plan ? 'up' : undefined);
  } catch {
    return undefined;
  }
}

/** The verdict of the newest judged run that can be read: best effort, for hints only. */
export function lastVerdict(folder: string): RunVerdict | undefined {
  // Other kinds of runs have no trials that could be run again.
  for (const run of runsOf(folder).reverse()) {
    const verdict = kindOf(run) === 'run' ? verdictIn(run) : undefined;
    if (verdict) return verdict;
  }
  return undefined;
}

function verdictIn(run: string): RunVerdict | undefined {
  try {
    return readRunVerdict(run);
  } catch {
    return undefined; // an older run will do
  }
}

function notFound(word: string, folder: string): Problem {
  const known = runsOf(folder).map((run) => path.basename(run));
  return new Problem({
    code: 'run.not-found',
    where: folder,
    what: `there is no run ${JSON.stringify(word)} here`,
    allowed:
      known.length > 0
        ? `latest, ${known.slice(-5).join(', ')}, or the path of a run folder`
        : 'no run exists here yet',
    next: didYouMean(word, known, 'run something: shakedown run'),
  });
}
