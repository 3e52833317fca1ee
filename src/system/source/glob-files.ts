/** Finds what globs name below a folder. Links are followed; a link to a folder that it is in is not entered again. */
import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { orElse } from '../../kernel/or-else.ts';
import { Problem } from '../../kernel/problem.ts';
import { absentOn } from '../../kernel/system-error.ts';
import { globBase, globDepth, globExpression } from '../../patterns/glob-expression.ts';

/** Folders that link to one another can be walked in endlessly many ways, hence the limit. */
const mostLinks = 2_000;
/** Installed packages and files of git or Shakedown never match unless a glob begins there. */
const neverMeant = new Set(['node_modules', '.git', '.shakedown']);

interface Folder {
  readonly at: string;
  /** Relative to where the glob is open, with `/`; empty or with `/` at its end. */
  readonly inner: string;
  /** Its real path, after those of its parents. */
  readonly chain: readonly string[];
  readonly isLink?: boolean;
}

/** Absolute paths of everything that is not a folder, dangling links included; unsorted. */
export async function* globFiles(globs: readonly string[], folder: string): AsyncGenerator<string> {
  for (const glob of globs) yield* filesOf(path.posix.normalize(glob), folder);
}

/** Whether one of them would find this file if it were there, in folders that are no links. */
export function globsFind(globs: readonly string[], folder: string, file: string): boolean {
  return globs.some((glob) => {
    const { start, expression, hidden } = readGlob(path.posix.normalize(glob), folder);
    const inner = path.relative(start, file).split(path.sep);
    const isMeant = (name: string, index: number): boolean =>
      name !== '..' && !neverMeant.has(name) && (!name.startsWith('.') || hidden(index + 1));
    return inner.every(isMeant) && expression.test(inner.join('/'));
  });
}

function readGlob(glob: string, folder: string) {
  const base = globBase(glob);
  const open = base === '' ? glob.replace(/^\//, '') : glob.slice(base.length + 1);
  return {
    expression: expressionOf(open, glob, folder),
    depth: globDepth(open),
    hidden: hiddenIn(open),
    start: path.resolve(folder, glob.startsWith('/') && base === '' ? '/' : base),
  };
}

async function* filesOf(glob: string, folder: string): AsyncGenerator<string> {
  const { start, expression, depth, hidden } = readGlob(glob, folder);
  const waiting: Folder[] = [{ at: start, inner: '', chain: [await realpath(start).catch(() => start)] }];
  let links = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.isLink) links += 1;
    if (links > mostLinks) throw tooWide(glob, folder);
    const level = next.chain.length;
    for (const entry of await entriesOf(next.at)) {
      const { name } = entry;
      if (name.startsWith('.') && !hidden(level)) continue;
      const inner = await folderOf(entry, next);
      if (!inner) {
        if (expression.test(`${next.inner}${name}`)) yield path.join(next.at, name);
      } else if (level < depth && !neverMeant.has(name) && !next.chain.includes(inner.chain.at(-1) ?? ''))
        waiting.push(inner);
    }
  }
}

/** Whether a name that begins with a dot matches at a depth: only where the glob writes the dot, not by a star. */
function hiddenIn(glob: string): (level: number) => boolean {
  const segments = glob.split('/');
  const writesDot = segments.map((segment) => /^(?:\.|\{(?:[^}]*,)?\.)/.test(segment));
  const isFixed = Number.isFinite(globDepth(glob));
  return (level) => (isFixed ? writesDot[level - 1] === true : writesDot.includes(true));
}

/** Unsupported syntax of other tools would silently find nothing. */
function expressionOf(open: string, glob: string, folder: string): RegExp {
  const isForeign = /[@+!?*]\(|\{[^{},]*\.\.[^{},]*\}|\[\[:/.test(open);
  const source = isForeign ? undefined : globExpression(open);
  // A class such as `[z-a]` is no expression.
  const expression = source === undefined ? undefined : orElse(() => new RegExp(source), undefined);
  if (expression) return expression;
  throw new Problem({
    code: 'config.bad-value',
    where: folder,
    what: `the glob ${JSON.stringify(glob)} cannot be read`,
    allowed: '`*`, `**`, `?`, `[a-z]` and `{a,b}`; not `@(a|b)`, `{1..3}` or `[[:alpha:]]`',
    next: 'write it with these, or as several globs',
  });
}

async function folderOf(entry: Dirent, { at, inner, chain }: Folder): Promise<Folder | undefined> {
  const file = path.join(at, entry.name);
  const isLink = entry.isSymbolicLink();
  const facts = isLink ? await stat(file).catch(absentOn('ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES')) : entry;
  if (!facts?.isDirectory()) return undefined;
  const real = isLink ? await realpath(file) : path.join(chain.at(-1) ?? at, entry.name);
  return { at: file, inner: `${inner}${entry.name}/`, chain: [...chain, real], isLink };
}

/** Empty for one that does not exist or cannot be read. */
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries = readdir(folder, { withFileTypes: true });
  return (await entries.catch(absentOn('ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'))) ?? [];
}

function tooWide(glob: string, folder: string): Problem {
  return new Problem({
    code: 'config.bad-value',
    where: folder,
    what: `the glob ${JSON.stringify(glob)} leads over more than ${mostLinks} links to folders`,
    allowed: `at most ${mostLinks} of them, counted on every way`,
    next: 'make the glob narrower, or remove a link that leads back',
  });
}
