/** Describes where two runs differ. */
import { printValue } from '../../../patterns/print-value.ts';
import type { Comparison } from './compare-values.ts';

/** `"ok" at $.status, where it had "done" when the trial passed` */
export function formatDifference({ at = '$', was, is }: Comparison, verb: string): string {
  const place = at === '$' ? '' : ` at ${at}`;
  const [now, then] =
    Array.isArray(is) && Array.isArray(was) ? [countOf(is), countOf(was)] : [short(is), short(was)];
  return `${now}${place}, where it ${verb} ${then} when the trial passed`;
}

function countOf(list: readonly unknown[]): string {
  return list.length === 1 ? '1 element' : `${list.length} elements`;
}

function short(value: unknown): string {
  return printValue(value, 80);
}
