/** Makes a prepared Python program start with its interpreter; its children find what belongs to that. */
import path from 'node:path';
import type { ProgramSpec } from '../../system/system.ts';
import type { EnvironmentOptions } from '../environment-options.ts';
import { findPython } from './find-python.ts';

interface Startable {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

type Places = Pick<EnvironmentOptions, 'system' | 'hostEnv'>;

/** What the config says of a variable wins; only `PATH` begins with the programs of the environment in any case. */
export function withPython<Program extends Startable>(
  places: Places,
  python: ProgramSpec['python'],
  program: Program,
  where: string,
): Program {
  if (python === undefined) return program;
  const { argv, cwd, env } = program;
  const [given, ...rest] = argv;
  const { file, venv } = findPython(python === 'given' ? given : undefined, {
    ...{ folder: places.system.folder, cwd, searchPath: env.PATH ?? '', where },
    active: places.hostEnv.VIRTUAL_ENV,
  });
  const bin = venv === undefined ? [] : [path.join(venv, 'bin')];
  return {
    ...program,
    argv: [file, ...rest],
    env: {
      // Beside its source, it would leave folders in the project.
      PYTHONDONTWRITEBYTECODE: '1',
      // A crash in compiled code would end without a word.
      PYTHONFAULTHANDLER: '1',
      ...(venv === undefined ? {} : { VIRTUAL_ENV: venv }),
      ...env,
      PATH: [...bin, env.PATH ?? ''].filter(Boolean).join(path.delimiter),
    },
  };
}
