/** Turns `run`, as written, into the words of a command line. */
import type { ProgramDocument } from '../document/program-document.ts';
import type { ProgramSpec } from '../system.ts';

type Run = ProgramDocument['run'];

export function isPython(run: Run): run is Exclude<Run, string | string[] | undefined> {
  return typeof run === 'object' && !Array.isArray(run);
}

/** The interpreter of a Python program is found when it starts: until then, its first word is what is known of it. */
export function buildRun(run: Run): Pick<ProgramSpec, 'run' | 'python'> {
  if (typeof run === 'string') return { run: ['sh', '-c', run] };
  if (!isPython(run)) return { run: run ?? [] };
  const { python, module, script, args = [] } = run;
  const what = module === undefined ? [script ?? ''] : ['-m', module];
  return { run: [python ?? 'python3', ...what, ...args], python: python === undefined ? 'search' : 'given' };
}
