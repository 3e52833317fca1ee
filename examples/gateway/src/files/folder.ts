/** A folder whose files can be read and written by path, and nothing outside of it. */
import { mkdir, readdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { hasDefect } from '../defects.ts';

const mostBytes = 256 * 1024;
const mostFiles = 500;

export interface Folder {
  read(path: string): Promise<string>;
  write(path: string, text: string): Promise<void>;
  list(path: string): Promise<readonly string[]>;
}

/** A file that cannot be accessed, for a reason that the model may know. */
export class FileRefused extends Error {}

export function openFolder(root: string): Folder {
  return {
    async read(path) {
      const file = await inside(root, path);
      const { size } = await known(path, stat(file));
      if (size > mostBytes) throw new FileRefused(`${path} is larger than ${mostBytes} bytes`);
      return known(path, readFile(file, 'utf8'));
    },
    async write(path, text) {
      if (Buffer.byteLength(text) > mostBytes) throw new FileRefused(`more than ${mostBytes} bytes`);
      const file = await inside(root, path);
      await known(path, mkdir(dirname(file), { recursive: true }));
      await known(path, writeFile(file, text));
    },
    async list(path) {
      const folder = await inside(root, path);
      const entries = await known(path, readdir(folder, { recursive: true, withFileTypes: true }));
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)))
        .sort()
        .slice(0, mostFiles);
    },
  };
}

/** A path begins at the folder, with or without a slash. Links are resolved before the path is checked. */
async function inside(root: string, path: string): Promise<string> {
  const wanted = resolve(root, `.${sep}${path}`);
  if (hasDefect('folder-left')) return wanted;
  const real = await realPath(wanted);
  const home = await realpath(root);
  if (real !== home && !real.startsWith(home + sep))
    throw new FileRefused(`${path} is outside of the folder`);
  return wanted;
}

/** Of a file that does not exist yet: where it would be. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPath(parent), path.slice(parent.length));
  }
}

async function known<T>(path: string, work: Promise<T>): Promise<T> {
  return work.catch((error: NodeJS.ErrnoException) => {
    throw new FileRefused(error.code === 'ENOENT' ? `there is no ${path}` : `${path}: ${error.code}`);
  });
}
