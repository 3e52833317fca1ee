/** Where a run leaves its evidence: `.shakedown/runs/<id>/` beside the config file. */
import {
  existsSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  renameSync,
  type Stats,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import {
  changeMode,
  makeFolderBelow,
  removeEmptyFolder,
  removeFile,
  writeFileBelow,
} from '../kernel/folders/entries-below.ts';
import { findOwnFile, foreignness } from '../kernel/folders/own-file.ts';
import { removeTree } from '../kernel/folders/remove-tree.ts';
import { limits } from '../kernel/limits.ts';
import { Problem } from '../kernel/problem.ts';
import { absentOn } from '../kernel/system-error.ts';
import { isRunId } from '../kernel/unique-id.ts';
import { openProcessTable, type ProcessIdentity } from './containment/process-table.ts';

/** `.shakedown` beside the config; disposable, and ignored by git through its own `.gitignore`. */
export function stateFolder(systemFolder: string): string {
  return path.join(systemFolder, '.shakedown');
}

export function runFolderOf(systemFolder: string, run: string): string {
  return path.join(stateFolder(systemFolder), 'runs', run);
}

export function cacheFolder(systemFolder: string): string {
  return path.join(stateFolder(systemFolder), 'cache');
}

/** A run of trials has many environments, each with such a folder inside the run's folder. */
export function environmentFolderOf(runFolder: string, number: number): string {
  return path.join(runFolder, environmentsName, String(number));
}

const environmentsName = 'environments';

/** The folder of the run to which an environment belongs. */
export function runOf(environmentFolder: string): string {
  const above = path.dirname(environmentFolder);
  return path.basename(above) === environmentsName ? path.dirname(above) : environmentFolder;
}

/** Through a link, or in a folder of another user, we would write and remove files that are not ours. */
export function checkStateFolder(systemFolder: string): void {
  const state = stateFolder(systemFolder);
  const kept = ['snapshots', 'node', ...linksIn(cacheFolder(systemFolder))].map((name) => `cache/${name}`);
  for (const name of ['', 'runs', 'cache', ...kept, 'latest', 'up.json']) {
    const place = path.join(state, name);
    const stats = lstatSync(place, { throwIfNoEntry: false });
    const wrong = stats && wrongWith(name, stats);
    if (!wrong) continue;
    const [what, next] = wrong;
    throw new Problem({
      code: 'world.not-writable',
      where: systemFolder,
      what: `${path.relative(systemFolder, place)}: ${what}`,
      allowed:
        'files that Shakedown created as the same user; no link is followed here, because old runs are removed',
      next: `${next}; nothing in ${state} is needed`,
    });
  }
}

function linksIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isSymbolicLink() ? [entry.name] : []));
  } catch (error) {
    return absentOn('ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES')(error) ?? [];
  }
}

function wrongWith(name: string, stats: Stats): readonly [what: string, next: string] | undefined {
  const isPlainName = name === 'latest' || name === 'up.json';
  const stranger = ownerOf(stats);
  if (stranger !== undefined)
    return [stranger, 'call as that user, or take it over with `sudo chown -R`, or remove it'];
  if (isPlainName) return stats.isDirectory() ? ['it is a folder', 'remove it'] : undefined;
  if (stats.isSymbolicLink())
    return [
      'it is a link',
      'remove the link; to keep runs on another disk, mount it there, or move the project',
    ];
  return stats.isDirectory() ? undefined : ['an entry that is not a folder is in the way', 'remove it'];
}

/** Whatever its mode, which is corrected later. */
function ownerOf({ uid }: Stats): string | undefined {
  const obstacle = foreignness({ uid, mode: 0 });
  return obstacle && `it ${obstacle}`;
}

/** `folder` is where the environment's evidence goes: the run's folder, or one inside it. */
export function makeRunFolder(systemFolder: string, folder: string): string {
  checkStateFolder(systemFolder);
  const state = stateFolder(systemFolder);
  const runs = path.join(state, 'runs');
  const run = path.join(runs, path.relative(runs, folder).split(path.sep)[0] ?? '');
  const cache = cacheFolder(systemFolder);
  for (const place of [path.join(folder, 'services'), cache]) makeFolderBelow(systemFolder, place, 0o777);
  // Whatever the umask: other users must not change the list of runs, or read a run or a cached database.
  for (const shared of [state, runs]) {
    changeMode(systemFolder, shared, lstatSync(shared).mode & 0o755);
  }
  for (const own of [run, folder, cache]) changeMode(systemFolder, own, 0o700);
  try {
    writeFileSync(path.join(state, '.gitignore'), ignoreAll, { flag: 'wx', mode: 0o644 });
  } catch (error) {
    absentOn('EEXIST')(error);
  }
  return folder;
}

/** The run has begun: makes it the latest, and prunes the oldest. */
export async function presentRun(systemFolder: string, run: string): Promise<void> {
  pointLatest(systemFolder, run);
  await makeRoom(systemFolder, run);
}

/** Prunes the oldest runs. */
export async function makeRoom(systemFolder: string, run: string): Promise<void> {
  const folder = runFolderOf(systemFolder, run);
  const owner = JSON.stringify(openProcessTable().identify(process.pid) ?? null);
  writeFileBelow(folder, path.join(folder, ownerName), owner, 0o600);
  await pruneRuns(systemFolder, run);
}

/** The environment never began: removes its folder, and parents that are empty then. */
export async function forgetRunFolder(systemFolder: string, folder: string): Promise<void> {
  const state = stateFolder(systemFolder);
  await removeTree(folder, { below: systemFolder });
  for (const name of ['runs', 'cache']) removeEmptyFolder(path.join(state, name), systemFolder);
  const ignore = path.join(state, '.gitignore');
  const isOurs = namesIn(state).every((name) => ['.gitignore', 'latest'].includes(name));
  if (!isOurs || findOwnFile(ignore) !== ignoreAll) return;
  for (const file of [ignore, path.join(state, 'latest')]) removeFile(file, systemFolder);
  removeEmptyFolder(state, systemFolder);
}

const ignoreAll = '*\n';

/** The target of the link, whether or not it exists. */
export function latestRunFolder(systemFolder: string): string | undefined {
  const link = path.join(stateFolder(systemFolder), 'latest');
  try {
    const run = path.basename(readlinkSync(link));
    return isRunId(run) ? runFolderOf(systemFolder, run) : undefined;
  } catch (error) {
    return absentOn('ENOENT', 'ENOTDIR', 'EINVAL')(error);
  }
}

export function journalFile(runFolder: string): string {
  return path.join(runFolder, 'events.ndjson');
}

export function logFile(runFolder: string, name: string): string {
  return path.join(runFolder, 'services', `${name}.log`);
}

/** Every log begins with it, to detect a log that was truncated and written again. */
export const logBeginning = '(Shakedown: the log begins here)';

/** The working folder of the keeper is the run folder, so that the socket's path is always short. */
export const socketName = 'keeper.sock';

/** What a sweep of it did, and what is still there. */
export const sweptName = 'swept.json';

/** The outputs of a command that runs beside an environment. */
export const commandFiles = { output: 'command.log', report: 'tests.xml' };

export function keeperLogFile(runFolder: string): string {
  return path.join(runFolder, 'keeper.log');
}

/** Removes the oldest runs when there are too many, but none that is under way. */
async function pruneRuns(systemFolder: string, own: string): Promise<void> {
  checkStateFolder(systemFolder);
  const runs = path.join(stateFolder(systemFolder), 'runs');
  const names = namesIn(runs)
    .filter((name) => isRunId(name) && isOwnRun(path.join(runs, name)))
    .sort();
  const old = names.filter((name) => name !== own).slice(0, Math.max(0, names.length - limits.keptRuns));
  for (const name of old) {
    const folder = path.join(runs, name);
    if (!isUnderWay(folder)) await removeTree(folder, { below: systemFolder });
  }
}

const ownerName = 'owner.json';

/** One of its environments is up, or its process is alive and has not finished. */
function isUnderWay(run: string): boolean {
  const isUp = [run, ...environmentFolders(run)].some((one) => existsSync(path.join(one, socketName)));
  if (isUp || existsSync(path.join(run, 'outcome.json'))) return isUp;
  try {
    const owner = JSON.parse(findOwnFile(path.join(run, ownerName)) ?? 'null') as ProcessIdentity | null;
    return typeof owner?.startedAt === 'string' && openProcessTable().isAlive(owner);
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Environments without a recorded end: those that are up now, and those that crashed. */
export function unendedEnvironments(systemFolder: string): readonly string[] {
  const runs = path.join(stateFolder(systemFolder), 'runs');
  const isFolder = (one: string): boolean =>
    lstatSync(one, { throwIfNoEntry: false })?.isDirectory() === true;
  if (![stateFolder(systemFolder), runs].every(isFolder)) return [];
  return namesIn(runs)
    .filter(isRunId)
    .map((name) => path.join(runs, name))
    .filter(isFolder)
    .flatMap((run) => [run, ...environmentFolders(run)])
    .filter((one) => lstatSync(path.join(one, socketName), { throwIfNoEntry: false })?.isSocket());
}

function isOwnRun(folder: string): boolean {
  const [stats, plan] = [folder, path.join(folder, 'plan.json')].map((entry) =>
    lstatSync(entry, { throwIfNoEntry: false }),
  );
  return stats?.isDirectory() === true && plan?.isFile() === true && ownerOf(plan) === undefined;
}

function environmentFolders(runFolder: string): readonly string[] {
  const folder = path.join(runFolder, environmentsName);
  return namesIn(folder).map((name) => path.join(folder, name));
}

/** The folders of all runs, the oldest first. */
export function runsOf(systemFolder: string): string[] {
  const runs = path.join(stateFolder(systemFolder), 'runs');
  return [...namesIn(runs)].sort().map((run) => path.join(runs, run));
}

/** Empty where the folder does not exist, also when another process has just removed it. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    return absentOn('ENOENT', 'ENOTDIR')(error) ?? [];
  }
}

/** Replaced atomically, so that it is never missing. */
export function pointLatest(systemFolder: string, run: string): void {
  const state = stateFolder(systemFolder);
  const fresh = path.join(state, `latest.${run}`);
  removeFile(fresh);
  symlinkSync(path.join('runs', run), fresh);
  renameSync(fresh, path.join(state, 'latest'));
}
