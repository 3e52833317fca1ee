/** A suite without trials, or a glob that finds none of them: what is not there cannot fail. */
import type { LintFinding } from '../../../checks/lint-finding.ts';
import { readConfig } from '../../../system/read-config.ts';
import type { System } from '../../../system/system.ts';
import { findTrialFiles } from '../../../trials/load-trials.ts';
import type { Trial } from '../../../trials/trial.ts';
import { slashed } from '../place-of-part.ts';

export async function emptySuiteFindings(
  system: System,
  trials: readonly Trial[],
): Promise<readonly LintFinding[]> {
  const idle = await idleGlobs(system, trials.length > 0);
  if (idle.length === 0 && trials.length > 0) return [];
  const { value, source } = await readConfig(system.file);
  const file = slashed(source.file.slice(system.folder.length + 1));
  if ((value as { readonly trials?: unknown } | null)?.trials === undefined || idle.length === 0)
    return trials.length > 0 ? [] : [noTrials(file)];
  const { line } = source.keyPosition(['trials']);
  return idle.map((pattern) => emptyGlob(pattern, { file, line }));
}

/** Where there are trials, a glob that looks into every folder cannot be mistyped; the usual two are such. */
async function idleGlobs(system: System, hasTrials: boolean): Promise<readonly string[]> {
  const written = hasTrials ? system.trials.filter((pattern) => !pattern.startsWith('**/*')) : system.trials;
  const counts = await Promise.all(
    written.map(async (pattern) => (await findTrialFiles({ ...system, trials: [pattern] })).length),
  );
  return written.filter((_pattern, index) => counts[index] === 0);
}

function emptyGlob(pattern: string, place: { readonly file: string; readonly line: number }): LintFinding {
  return {
    kind: 'empty-glob',
    level: 'finding',
    ...place,
    text: `\`trials\` has ${JSON.stringify(pattern)}, which finds no trial`,
    why: 'what is not found is not performed, and a suite without trials cannot fail',
    next: 'correct the glob: it is relative to the config, and files of trials end with .trial.yaml, .flow.ts or .flow.js',
  };
}

function noTrials(file: string): LintFinding {
  return {
    kind: 'no-trials',
    level: 'warning',
    file,
    line: 1,
    text: 'there is no trial',
    why: 'nothing shows that the system does what it should',
    next: 'write one: docs/tutorials/first-trial.md',
  };
}
