/** A part of a document with its position, so that problems can point at it. */

import type { z } from 'zod';
import { withNearest } from '../../kernel/exact-json.ts';
import { Problem } from '../../kernel/problem.ts';
import type { ProblemCode } from '../../kernel/problem-codes.ts';
import { type DocumentKind, documentProblems } from '../../system/check/document-problems.ts';
import type { ConfigSource } from '../../system/source/config-source.ts';
import type { DocumentPath } from '../../system/source/document-path.ts';

export interface Placed<Value> {
  readonly value: Value;
  readonly source: ConfigSource;
  readonly path: DocumentPath;
}

export type RawMap = Readonly<Record<string, unknown>>;

export function lineOf({ source, path }: Placed<unknown>): number {
  return source.keyLine(path);
}

/** The schema's problems with the part, each at its own key. */
export function shapeProblems(
  placed: Placed<unknown>,
  schema: z.ZodType,
  mayRefer: (key: string) => boolean,
  noun = 'trial',
): Problem[] {
  const { error } = schema.safeParse(withNearest(placed.value));
  const issues = (error?.issues ?? []).map((issue) => ({ ...issue, path: [...placed.path, ...issue.path] }));
  /** A text with a reference may become anything; it is validated again when it is filled in. */
  const trialKind: DocumentKind = {
    noun,
    isOpen: (path, value) =>
      typeof value === 'string' && value.includes('${') && mayRefer(String(path[placed.path.length])),
  };
  return documentProblems(issues, around(placed.path, placed.value), placed.source, trialKind);
}

/** The issues cover the whole document; only those of this part matter. */
function around(path: DocumentPath, value: unknown): unknown {
  return path.reduceRight<unknown>((inner, step) => {
    if (typeof step !== 'number') return { [step]: inner };
    const list: unknown[] = [];
    list[step] = inner;
    return list;
  }, value);
}

/** A problem of a part, which is the only one found there. */
export function problemsAt(...parts: Parameters<typeof problemAt>): Problem[] {
  return [problemAt(...parts)];
}

export function problemAt(
  placed: Placed<unknown>,
  at: 'key' | 'value',
  inner: DocumentPath,
  parts: {
    readonly code: ProblemCode;
    readonly what: string;
    readonly allowed: string;
    readonly next: string;
  },
): Problem {
  const path = [...placed.path, ...inner];
  const where = at === 'key' ? placed.source.keyPosition(path) : placed.source.valuePosition(path);
  return new Problem({ where, ...parts });
}
