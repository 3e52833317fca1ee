/** Finds a server program on PATH: Redis, or Valkey. */
import path from 'node:path';
import { isExecutable } from '../../../kernel/is-executable.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { Variables } from '../../resource.ts';

const programs = ['redis-server', 'valkey-server'];

export function findServer(where: string, hostEnv: Variables): string {
  const folders = (hostEnv.PATH ?? '').split(path.delimiter).filter(Boolean);
  const files = programs.flatMap((program) => folders.map((folder) => path.resolve(folder, program)));
  const found = files.find(isExecutable);
  if (found !== undefined) return found;
  throw new Problem({
    code: 'world.missing-binary',
    where,
    what: `neither ${programs.join(' nor ')} is on PATH`,
    allowed: 'one of these programs on PATH, or a server of your own: `url` in the resource',
    next: 'apt-get install redis-server\nor, on macOS: brew install redis (or valkey)\nor, for a server that runs already: `url: redis://host:6379`',
    evidence: folders.map((folder) => `looked in ${folder}`).slice(0, 20),
  });
}
