/** The interpreters of the Python programs in the config: which each of them gets, and its version. */
import path from 'node:path';
import { findPython } from '../../../environment/python/find-python.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { ProgramSpec } from '../../../system/system.ts';
import type { Host } from '../../session/host.ts';
import { askProgram } from './ask-program.ts';
import type { Check, Outcome } from './check.ts';

type Missing = Pick<Outcome, 'detail' | 'next'>;

export const pythonCheck: Check = {
  name: 'python',
  otherwise: 'missing',
  look: async ({ host, config }, signal) => {
    const look = await config;
    if (look.kind !== 'loaded') return undefined;
    const { folder, jobs, services } = look.system;
    // A reference is resolved when the program starts.
    const programs = [...jobs, ...services].filter(
      ({ python, run, cwd }) => python !== undefined && ![run[0], cwd].some((text) => text?.includes('${')),
    );
    if (programs.length === 0) return undefined;
    const found = programs.map((program) => ({ name: program.name, place: locate(program, folder, host) }));
    for (const { name, place } of found)
      if (typeof place !== 'string')
        return { state: 'missing', ...place, detail: `${name}: ${place.detail}` };
    const users = [...Map.groupBy(found, ({ place }) => place as string)];
    const answers = await Promise.all(
      users.map(async ([file, of]) => ({
        program: `${of.map(({ name }) => name).join(', ')}: ${shownFrom(folder, file)}`,
        ...(await askProgram(host, file, ['--version'], signal)),
      })),
    );
    const mute = answers.find(({ code }) => code !== 0);
    if (mute)
      return {
        state: 'missing',
        detail: `${mute.program} does not run: ${mute.said.at(-1) ?? `exit code ${mute.code}`}`,
        next: 'make its environment again, or name another interpreter with `python`',
      };
    return {
      state: 'ok',
      detail: answers.map(({ program, said }) => `${program}, ${said.at(-1)}`).join('; '),
    };
  },
};

function locate({ name, run, python, cwd }: ProgramSpec, folder: string, host: Host): string | Missing {
  try {
    return findPython(python === 'given' ? run[0] : undefined, {
      ...{ folder, cwd, searchPath: host.env.PATH ?? '', where: `doctor, ${name}` },
      active: host.env.VIRTUAL_ENV,
    }).file;
  } catch (error) {
    if (error instanceof Problem) return { detail: error.what, next: error.next };
    throw error;
  }
}

function shownFrom(folder: string, file: string): string {
  const below = path.relative(folder, file);
  return below.startsWith('..') ? file : below;
}
