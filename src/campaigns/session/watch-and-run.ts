/** Runs the selection, and again whenever a file beside the config changes. */

import { spawnSync } from 'node:child_process';
import { type FSWatcher, fstatSync, readdirSync, statSync, watch } from 'node:fs';
import path from 'node:path';
import { type ExitCode, exitCodes, interruptExitCode } from '../../kernel/exit-codes.ts';
import { Problem } from '../../kernel/problem.ts';
import { errorCode } from '../../kernel/system-error.ts';
import type { Host } from './host.ts';
import type { Interrupts } from './interrupts.ts';
import { systemFolder } from './open-system.ts';

/** An editor may write a file in several steps. */
const settleMs = 200;

/** `performOnce` reports its own errors: a trial that is being edited may be invalid for a moment. */
export async function watchAndRun(
  host: Host,
  interrupts: Interrupts,
  performOnce: () => Promise<ExitCode>,
  say: (text: string) => void,
): Promise<ExitCode> {
  const folder = await systemFolder(host);
  let code: ExitCode = exitCodes.held;
  let during: ReadonlyArray<ReadonlySet<string>> = [];
  while (interrupts.received() === undefined) {
    const changes = watchFolder(folder);
    try {
      code = await performOnce();
      await host.clock.sleep(settleMs);
      const edited = [...changes.seen()].find((file) => !isWrittenEachTime(file, during));
      during = [...during, new Set([...changes.seen()].map(withoutNumbers))].slice(-writtenInRuns);
      if (interrupts.received() !== undefined) break;
      if (edited === undefined) say('\nwaiting for a change … (Ctrl-C ends)');
      const file = edited ?? (await Promise.race([changes.next(), interrupts.first.then(() => undefined)]));
      if (file === undefined) break;
      await host.clock.sleep(settleMs);
      say(`${file} changed\n`);
    } finally {
      changes.stop();
    }
  }
  const signal = interrupts.received();
  return signal ? interruptExitCode(signal) : code;
}

const writtenInRuns = 2;

/** A file that changes in every run is written by the system, and does not trigger another run. */
function isWrittenEachTime(file: string, during: ReadonlyArray<ReadonlySet<string>>): boolean {
  return during.length === writtenInRuns && during.every((files) => files.has(withoutNumbers(file)));
}

/** A log may have its start time or an id in its name; short numbers are part of names that people chose. */
function withoutNumbers(file: string): string {
  return file.replaceAll(/[\da-f]{8,}|\d{6,}/g, '#');
}

const foreignFolders = new Set([
  ...['.shakedown', '.git', 'node_modules', '.cache', '.venv'],
  ...['__pycache__', '.pytest_cache', '.mypy_cache', '.ruff_cache', '.tox'],
]);
/** Temporary files of editors. */
const passing = /(?:~|\.sw[a-z]|^4913|\.tmp)$/;
const mostFolders = 5_000;

/** Watches the files of a folder, except dependencies, caches, files that git ignores, and our own output. */
function watchFolder(folder: string) {
  const seen = new Set<string>();
  let next = Promise.withResolvers<string>();
  const watchers: FSWatcher[] = [];
  const ignored = new Map<string, boolean>();
  const isIgnored = (file: string): boolean => {
    if (!ignored.has(file)) ignored.set(file, ignoredByGit(folder, [file]).size > 0);
    return ignored.get(file) as boolean;
  };
  const note = (inside: string, name: string | null): void => {
    if (name === null || foreignFolders.has(name) || passing.test(name)) return;
    const file = path.join(path.relative(folder, inside), name);
    if (isOwnOutput(path.join(inside, name)) || isIgnored(file)) return;
    seen.add(file);
    next.resolve(file);
  };
  for (const inside of foldersIn(folder)) {
    const watcher = watchOne(inside, (name) => note(inside, name));
    if (watcher) watchers.push(watcher);
  }
  return {
    /** Files that have changed so far, relative to the folder. */
    seen: () => seen,
    /** The next file that changes from now on. */
    next: () => {
      next = Promise.withResolvers<string>();
      return next.promise;
    },
    stop: () => {
      for (const watcher of watchers) watcher.close();
    },
  };
}

/** Undefined when the folder is gone; the watcher of its parent reports that. */
function watchOne(folder: string, note: (name: string | null) => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, (_, name) => note(name));
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return undefined;
    throw cannotWatch(folder, code ?? String(error));
  }
}

function foldersIn(folder: string): readonly string[] {
  const found = [folder];
  for (let level = found; level.length > 0; ) {
    const inside = level.flatMap((one) => namesOfFolders(one).map((name) => path.join(one, name)));
    const ignored = ignoredByGit(folder, inside);
    level = inside.filter((one) => !ignored.has(one));
    found.push(...level);
    if (found.length > mostFolders) throw cannotWatch(folder, `it holds more than ${mostFolders} folders`);
  }
  return found;
}

/** What we print may go to a file of the folder: `run --watch > watch.log`. */
function isOwnOutput(file: string): boolean {
  try {
    const { dev, ino } = statSync(file);
    return [1, 2].map((output) => fstatSync(output)).some((own) => own.dev === dev && own.ino === ino);
  } catch {
    return false; // already gone, or not readable
  }
}

/** Empty without git or a repository. */
function ignoredByGit(folder: string, files: readonly string[]): ReadonlySet<string> {
  if (files.length === 0) return new Set();
  const asked = spawnSync('git', ['check-ignore', '--stdin', '-z'], {
    cwd: folder,
    input: files.join('\0'),
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return new Set((asked.stdout ?? '').split('\0').filter(Boolean));
}

function namesOfFolders(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !foreignFolders.has(entry.name))
      .map(({ name }) => name);
  } catch {
    return []; // already gone, or not readable
  }
}

function cannotWatch(folder: string, what: string): Problem {
  return new Problem({
    code: 'world.not-permitted',
    where: folder,
    what: `the files cannot be watched: ${what}`,
    allowed: 'as many folders as this machine can watch (fs.inotify.max_user_watches on Linux)',
    next: 'leave out `--watch`, or put the config into a smaller folder',
  });
}
