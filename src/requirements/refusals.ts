/** Where a trial expects the system to refuse: judged by what its patterns accept, never by the words in its titles. */
import type { CheckRecord, DisturbRecord, StepRecord, TrialRecord } from '../checks/trial-record.ts';
import { checkKind } from '../kinds/check-kinds.ts';
import { refusalIn } from './refusal-in.ts';

type Refusing = Pick<TrialRecord, 'steps' | 'checks' | 'disturbs'>;

/** A step or check that holds only when something is refused, fails, or does not happen; or a cause of failure. */
interface Refusal {
  /** `step answer`, `check untouched`, `disturb[0]`. */
  readonly part: string;
  readonly because: string;
}

export function refusalsOf({ steps, checks, disturbs = [] }: Refusing): readonly Refusal[] {
  return [...steps.flatMap(inStep), ...checks.flatMap(inCheck), ...disturbs.flatMap(inDisturb)];
}

function inStep({ name, expect }: StepRecord): Refusal[] {
  const because = refusalIn(expect);
  return because === undefined ? [] : [{ part: `step ${name}`, because }];
}

/** An exchange that is made to fail. A disturbance without effect makes the trial unknown, so it does not count. */
function inDisturb({ name, edge, what, fails = failed(what) }: DisturbRecord): Refusal[] {
  return fails ? [{ part: name, because: `${edge} is disturbed: ${what}` }] : [];
}

/** A record of an older version begins with what is done: `answer 503 instead`. */
function failed(record: string): boolean {
  const [fault = '', status] = record.split(' ');
  return fault === 'answer' ? Number(status) >= 400 : ['cut', 'hold', 'drop'].includes(fault);
}

function inCheck(check: CheckRecord): Refusal[] {
  if (check.opaque) return [];
  const because = absenceIn(check) ?? presenceIn(check);
  return because === undefined ? [] : [{ part: `check ${check.id}`, because }];
}

/** An absence counts once another trial proves that it would have been observed. */
function absenceIn({ kind, mode, absence, provenBy, expect, only }: CheckRecord): string | undefined {
  if (absence) return provenBy === undefined ? undefined : `nothing is seen, which ${provenBy} proves`;
  if (mode === 'never') return 'it is a `never` check';
  const closed = checkKind(kind)?.isClosed && Array.isArray(expect) && expect.length === 0;
  return closed && (only ?? []).length === 0 ? 'nothing has changed' : undefined;
}

/** A refusal must be present: in the expected value, or in elements that must be found. */
function presenceIn({ absence, mode, expect, query }: CheckRecord): string | undefined {
  if (absence || mode === 'never') return undefined;
  return refusalIn(expect) ?? refusalIn(query.where);
}
