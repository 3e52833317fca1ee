/** Sees events that the system appends to files, one JSON text in a line: `events: log/events.jsonl`. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { notKept } from '../../kernel/not-kept.ts';
import { absentOn } from '../../kernel/system-error.ts';
import { globText } from '../../patterns/glob-expression.ts';
import { findFiles, globTester } from '../files/find-files.ts';
import { findRoot } from '../files/find-root.ts';
import { isMatch, refuseBadWhere } from '../keep-matching.ts';
import { ObservationError, type Observer, type ObserverContext, watching } from '../observer.ts';
import { observerLimits } from '../observer-limits.ts';
import { type FileMark, type FileMarks, findMark, markFiles } from './file-marks.ts';
import { type FollowedFile, followFile } from './followed-file.ts';
import { readEvent } from './read-event.ts';
import { refuseUnseen } from './refuse-unseen.ts';

export interface EventsQuery {
  readonly service?: string;
  /** A path or a glob, as for `files`. */
  readonly file: string;
  readonly where?: unknown;
}

export const eventsObserver: Observer<EventsQuery> = {
  name: 'events',
  open: async (context) => {
    const { clock, facts, systemFolder, signal } = context;
    const now = clock.now();
    const marks = await markFiles({ facts: await facts(), systemFolder, now, signal });
    const streams = new Map<string, Stream>();
    /** One look at a time: two at once would share out the lines between them. */
    let last: Promise<unknown> = Promise.resolve();
    const look = async (query: EventsQuery): Promise<unknown> => {
      refuseBadWhere(query.where);
      const { service, file, where } = query;
      const key = JSON.stringify({ service, file, where });
      const readAll = streams.get(key) ?? openStream(context, marks, query);
      streams.set(key, readAll);
      const all = last.then(readAll, readAll);
      last = all;
      return all;
    };
    return watching(context, look, () => streams.clear());
  },
};

type Stream = () => Promise<readonly unknown[]>;

interface Followed {
  readonly file: FollowedFile;
  readonly events: unknown[];
}

/** Keeps the events of earlier looks. */
function openStream(context: ObserverContext, marks: FileMarks, query: EventsQuery): Stream {
  const followed = new Map<FileMark, Followed>();
  const size = { events: 0, bytes: 0 };
  let refusal: ObservationError | undefined;
  const readOn = async (): Promise<void> => {
    if (refusal) throw refusal;
    await followNew(context, marks, query, followed);
    for (const { file, events } of followed.values())
      await file.readOn((line) => {
        const event = readEvent(line);
        if (event === notKept && query.where !== undefined) throw tooLong();
        if (event === undefined || !isMatch(query.where, event)) return;
        events.push(event);
        size.events += 1;
        size.bytes += line.bytes.length;
        refuseTooMuch(size);
      });
  };
  /** After a refusal, lines are missing: it stays. */
  const tryReadOn = (): Promise<void> =>
    readOn().catch((error: unknown) => {
      if (error instanceof ObservationError && !error.retryable) refusal = error;
      throw error;
    });
  return async () => {
    await tryReadOn();
    return [...followed]
      .sort(([one], [other]) => (one.file < other.file ? -1 : Number(one.file > other.file)))
      .flatMap(([, { file, events }]) => [...events, ...lastEvent(file, query.where)]);
  };
}

/** What a writer that puts the end of the line before the next event has written last. It is given as its own line later. */
function lastEvent(file: FollowedFile, where: unknown): readonly unknown[] {
  const line = file.unfinished();
  const event = line && readEvent(line);
  return event !== undefined && isMatch(where, event) ? [event] : [];
}

/** Follows each file that has, or had, a name that is looked for: one that was renamed, and the one that took its name. */
async function followNew(
  { facts, systemFolder, signal }: ObserverContext,
  marks: FileMarks,
  { service, file: glob }: EventsQuery,
  followed: Map<FileMark, Followed>,
): Promise<void> {
  const where = service === undefined ? { path: glob } : { service, path: glob };
  const root = findRoot(await facts(), systemFolder, where);
  const follow = (mark: FileMark): void => {
    if (!followed.has(mark)) followed.set(mark, { file: followFile(mark, signal), events: [] });
  };
  const files = await findFiles(root, signal);
  const isMeant = globTester(root.glob);
  const folder = path.join(root.folder, path.sep);
  marks.named((file) => file.startsWith(folder) && isMeant(file.slice(folder.length))).forEach(follow);
  for (const { path: relative, kind } of files) {
    const file = path.join(root.folder, relative);
    if (kind !== 'file') throw new ObservationError(`${relative} is not a plain file, and is not read`);
    const identity = await stat(file).catch(absentOn('ENOENT'));
    if (!identity || (await findMark(followed.keys(), file, identity))) continue;
    const mark = await marks.get(file, identity);
    if (!mark) throw new ObservationError(`how far ${glob} had been written before is not known`);
    follow(mark);
  }
  const names = [
    path.join(root.folder, globText(root.glob)),
    ...[...followed.keys()].map(({ file }) => file),
  ];
  await refuseUnseen(new Set(names), marks, followed);
}

function tooLong(): ObservationError {
  const most = `${observerLimits.eventBytes / 1024 ** 2} MB`;
  return new ObservationError(`an event is longer than ${most}, so that \`where\` cannot be decided`);
}

function refuseTooMuch({ events, bytes }: { readonly events: number; readonly bytes: number }): void {
  const { elements: most, eventsBytes } = observerLimits;
  if (events <= most && bytes <= eventsBytes) return;
  const bound = `${most} events or ${eventsBytes / 1024 ** 2} MB`;
  throw new ObservationError(`more than ${bound} since the attempt began; narrow it with where`);
}
