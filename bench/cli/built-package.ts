/** The package as users have it: built, in a temporary folder, with the dependencies of this clone. */
import { execFile } from 'node:child_process';
import { chmod, cp, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

export interface BuiltPackage {
  readonly folder: string;
  readonly binary: string;
  /** Where the dependencies really lie. */
  readonly dependencies: string;
  /** This process' own environment, in which `node` and `shakedown` mean those of this clone. */
  readonly env: NodeJS.ProcessEnv;
  remove(): Promise<void>;
}

const clone = join(import.meta.dirname, '../..');

export async function buildPackage(): Promise<BuiltPackage> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'bench-package-')));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  const dependencies = join(clone, 'node_modules');
  try {
    await chmod(folder, 0o755); // a database server that may not run as root must see into it
    for (const part of ['bin', 'package.json']) {
      await cp(join(clone, part), join(folder, part), { recursive: true });
    }
    await symlink(dependencies, join(folder, 'node_modules'));
    await compile(join(folder, 'dist'), dependencies);
  } catch (error) {
    await remove();
    throw error;
  }
  const env = { ...process.env, PATH: [join(dependencies, '.bin'), process.env.PATH].join(delimiter) };
  return { folder, binary: join(folder, 'bin/shakedown.js'), dependencies, env, remove };
}

async function compile(to: string, dependencies: string): Promise<void> {
  const words = ['-p', join(clone, 'tsconfig.build.json'), '--outDir', to];
  await promisify(execFile)(join(dependencies, '.bin/tsc'), words, { cwd: clone, timeout: 120_000 });
}
