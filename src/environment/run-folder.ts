/** Where a run leaves its evidence: `.shakedown/runs/<id>/` beside the config file. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { changeMode, removeFile } from '../kernel/folders/entries-below.ts';
import { removeTree } from '../kernel/folders/remove-tree.ts';
import { limits } from '../kernel/limits.ts';

/** `.shakedown` beside the config; disposable, and ignored by git through a file of its own. */
export function stateFolder(systemFolder: string): string {
  return path.join(systemFolder, '.shakedown');
}

export function runFolderOf(systemFolder: string, run: string): string {
  return path.join(stateFolder(systemFolder), 'runs', run);
}

export function cacheFolder(systemFolder: string): string {
  return path.join(stateFolder(systemFolder), 'cache');
}

/** A run of trials has many environments, each with a folder of this form inside of the run's own. */
export function environmentFolderOf(runFolder: string, number: number): string {
  return path.join(runFolder, environmentsName, String(number));
}

const environmentsName = 'environments';

/** `folder` is where the environment's evidence goes: the run's own folder, or one inside of it. */
export function makeRunFolder(systemFolder: string, folder: string): string {
  const state = stateFolder(systemFolder);
  const runs = path.join(state, 'runs');
  const run = path.join(runs, path.relative(runs, folder).split(path.sep)[0] ?? '');
  const cache = cacheFolder(systemFolder);
  mkdirSync(path.join(folder, 'services'), { recursive: true });
  mkdirSync(cache, { recursive: true });
  // Whatever the umask: nobody else changes the list of runs, or looks into one, or into what is kept of databases.
  for (const shared of [state, runs]) {
    const stats = lstatSync(shared);
    if (stats.isDirectory()) changeMode(path.dirname(shared), shared, stats.mode & 0o755);
  }
  for (const own of [run, folder, cache]) changeMode(path.dirname(own), own, 0o700);
  if (!existsSync(path.join(state, '.gitignore'))) writeFileSync(path.join(state, '.gitignore'), '*\n');
  return folder;
}

/** The run has begun: it is the latest, and the oldest make room for it. */
export async function presentRun(systemFolder: string, run: string): Promise<void> {
  pointLatest(stateFolder(systemFolder), run);
  await makeRoom(systemFolder, run);
}

/** The oldest runs make room for this one. */
export async function makeRoom(systemFolder: string, run: string): Promise<void> {
  await pruneRuns(path.join(stateFolder(systemFolder), 'runs'), run);
}

/** The environment never began: its folder goes, and with it all that would be empty. */
export async function forgetRunFolder(systemFolder: string, folder: string): Promise<void> {
  const state = stateFolder(systemFolder);
  await removeTree(folder);
  const empty = ['runs', 'cache'].every(
    (name) => !existsSync(path.join(state, name)) || readdirSync(path.join(state, name)).length === 0,
  );
  if (empty) await removeTree(state);
}

/** Where the link points, whether or not anything is there. */
export function latestRunFolder(systemFolder: string): string | undefined {
  const link = path.join(stateFolder(systemFolder), 'latest');
  if (!lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
  return path.resolve(path.dirname(link), readlinkSync(link));
}

export function journalFile(runFolder: string): string {
  return path.join(runFolder, 'events.ndjson');
}

export function logFile(runFolder: string, name: string): string {
  return path.join(runFolder, 'services', `${name}.log`);
}

/** The keeper works inside the run folder, so that the socket's path stays short whatever the folder's. */
export const socketName = 'keeper.sock';

export function keeperLogFile(runFolder: string): string {
  return path.join(runFolder, 'keeper.log');
}

/** The oldest go when there are too many; one that is still up keeps its socket, and stays. */
async function pruneRuns(runs: string, own: string): Promise<void> {
  const names = readdirSync(runs).sort();
  const old = names.filter((name) => name !== own).slice(0, Math.max(0, names.length - limits.keptRuns));
  for (const name of old) {
    const folder = path.join(runs, name);
    if ([folder, ...environmentFolders(folder)].some((one) => existsSync(path.join(one, socketName))))
      continue;
    await removeTree(folder);
  }
}

function environmentFolders(runFolder: string): readonly string[] {
  const folder = path.join(runFolder, environmentsName);
  return existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [];
}

/** Replaced in one move, so that nobody ever sees it missing. */
function pointLatest(state: string, run: string): void {
  const fresh = path.join(state, `latest.${run}`);
  removeFile(fresh);
  symlinkSync(path.join('runs', run), fresh);
  renameSync(fresh, path.join(state, 'latest'));
}
