/** Finds a run by its id, as `latest`, or by the path of its folder. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { readRunVerdict } from '../../campaigns/run/read-run-verdict.ts';
import type { RunVerdict } from '../../checks/verdict.ts';
import { latestRunFolder, namesIn, runFolderOf, stateFolder } from '../../environment/run-folder.ts';
import { openDocument } from '../../journal/seal.ts';
import { readPlainFile } from '../../kernel/folders/own-file.ts';
import { nearest } from '../../kernel/nearest.ts';
import { Problem } from '../../kernel/problem.ts';
import { systemFolder } from '../open-system.ts';
import type { Call } from '../verb.ts';

export async function findRun(call: Call, word: string): Promise<string> {
  const asPath = path.resolve(call.cwd, word);
  if (existsSync(path.join(asPath, 'plan.json'))) return asPath;
  const folder = await systemFolder(call);
  const found = word === 'latest' ? latestOfTrials(folder) : runFolderOf(folder, word);
  // The latest is not passed over when it is gone or damaged: whoever reads it says what is wrong.
  if (found && (word === 'latest' || existsSync(found))) return found;
  throw notFound(word, folder);
}

/** `up` leaves runs, too, in which nothing was performed. */
function latestOfTrials(folder: string): string | undefined {
  const latest = latestRunFolder(folder);
  const mayBeOfTrials = (run: string): boolean => ['run', undefined].includes(kindOf(run));
  return latest && mayBeOfTrials(latest) ? latest : (runsOf(folder).findLast(mayBeOfTrials) ?? latest);
}

/** Undefined when nobody knows, because its plan cannot be read. */
function kindOf(run: string): string | undefined {
  try {
    const plan = JSON.parse(openDocument(readPlainFile(path.join(run, 'plan.json')))) as { kind?: string };
    return plan.kind ?? ('environment' in plan ? 'up' : undefined);
  } catch {
    return undefined;
  }
}

/** The oldest first. */
function runsOf(folder: string): string[] {
  const runs = path.join(stateFolder(folder), 'runs');
  return [...namesIn(runs)].sort().map((run) => path.join(runs, run));
}

/** Of the newest run that was judged, as far as it can be read: for what is only a help. */
export function lastVerdict(folder: string): RunVerdict | undefined {
  // What is no run of trials has no trials that could be performed again.
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
