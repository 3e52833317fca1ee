/** Fills in the references of a spec: numbers become texts where texts are required; invalid values are reported. */
import type { z } from 'zod';
import { isAnyNumber, withNearest } from '../../kernel/exact-json.ts';
import { asText } from '../../kernel/references.ts';
import { applyMutant, valueAt } from '../../patterns/mutants/mutant.ts';
import { printValue } from '../../patterns/print-value.ts';
import type { PathKey } from '../../patterns/value-path.ts';
import { formatPath } from '../../system/source/document-path.ts';
import type { RawMap } from '../read/placed.ts';

export interface FilledIn {
  readonly value: RawMap;
  readonly fault?: string;
}

export function filledIn(schema: z.ZodType, filled: RawMap): FilledIn {
  const issues = issuesOf(schema, filled);
  if (issues.length === 0) return { value: filled };
  const value = issues
    .flatMap(textPlaces)
    .filter((keys) => isPlainScalar(valueAt(filled, keys)))
    .reduce(
      (now, keys) => applyMutant(now, { keys, value: asText(valueAt(filled, keys)) }),
      filled as unknown,
    );
  const [issue] = issuesOf(schema, value);
  if (!issue) return { value: value as RawMap };
  const keys = issue.path as PathKey[];
  const what = `\`${formatPath(keys)}\` is ${printValue(valueAt(filled, keys))} once it is filled in`;
  return { value: filled, fault: `${what}; allowed: ${issue.message}` };
}

type Issue = z.core.$ZodIssue;

function issuesOf(schema: z.ZodType, value: unknown): readonly Issue[] {
  return schema.safeParse(withNearest(value)).error?.issues ?? [];
}

/** The paths at which a text would have been valid, through every option of a union. */
function textPlaces(issue: Issue): readonly PathKey[][] {
  const path = issue.path as PathKey[];
  if (issue.code === 'invalid_union')
    return issue.errors.flatMap((option) => option.flatMap(textPlaces)).map((keys) => [...path, ...keys]);
  return issue.code === 'invalid_type' && issue.expected === 'string' ? [path] : [];
}

function isPlainScalar(value: unknown): boolean {
  return isAnyNumber(value) || typeof value === 'boolean';
}
