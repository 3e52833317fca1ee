/** Copies of the files of a database, each as they were at one moment, taken without a lock: no service waits for us, and we wait for none. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../kernel/clock.ts';
import { removeFile } from '../../../kernel/folders/entries-below.ts';
import { removeWhole } from '../../../kernel/folders/remove-tree.ts';
import { absentOn } from '../../../kernel/system-error.ts';
import { withoutWarnings } from '../../../kernel/without-warnings.ts';
import { ObservationError } from '../../observer.ts';
import { observerLimits } from '../../observer-limits.ts';

/** With the journal, an unfinished transaction is undone in the copy; with the log of a WAL, it is ignored there. */
const parts = ['', '-wal', '-journal'];

const absent = absentOn('ENOENT', 'ENOTDIR');

export function openSteadyCopies(file: string, clock: Clock) {
  let folder: string | undefined;
  let copy: { readonly database: DatabaseSync; readonly stamp: string | undefined } | undefined;
  const drop = (): void => {
    copy?.database.close();
    copy = undefined;
  };
  return {
    /** Until the next call. */
    current: async (): Promise<DatabaseSync> => {
      const stamp = stampOf(file, clock);
      if (copy && stamp !== undefined && copy.stamp === stamp) return copy.database;
      drop();
      // Beside the folder that services are given.
      folder ??= mkdtempSync(path.join(path.dirname(path.dirname(file)), 'look-'));
      const to = path.join(folder, 'copy');
      await copySteadily(file, to, clock);
      copy = { database: openCopy(to), stamp };
      return copy.database;
    },
    close: async (): Promise<void> => {
      drop();
      if (folder !== undefined) await removeWhole(folder, { below: path.dirname(folder) });
      folder = undefined;
    },
  };
}

function openCopy(file: string): DatabaseSync {
  const sqlite = withoutWarnings(() => process.getBuiltinModule('node:sqlite')) as
    | typeof import('node:sqlite')
    | undefined;
  if (!sqlite) throw new ObservationError(`this Node (${process.version}) is built without node:sqlite`);
  const database = new sqlite.DatabaseSync(file);
  // Views cannot call what has effects.
  database.exec('PRAGMA trusted_schema = OFF');
  return database;
}

/** Times of files are that coarse: what was written a moment ago may be written again within the same tick. */
const tickMs = 50;

/** Undefined where an equal stamp would not prove that nothing was written. */
function stampOf(file: string, clock: Clock): string | undefined {
  const facts = parts.map((part) => statSync(file + part, { bigint: true, throwIfNoEntry: false }));
  if (facts.some((one) => one && clock.now() - Number(one.mtimeMs) < tickMs)) return undefined;
  return facts.map((one) => one && [one.ino, one.size, one.mtimeNs, one.ctimeNs].join()).join(' ');
}

async function copySteadily(file: string, to: string, clock: Clock): Promise<void> {
  const endsAt = clock.monotonic() + observerLimits.statementMs;
  while (!copyAtOnce(file, to)) {
    if (clock.monotonic() > endsAt)
      throw new ObservationError('the file of the database is written to without a pause', 'later');
    await clock.sleep(1);
  }
}

/** False when something was written meanwhile. In one go, because a pause would only make that more likely. */
function copyAtOnce(file: string, to: string): boolean {
  refuseReplaced(file);
  const log = beginOfLog(file);
  for (const part of ['-shm', ...parts]) removeFile(to + part);
  for (const part of parts) copyPart(file + part, to + part);
  refuseReplaced(file);
  // While the log is the same, all that is written to the file is in it, too.
  if (log !== undefined) return log === beginOfLog(file);
  // Each file was read twice, one after the other: what is equal was so at the moment between.
  return parts.every((part) => hashOf(file + part) === hashOf(to + part));
}

/** What a link leads to is another's, and a pipe would have no end. */
function refuseReplaced(file: string): void {
  const folder = path.dirname(file);
  const replaced = [folder, ...parts.map((part) => file + part)].find((place) => {
    const facts = lstatSync(place, { throwIfNoEntry: false });
    return facts && !(place === folder ? facts.isDirectory() : facts.isFile());
  });
  if (replaced !== undefined)
    throw new ObservationError(
      `${path.basename(replaced)} was replaced by a link or something else that is no plain file, and is not looked into`,
    );
}

const headOfLog = 32;

/** The header of a WAL has random numbers that change whenever it begins anew. */
function beginOfLog(file: string): string | undefined {
  return reading(`${file}-wal`, (descriptor) => {
    const head = Buffer.alloc(headOfLog);
    return readSync(descriptor, head, 0, headOfLog, 0) === headOfLog ? head.toString('hex') : undefined;
  });
}

function copyPart(from: string, to: string): void {
  const { databaseFileBytes } = observerLimits;
  const { size = 0 } = statSync(from, { throwIfNoEntry: false }) ?? {};
  if (size > databaseFileBytes)
    throw new ObservationError(
      `the file of the database has more than ${databaseFileBytes / 1024 ** 2} MB, and is not copied to be looked at`,
    );
  ifThere(() => copyFileSync(from, to, constants.COPYFILE_FICLONE));
}

function hashOf(file: string): string | undefined {
  return reading(file, (descriptor) => {
    const hash = createHash('sha1');
    const chunk = Buffer.alloc(observerLimits.chunkBytes);
    for (let length = -1; length !== 0; hash.update(chunk.subarray(0, length)))
      length = readSync(descriptor, chunk);
    return hash.digest('hex');
  });
}

/** Undefined where there is no such file. */
function reading<Read>(file: string, read: (descriptor: number) => Read): Read | undefined {
  const descriptor = ifThere(() => openSync(file, 'r'));
  if (descriptor === undefined) return undefined;
  try {
    return read(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function ifThere<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    return absent(error);
  }
}
