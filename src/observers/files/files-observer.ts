/** Sees files as sets, hashes and structures: `files: daemon`, with `path` and `as`. */
import { readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { notKept } from '../../kernel/not-kept.ts';
import { errorCode } from '../../kernel/system-error.ts';
import { fileKeys } from '../../kinds/files/check.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import { suggest } from '../find-service.ts';
import { keepMatching } from '../keep-matching.ts';
import { ObservationError, type Observer, type ObserverContext, watching } from '../observer.ts';
import { observerLimits } from '../observer-limits.ts';
import { refuseUnknownKeys, spokenKeys, withoutKeys } from '../spoken-keys.ts';
import { type FileForm, fileForms, understand } from './file-forms.ts';
import { findFiles } from './find-files.ts';
import { findRoot, type Root } from './find-root.ts';
import { type Keep, keepFiles } from './keep-files.ts';
import { createKnownHashes, type KnownHashes } from './known-hashes.ts';
import { withOctalModes } from './octal-modes.ts';
import { readContent } from './read-content.ts';
import { shownPath } from './shown-path.ts';
import type { FoundFile } from './walk-folder.ts';

export interface FilesQuery {
  /** Whose folder; without it, `folder` is below the config file. */
  readonly service?: string;
  readonly folder?: string;
  /** A glob; everything without it. */
  readonly path?: string;
  /** Without it, as `hash`. */
  readonly as?: FileForm;
  readonly where?: unknown;
}

export const filesObserver: Observer<FilesQuery> = {
  name: 'files',
  open: async (context) => {
    const known = createKnownHashes(context.clock);
    return watching(context, (query) => lookAtFiles(context, known, query));
  },
};

/** Files between two turns of the event loop. */
const filesPerTurn = 100;

type FileView = Readonly<Record<string, unknown>> & { readonly path: string };

async function lookAtFiles(
  { clock, facts, systemFolder, signal }: ObserverContext,
  known: KnownHashes,
  asked: FilesQuery,
): Promise<readonly FileView[]> {
  const query = { ...asked, where: withOctalModes(asked.where) };
  const form = query.as ?? 'hash';
  if (!fileForms.includes(form))
    throw new ObservationError(
      `files cannot be read as ${form}; ${suggest(form, fileForms, 'the possible values are')}`,
    );
  refuseUnknownKeys(query.where, fileKeys(form), `a file as ${form}`);
  const root = findRoot(await facts(), systemFolder, query);
  const found = await findFiles(root, signal);
  const views: FileView[] = [];
  let parsed = 0;
  for (const [index, file] of found.entries()) {
    if (index % filesPerTurn === 0) await nextTurn();
    signal.throwIfAborted();
    const view = await viewFile(root, file, { form, known, signal });
    if (!view) continue;
    views.push({ ...view, path: root.prefix + view.path });
    if (form !== 'hash') parsed += Math.min(Number(view.bytes ?? 0), observerLimits.parsedBytes);
    if (parsed > observerLimits.parsedTotalBytes)
      throw new ObservationError(
        `more than ${observerLimits.parsedTotalBytes / 1024 ** 2} MB match; narrow the path`,
      );
  }
  const keep: Keep = (where, among) => keepMatching(clock, signal, where, among);
  await refuseUnread(form, query.where, views, keep);
  return keepFiles(query.where, views, keep);
}

interface Viewing {
  readonly form: FileForm;
  readonly known: KnownHashes;
  readonly signal: AbortSignal;
}

/** Undefined when the file is gone by now. */
async function viewFile(root: Root, found: FoundFile, viewing: Viewing): Promise<FileView | undefined> {
  const { file } = found;
  const mode = (found.stats.mode & 0o7777n).toString(8);
  try {
    if (found.kind === 'other') return { path: found.path, mode, broken: 'neither a file nor a link' };
    if (found.kind === 'file') return { path: found.path, mode, ...(await readView(file, found, viewing)) };
    const link = shownPath(await readlink(file, 'latin1'));
    const target = await insideTarget(root.folder, file);
    if (target === undefined) return { path: found.path, link };
    return { path: found.path, link, ...(await readView(target, undefined, viewing)) };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return undefined;
    if (code === undefined) throw error;
    const unread = viewing.form === 'hash' ? {} : { [viewing.form]: notKept };
    return { path: found.path, mode, ...unread, broken: `cannot be read: ${code}` };
  }
}

/** Where a link leads, when that is a thing below the same folder. */
async function insideTarget(folder: string, link: Buffer): Promise<Buffer | undefined> {
  const [base, target] = await Promise.all([
    realpath(folder, 'latin1'),
    realpath(link, 'latin1').catch(() => ''), // a link to nowhere, or to itself
  ]);
  return target.startsWith(`${base}${path.sep}`) ? Buffer.from(target, 'latin1') : undefined;
}

async function readView(
  file: Buffer,
  found: FoundFile | undefined,
  { form, known, signal }: Viewing,
): Promise<Readonly<Record<string, unknown>>> {
  const remembered = form === 'hash' && found ? known.get(file.toString('latin1'), found.stats) : undefined;
  if (remembered) return { ...remembered };
  const { bytes, sha256, content } = await readContent(file, signal);
  if (sha256 === undefined)
    return {
      bytes,
      sha256: { $dropped: { what: `${shownPath(path.basename(file.toString('latin1')))}, ${bytes} bytes` } },
      ...understand(form, undefined),
      broken: `larger than ${observerLimits.hashedBytes / 1024 ** 3} GB`,
    };
  if (found) known.put(file.toString('latin1'), found.stats, { bytes, sha256 });
  return { bytes, sha256, ...understand(form, content) };
}

/** Only where the condition reads the content, and everything else in it holds. Not where it mentions `broken`. */
async function refuseUnread(
  form: FileForm,
  where: unknown,
  views: ReadonlyArray<Readonly<Record<string, unknown>>>,
  keep: Keep,
): Promise<void> {
  const spoken = spokenKeys(where);
  if (!isPlainMap(where) || !spoken.includes(form) || spoken.includes('broken')) return;
  const broken = views.filter((view) => view.broken !== undefined);
  const [unread] = await keep(withoutKeys(where, [form]), broken);
  if (unread === undefined) return;
  throw new ObservationError(`${unread.path} cannot be read as ${form}: ${unread.broken}`, 'later');
}
