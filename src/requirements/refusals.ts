/** Where a trial expects the system to refuse: by what its patterns accept, never by the words in its titles. */
import type { CheckRecord, DisturbRecord, StepRecord, TrialRecord } from '../checks/trial-record.ts';
import { refusalIn } from './refusal-in.ts';

/** A step or a check that holds only when something is refused, fails, or does not happen; or what makes something fail. */
export interface Refusal {
  /** `step answer`, `check untouched`, `disturb[0]`. */
  readonly part: string;
  readonly because: string;
}

export function refusalsOf({
  steps,
  checks,
  disturbs = [],
}: Pick<TrialRecord, 'steps' | 'checks' | 'disturbs'>): readonly Refusal[] {
  return [...steps.flatMap(inStep), ...checks.flatMap(inCheck), ...disturbs.flatMap(inDisturb)];
}

function inStep({ name, expect }: StepRecord): Refusal[] {
  const because = refusalIn(expect);
  return because === undefined ? [] : [{ part: `step ${name}`, because }];
}

/** An exchange that is made to fail. One that nobody felt makes the trial unknown, so that it counts for nothing. */
function inDisturb({ name, edge, what }: DisturbRecord): Refusal[] {
  return /^(?:cut|hold|drop|answer [45]\d\d) /.test(what)
    ? [{ part: name, because: `${edge} is disturbed: ${what}` }]
    : [];
}

function inCheck(check: CheckRecord): Refusal[] {
  if (check.opaque) return [];
  const because = absenceIn(check) ?? presenceIn(check);
  return because === undefined ? [] : [{ part: `check ${check.id}`, because }];
}

/** What must not be there counts once another trial proves that it would have been seen. */
function absenceIn({ kind, mode, absence, provenBy, expect, only }: CheckRecord): string | undefined {
  if (absence) return provenBy === undefined ? undefined : `nothing is seen, which ${provenBy} proves`;
  if (mode === 'never') return 'it says what is never seen';
  const closed = kind === 'changes' && Array.isArray(expect) && expect.length === 0;
  return closed && (only ?? []).length === 0 ? 'nothing has changed' : undefined;
}

/** Something that was refused is there: in what is expected, or in what is looked for and must be found. */
function presenceIn({ absence, mode, expect, query }: CheckRecord): string | undefined {
  if (absence || mode === 'never') return undefined;
  return refusalIn(expect) ?? refusalIn(query.where);
}
