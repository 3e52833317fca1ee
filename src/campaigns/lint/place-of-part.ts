/** File and line of a part of a trial, as findings tell them. */
import path from 'node:path';
import type { LintFinding } from '../../checks/lint-finding.ts';
import type { Trial, TrialPart } from '../../trials/trial.ts';

export interface LintPlace {
  readonly file: string;
  readonly line: number;
}

/** Relative to the folder of the config. */
export function placeOfPart({ record, whereIs }: Trial, part: TrialPart, folder: string): LintPlace {
  const found = whereIs?.(part);
  if (!found) return { file: slashed(record.file), line: record.line };
  return { file: slashed(path.relative(folder, found.file)), line: found.line };
}

/** Without its case: the cases of a trial have the same steps and checks. */
export function baseId(trial: Trial | string): string {
  return (typeof trial === 'string' ? trial : trial.record.id).replace(/\[.*\]$/, '');
}

/** What is the same in every case of a trial is told once. */
export function toldOnce(findings: readonly LintFinding[]): readonly LintFinding[] {
  const told = new Map<string, LintFinding>();
  for (const finding of findings) {
    const { kind, trial, check, file, line, text } = finding;
    const name = JSON.stringify([kind, trial, check, file, line, text]);
    if (!told.has(name)) told.set(name, finding);
  }
  return [...told.values()];
}

export function slashed(file: string): string {
  return file.replaceAll(path.sep, '/');
}
