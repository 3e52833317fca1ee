/** The config of this folder, its programs and its trials, loaded as `run` loads them. */

import { findBinary } from '../../../environment/processes/find-binary.ts';
import { limits } from '../../../kernel/limits.ts';
import { type Problem, problemsIn } from '../../../kernel/problem.ts';
import { isAttached } from '../../../system/attached/attached-services.ts';
import type { ProgramSpec } from '../../../system/system.ts';
import type { Check, Outcome } from './check.ts';

/** The config of this folder, loaded as `up` loads it. */
export const configCheck: Check = {
  name: 'config',
  otherwise: 'missing',
  withinMs: limits.configImportMs + 2_000,
  byHand: 'shakedown lint',
  look: async ({ folder, config }) => {
    const look = await config;
    const next = 'shakedown init, or name one: --config FILE';
    if (look.kind === 'none') return { state: 'optional-missing', detail: `none in ${folder}`, next };
    if (look.kind === 'broken') return brokenFiles(look.problems);
    const { name, file, resources, jobs, services } = look.system;
    const counted = `${resources.length} resources, ${jobs.length} jobs, ${services.length} services`;
    return { state: 'ok', detail: `${file}: ${name}, ${counted}` };
  },
};

/** Whether the programs that the config starts can be found, as far as that is known before a boot. */
export const configProgramsCheck: Check = {
  name: 'its programs',
  otherwise: 'missing',
  withinMs: limits.configImportMs + 2_000,
  look: async ({ host, config }) => {
    const look = await config;
    if (look.kind !== 'loaded') return undefined;
    const { jobs, services } = look.system;
    const all = [...jobs, ...services.filter((service) => !isAttached(service))];
    const programs = all.filter(({ python }) => python === undefined);
    if (programs.length < all.length && programs.length === 0) return undefined;
    const known = programs.filter(isKnownBeforeBoot);
    const problems = known.flatMap((program) => absence(program, host.env.PATH ?? ''));
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

/** A reference, or a service's own PATH, gets its value only when the program starts. */
function isKnownBeforeBoot({ run, cwd, env }: ProgramSpec): boolean {
  if (run.length === 0) return false; // a container
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

/** The trials of this system, loaded as `run` loads them. */
export const trialsCheck: Check = {
  name: 'its trials',
  otherwise: 'missing',
  // A flow file may take as long as a config, and several are loaded at once.
  withinMs: 3 * limits.configImportMs,
  byHand: 'shakedown lint',
  look: async ({ suite }) => {
    const look = await suite;
    if (look.kind === 'none') return undefined;
    if (look.kind === 'broken') return brokenFiles(look.problems);
    const { length } = look.trials;
    if (length > 0) return { state: 'ok', detail: `${length} well-formed` };
    return {
      state: 'optional-missing',
      detail: 'none: nothing shows that the system does what it should',
      next: 'write one: docs/tutorials/first-trial.md',
    };
  },
};

/** A check result for invalid files: the first problem, and how many more there are. */
export function brokenFiles(problems: readonly Problem[]): Outcome {
  const [first] = problems;
  const more = problems.length > 1 ? `, and ${problems.length - 1} more` : '';
  const next = first?.next ?? 'shakedown lint';
  return { state: 'broken', detail: `${first?.what}${more}`, next, problems };
}
