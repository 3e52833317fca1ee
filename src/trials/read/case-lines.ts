/** The lines of a script: written where they belong, or the whole list as a value of the case, `agent: ${case.lines}`. */
import { isMap } from '../../kernel/is-map.ts';
import type { Problem } from '../../kernel/problem.ts';
import { isReference, parseReferences } from '../../kernel/references.ts';
import type { DocumentPath } from '../../system/source/document-path.ts';
import type { Case } from './cases.ts';
import { type Placed, problemAt, type RawMap } from './placed.ts';

/** As written: a text is a reference to a value of the case. */
export type WrittenLines = readonly RawMap[] | string;

/** `list` is where they are; a line is below it by its index. */
export type FoundLines =
  | { readonly lines: readonly RawMap[]; readonly list: Placed<unknown> }
  | { readonly problem: Problem };

/** `written` is in the script, `root` is the trial with the cases. */
export function linesOf(
  written: Placed<WrittenLines>,
  root: Placed<unknown>,
  one: Case,
  fill: (value: RawMap) => RawMap,
): FoundLines {
  const { value } = written;
  if (typeof value !== 'string') return { lines: value, list: written };
  const { lines } = fill({ lines: value });
  if (Array.isArray(lines) && lines.every(isMap))
    return { lines, list: placeInCase(value, root, one) ?? written };
  return {
    problem: problemAt(written, 'value', [], {
      code: 'config.bad-value',
      what:
        lines === value
          ? `the case ${one.name === undefined ? '' : `\`${one.name}\` `}has no value for ${value}`
          : `${value} is not a list of lines`,
      allowed: 'a list of lines, such as `[{ says: Done. }]`',
      next: 'give each case a list of lines under this key, or write the lines here',
    }),
  };
}

/** Cases of a roster are written elsewhere. */
function placeInCase(value: string, root: Placed<unknown>, one: Case): Placed<unknown> | undefined {
  const [only] = parseReferences(value);
  const cases = isMap(root.value) ? root.value.cases : undefined;
  if (!only || !isReference(only) || one.name === undefined || !isMap(cases) || !(one.name in cases))
    return undefined;
  const path: DocumentPath = ['cases', one.name, ...only.path.slice(1)];
  return { ...root, path };
}
