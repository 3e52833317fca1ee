/** The folder of a build as an archive, without what its `.dockerignore` leaves out. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Problem } from '../../../kernel/problem.ts';
import { absentOn } from '../../../kernel/system-error.ts';
import type { BuildSpec } from '../../../system/container-spec.ts';
import { entryOf, folderEntries } from '../archive/folder-entries.ts';
import { type TarEntry, writeTar } from '../archive/tar.ts';
import { readDockerignore } from './dockerignore.ts';

export interface BuildContext {
  /** The name of the Dockerfile in the archive. */
  readonly dockerfile: string;
  readonly archive: AsyncIterable<Uint8Array>;
}

/** Where one from elsewhere is put. */
const ownName = '.shakedown.Dockerfile';

export async function buildContext(build: BuildSpec, where: string): Promise<BuildContext> {
  const { context, dockerfileInline } = build;
  const written = build.dockerfile ?? 'Dockerfile';
  const file = path.resolve(context, written);
  const inside = path.relative(context, file).split(path.sep).join('/');
  if (!existsSync(context)) throw missing(where, context, 'the folder of the build', '`build`');
  if (dockerfileInline === undefined && !existsSync(file))
    throw missing(where, file, 'the Dockerfile', '`build.dockerfile`');
  const isElsewhere = dockerfileInline !== undefined || inside.startsWith('../');
  const dockerfile = isElsewhere ? ownName : inside;
  const rules = readDockerignore(await ignoreText(context, file));
  // The engine needs these two, and leaves them out of what is copied by itself.
  const isNeeded = (name: string): boolean => name === dockerfile || name === '.dockerignore';
  const keeps = (name: string) => {
    const isIn = !rules.isIgnored(name) || isNeeded(name);
    return { isIn, isSearched: isIn || rules.hasExceptions || dockerfile.startsWith(`${name}/`) };
  };
  const entries = async function* (): AsyncGenerator<TarEntry> {
    yield* folderEntries({ folder: context, where, keeps, isRoots: true });
    if (!isElsewhere) return;
    const own = dockerfileInline === undefined ? await entryOf({ isRoots: true }, file, ownName) : undefined;
    yield own ?? textEntry(ownName, dockerfileInline ?? '');
  };
  return { dockerfile, archive: writeTar(entries()) };
}

/** One beside a Dockerfile of another name comes first. */
async function ignoreText(context: string, dockerfile: string): Promise<string> {
  for (const file of [`${dockerfile}.dockerignore`, path.join(context, '.dockerignore')]) {
    const text = await readFile(file, 'utf8').catch(absentOn('ENOENT', 'ENOTDIR'));
    if (text !== undefined) return text;
  }
  return '';
}

function textEntry(name: string, text: string): TarEntry {
  const bytes = Buffer.from(text);
  const content = async function* () {
    yield bytes;
  };
  return { name, type: 'file', mode: 0o644, uid: 0, gid: 0, mtimeMs: 0, size: bytes.length, content };
}

function missing(where: string, file: string, what: string, key: string): Problem {
  return new Problem({
    code: 'config.bad-value',
    where,
    what: `${what} is not there: ${file}`,
    allowed: 'a folder with a Dockerfile in it, relative to the config file',
    next: `correct ${key}`,
  });
}
