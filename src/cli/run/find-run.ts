/** Finds a run by its id, as `latest`, or by the path of its folder. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { RunVerdict } from '../../checks/verdict.ts';
import { latestRunFolder, runFolderOf, stateFolder } from '../../environment/run-folder.ts';
import { nearest } from '../../kernel/nearest.ts';
import { Problem } from '../../kernel/problem.ts';
import { systemFolder } from '../open-system.ts';
import type { Call } from '../verb.ts';

export async function findRun(call: Call, word: string): Promise<string> {
  const asPath = path.resolve(call.cwd, word);
  if (existsSync(path.join(asPath, 'plan.json'))) return asPath;
  const folder = await systemFolder(call);
  const found = word === 'latest' ? latestRunFolder(folder) : runFolderOf(folder, word);
  if (found && existsSync(found)) return found;
  throw notFound(word, folder);
}

/** The newest run before this one that was judged. */
export function lastVerdict(folder: string): RunVerdict | undefined {
  const runs = path.join(stateFolder(folder), 'runs');
  if (!existsSync(runs)) return undefined;
  const judged = readdirSync(runs)
    .sort()
    .reverse()
    .map((run) => path.join(runs, run, 'verdict.json'))
    .find((file) => existsSync(file));
  return judged === undefined ? undefined : (JSON.parse(readFileSync(judged, 'utf8')) as RunVerdict);
}

function notFound(word: string, folder: string): Problem {
  const runs = path.join(stateFolder(folder), 'runs');
  const known = existsSync(runs) ? readdirSync(runs).sort() : [];
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
