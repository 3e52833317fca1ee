/** Whether a trial expects that a step is refused: then the called thing need not exist. Pure. */
import { isContainer } from '../../../kernel/exact-json.ts';
import { matchPattern } from '../../../patterns/match-pattern.ts';
import type { Trial } from '../../../trials/trial.ts';
import { isOpen } from '../suite/scan-module.ts';

/** Statuses by which a service says that something does not exist. */
const absent = [404, 405, 410, 501];

export function expectsAbsence(trial: Trial, step: string): boolean {
  return patternsFor(trial, step).some((pattern) =>
    valuesUnder(pattern, 'status').some((status) => absent.some((code) => admits(status, code))),
  );
}

/** A missing tool, or arguments that it does not take. */
export function expectsToolError(trial: Trial, step: string): boolean {
  return patternsFor(trial, step).some(
    (pattern) =>
      valuesUnder(pattern, 'isError').some((value) => admits(value, true)) ||
      [...valuesUnder(pattern, 'rpcError'), ...valuesUnder(pattern, 'error')].some(
        (value) => !isAbsence(value),
      ),
  );
}

function patternsFor({ steps, record }: Trial, name: string): readonly unknown[] {
  return [
    ...steps.filter((step) => step.name === name).map(({ expect }) => expect),
    ...record.checks
      .filter(({ kind, query }) => kind === 'exchange' && query.exchange === name)
      .map(({ expect }) => expect),
  ];
}

/** Keys of the result itself, or of each of a burst; a body may have keys of the same name, which are different. */
function valuesUnder(pattern: unknown, key: string): readonly unknown[] {
  if (!isContainer(pattern)) return [];
  if (Array.isArray(pattern)) return pattern.flatMap((one) => valuesUnder(one, key));
  return Object.entries(pattern).flatMap(([name, inner]) => {
    if (name === key) return [inner];
    return name === 'answers' || (name.startsWith('$') && name !== '$not') ? valuesUnder(inner, key) : [];
  });
}

/** A value that is filled in later may be anything. */
function admits(pattern: unknown, value: unknown): boolean {
  return isOpen(pattern) || matchPattern(pattern, value).matched;
}

function isAbsence(pattern: unknown): boolean {
  return isContainer(pattern) && Reflect.get(pattern, '$absent') === true;
}
