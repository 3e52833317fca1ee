/** Finds the one config file of a folder. */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Problem } from '../kernel/problem.ts';

export const configNames: readonly string[] = [
  'shakedown.config.ts',
  'shakedown.config.mts',
  'shakedown.config.js',
  'shakedown.config.mjs',
  'shakedown.yaml',
  'shakedown.yml',
];

/** The absolute path of the config. */
export function findConfig(folder: string): string {
  const absolute = resolve(folder);
  const names = namesIn(absolute);
  const [first, second] = configNames.filter((name) => names.includes(name));
  if (first === undefined) throw noConfig(absolute, names);
  if (second !== undefined) throw twoConfigs(absolute, first, second);
  return join(absolute, first);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw unreadableFolder(folder, error as NodeJS.ErrnoException);
  }
}

function noConfig(folder: string, names: readonly string[]): Problem {
  const lookalike = names.find((name) => /^\.?shakedown[.-].*(?:ts|js|ya?ml|json|toml)$/i.test(name));
  const target = lookalike && /ya?ml$/i.test(lookalike) ? 'shakedown.yaml' : 'shakedown.config.ts';
  return new Problem({
    code: 'config.not-found',
    where: folder,
    what: lookalike
      ? `there is no config in this folder; ${lookalike} is not the name of a config`
      : 'there is no config in this folder',
    allowed: configNames.join(', '),
    next: lookalike
      ? `mv ${lookalike} ${target}`
      : 'shakedown init, or give the path of a config: --config <file>',
  });
}

function twoConfigs(folder: string, first: string, second: string): Problem {
  return new Problem({
    code: 'config.duplicate-name',
    where: folder,
    what: `there are two configs in this folder: ${first} and ${second}`,
    allowed: 'one config per folder',
    next: `remove one, or name the one you mean: --config ${first}`,
  });
}

function unreadableFolder(folder: string, error: NodeJS.ErrnoException): Problem {
  return new Problem({
    code: error.code === 'ENOENT' ? 'config.not-found' : 'config.unreadable',
    where: folder,
    what: `the folder cannot be read: ${error.code ?? error.message}`,
    allowed: 'a folder that exists and that you may read',
    next: 'correct the path',
    cause: error,
  });
}
