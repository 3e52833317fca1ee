/** Sees events that the system appends to files, one JSON text in a line: `events: log/events.jsonl`. */
import path from 'node:path';
import { notKept } from '../../kernel/not-kept.ts';
import { untilAborted } from '../../kernel/until-aborted.ts';
import { findFiles } from '../files/find-files.ts';
import { findRoot } from '../files/find-root.ts';
import { isMatch, refuseBadWhere } from '../keep-matching.ts';
import { CannotSee, type Observer, type ObserverContext } from '../observer.ts';
import { observerLimits } from '../observer-limits.ts';
import { type FileMarks, markFiles } from './file-marks.ts';
import { type FollowedFile, followFile } from './followed-file.ts';
import { readEvent } from './read-event.ts';

export interface EventsQuery {
  readonly service?: string;
  /** A path or a glob, as for `files`. */
  readonly file: string;
  readonly where?: unknown;
}

export const eventsObserver: Observer<EventsQuery> = {
  name: 'events',
  source: ({ service, file }) => `events ${service ?? '.'} ${file}`,
  open: async (context) => {
    const { clock, facts, systemFolder, signal } = context;
    const now = clock.now();
    const marks = await markFiles({ facts: await facts(), systemFolder, now, signal });
    const streams = new Map<string, Stream>();
    const look = async (query: EventsQuery): Promise<unknown> => {
      refuseBadWhere(query.where);
      const key = JSON.stringify(query);
      const stream = streams.get(key) ?? openStream(context, marks, query);
      streams.set(key, stream);
      return stream.all();
    };
    return {
      look: (query) => untilAborted(signal, look(query)),
      close: async () => streams.clear(),
    };
  },
};

interface Stream {
  all(): Promise<readonly unknown[]>;
}

interface Followed {
  readonly file: FollowedFile;
  readonly events: unknown[];
}

/** Keeps the events of earlier looks. One look at a time: two at once would share out the lines between them. */
function openStream(context: ObserverContext, marks: FileMarks, query: EventsQuery): Stream {
  const followed = new Map<string, Followed>();
  const size = { events: 0, bytes: 0 };
  let refusal: CannotSee | undefined;
  const readOn = async (): Promise<void> => {
    if (refusal) throw refusal;
    await followNew(context, marks, query, followed);
    for (const { file, events } of followed.values())
      await file.readOn((line) => {
        const event = line === 'rotated' ? { $rotated: true } : readEvent(line);
        if (event === notKept && query.where !== undefined) throw tooLong();
        if (event === undefined || (line !== 'rotated' && !isMatch(query.where, event))) return;
        events.push(event);
        size.events += 1;
        size.bytes += line === 'rotated' ? 0 : line.bytes.length;
        refuseTooMuch(size);
      });
  };
  /** After a refusal, lines are missing: it stays. */
  const tryReadOn = (): Promise<void> =>
    readOn().catch((error: unknown) => {
      if (error instanceof CannotSee && error.hope === 'never') refusal = error;
      throw error;
    });
  let last: Promise<void> = Promise.resolve();
  return {
    all: async () => {
      last = last.then(tryReadOn, tryReadOn);
      await last;
      return [...followed.keys()]
        .sort()
        .map((name) => followed.get(name) as Followed)
        .flatMap(({ file, events }) => [...events, ...lastEvent(file, query.where)]);
    },
  };
}

/** What a writer that puts the end of the line before the next event has written last. It is given as its own line later. */
function lastEvent(file: FollowedFile, where: unknown): readonly unknown[] {
  const line = file.unfinished();
  const event = line && readEvent(line);
  return event !== undefined && isMatch(where, event) ? [event] : [];
}

/** A file that was followed under another name, and is still looked for under that name, is not a new one. */
async function followNew(
  context: ObserverContext,
  marks: FileMarks,
  query: EventsQuery,
  followed: Map<string, Followed>,
): Promise<void> {
  const found = await findEventFiles(context, query);
  const names = new Set([...found.map(({ file }) => file), ...followed.keys()]);
  for (const { file, inode } of found) {
    if (followed.has(file)) continue;
    const oldName = await marks.oldName(file, inode);
    if (oldName !== undefined && names.has(oldName)) continue;
    const readers = [...followed.values()];
    const isFollowed = await Promise.all(readers.map((one) => one.file.isNow(file, inode)));
    if (isFollowed.includes(true)) continue;
    const mark = await marks.get(file, inode);
    if (!mark) throw new CannotSee(`how far ${query.file} had been written before is not known`, 'never');
    followed.set(file, { file: followFile({ ...mark, file }, context.signal), events: [] });
  }
}

interface EventFile {
  readonly file: string;
  readonly inode: number;
}

async function findEventFiles(
  { facts, systemFolder, signal }: ObserverContext,
  { service, file }: EventsQuery,
): Promise<readonly EventFile[]> {
  const root = findRoot(await facts(), systemFolder, {
    ...(service === undefined ? {} : { service }),
    path: file,
  });
  const found = await findFiles(root, signal);
  return found
    .filter(({ kind }) => kind === 'file')
    .map(({ path: relative, stats }) => ({
      file: path.join(root.folder, relative),
      inode: Number(stats.ino),
    }));
}

function tooLong(): CannotSee {
  const most = `${observerLimits.eventBytes / 1024 ** 2} MB`;
  return new CannotSee(`an event is longer than ${most}, so that \`where\` cannot be decided`, 'never');
}

function refuseTooMuch({ events, bytes }: { readonly events: number; readonly bytes: number }): void {
  const { events: most, eventsBytes } = observerLimits;
  if (events <= most && bytes <= eventsBytes) return;
  const bound = `${most} events or ${eventsBytes / 1024 ** 2} MB`;
  throw new CannotSee(`more than ${bound} since the attempt began; narrow it with where`, 'never');
}
