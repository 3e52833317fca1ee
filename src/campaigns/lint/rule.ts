/** A rule of lint: its code, how grave it is, why it matters, what to do, and how the places that break it are found. */
import path from 'node:path';
import type { FindingLevel, LintFinding } from '../../checks/lint-finding.ts';
import { baseId } from '../../kernel/base-id.ts';
import type { Trial, TrialPart } from '../../trials/trial.ts';

export interface Rule<Input> {
  readonly kind: string;
  readonly level: FindingLevel;
  readonly why: string;
  /** Absent where each finding says it itself. */
  readonly next?: string;
  find(input: Input): readonly Found[] | Promise<readonly Found[]>;
}

/** Relative to the folder of the config. */
export interface LintPlace {
  readonly file: string;
  readonly line: number;
}

/** A place that breaks a rule; it may say more precisely what the rule says in general. */
export type Found = Place & Pick<LintFinding, 'text'> & Partial<Pick<LintFinding, 'level' | 'why' | 'next'>>;

export type Place = LintPlace & Pick<LintFinding, 'trial' | 'check'>;

/** In the order of the rules: what one finds may depend on what those before it have seen. */
export async function applyRules<Input>(
  rules: readonly Rule<Input>[],
  input: Input,
): Promise<readonly LintFinding[]> {
  const findings: LintFinding[] = [];
  for (const { kind, level, why, next = '', find } of rules)
    for (const found of await find(input)) findings.push({ kind, level, why, next, ...found });
  return findings;
}

/** The place of a part of a trial, or of the trial as a whole. */
export function inTrial(
  { record, whereIs }: Trial,
  folder = '',
  part?: TrialPart,
): Place & { readonly trial: string } {
  const found = part && whereIs?.(part);
  const file = found ? path.relative(folder, found.file) : record.file;
  return { trial: baseId(record.id), file: file, line: (found ?? record).line };
}

/** What is the same in every case of a trial is reported once. */
export function withoutRepeats(findings: readonly LintFinding[]): readonly LintFinding[] {
  const groups = Map.groupBy(findings, ({ kind, trial, check, file, line, text }) =>
    JSON.stringify([kind, trial, check, file, line, text]),
  );
  return [...groups.values()].flatMap(([first]) => first ?? []);
}
