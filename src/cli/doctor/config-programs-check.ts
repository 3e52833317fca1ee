/** The programs that the config starts: whether each can be found, as far as that is known before a boot. */
import { findBinary } from '../../environment/processes/find-binary.ts';
import { limits } from '../../kernel/limits.ts';
import { type Problem, problemsIn } from '../../kernel/problem.ts';
import type { ProgramSpec } from '../../system/system.ts';
import type { Check } from './check.ts';

export const configProgramsCheck: Check = {
  name: 'its programs',
  otherwise: 'missing',
  withinMs: limits.configImportMs + 2_000,
  look: async ({ call, config }) => {
    const look = await config;
    if (look.kind !== 'loaded') return undefined;
    const programs = [...look.system.jobs, ...look.system.services];
    const known = programs.filter(isKnownBeforeBoot);
    const problems = known.flatMap((program) => absence(program, call.env.PATH ?? ''));
    const [first] = problems;
    if (!first) {
      const later =
        programs.length > known.length ? `, ${programs.length - known.length} known only at boot` : '';
      return { state: 'ok', detail: `${known.length} found${later}` };
    }
    const detail = problems.map(({ where, what }) => `${where}: ${what}`).join('; ');
    return { state: 'missing', detail, next: first.next };
  },
};

/** A reference, or a PATH of its own, gets its value when the program starts. */
function isKnownBeforeBoot({ run, cwd, env }: ProgramSpec): boolean {
  return ![run[0], cwd].some((text) => text?.includes('${')) && env.PATH === undefined;
}

function absence({ name, run, cwd }: ProgramSpec, searchPath: string): readonly Problem[] {
  try {
    findBinary(run[0] as string, searchPath, cwd, name);
    return [];
  } catch (error) {
    return problemsIn(error);
  }
}
