/** Finds a run by its id, as `latest`, or by the path of its folder. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { RunVerdict } from '../../checks/verdict.ts';
import { latestRunFolder, runFolderOf, stateFolder } from '../../environment/run-folder.ts';
import { openDocument } from '../../journal/seal.ts';
import { nearest } from '../../kernel/nearest.ts';
import { Problem } from '../../kernel/problem.ts';
import { systemFolder } from '../open-system.ts';
import type { Call } from '../verb.ts';

export async function findRun(call: Call, word: string): Promise<string> {
  const asPath = path.resolve(call.cwd, word);
  if (existsSync(path.join(asPath, 'plan.json'))) return asPath;
  const folder = await systemFolder(call);
  const found = word === 'latest' ? latestOfTrials(folder) : runFolderOf(folder, word);
  if (found && existsSync(found)) return found;
  throw notFound(word, folder);
}

/** `up` leaves runs, too, in which nothing was performed. */
function latestOfTrials(folder: string): string | undefined {
  const latest = latestRunFolder(folder);
  // What cannot be read is not passed over: whoever reads it hears why.
  if (latest && (isOfTrials(latest) || isUnreadable(latest))) return latest;
  return runsOf(folder).findLast(isOfTrials) ?? latest;
}

function isUnreadable(run: string): boolean {
  const file = path.join(run, 'plan.json');
  if (!existsSync(file)) return false;
  try {
    return typeof JSON.parse(openDocument(readFileSync(file))) !== 'object';
  } catch {
    return true;
  }
}

function isOfTrials(run: string): boolean {
  try {
    const { kind } = JSON.parse(openDocument(readFileSync(path.join(run, 'plan.json')))) as {
      kind?: unknown;
    };
    return kind === 'run';
  } catch {
    return false; // whoever names it hears why
  }
}

/** The oldest first. */
function runsOf(folder: string): readonly string[] {
  const runs = path.join(stateFolder(folder), 'runs');
  if (!existsSync(runs)) return [];
  return readdirSync(runs)
    .sort()
    .map((run) => path.join(runs, run));
}

/** The newest run before this one that was judged. */
export function lastVerdict(folder: string): RunVerdict | undefined {
  // What is no run of trials has no trials that could be performed again.
  for (const run of runsOf(folder).filter(isOfTrials).reverse()) {
    const verdict = readVerdict(path.join(run, 'verdict.json'));
    if (verdict) return verdict;
  }
  return undefined;
}

/** Undefined for what was never judged, and for what was cut off while it was written. */
function readVerdict(file: string): RunVerdict | undefined {
  try {
    const verdict = JSON.parse(openDocument(readFileSync(file))) as Partial<RunVerdict> | null;
    return Array.isArray(verdict?.trials) ? (verdict as RunVerdict) : undefined;
  } catch {
    return undefined; // the run before it is as good
  }
}

function notFound(word: string, folder: string): Problem {
  const known = runsOf(folder).map((run) => path.basename(run));
  const guess = nearest(word, known);
  return new Problem({
    code: 'run.not-found',
    where: folder,
    what: `there is no run ${JSON.stringify(word)} here`,
    allowed:
      known.length > 0
        ? `latest, ${known.slice(-5).join(', ')}, or the path of a run folder`
        : 'nothing was run here yet',
    next: guess ? `did you mean \`${guess}\`?` : 'run something: shakedown run',
  });
}
