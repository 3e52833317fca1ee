/** Validates a document against the schema, and returns it with its type. */
import { withNearest } from '../../kernel/exact-json.ts';
import { type Problem, refuse } from '../../kernel/problem.ts';
import { type SystemDocument, systemDocument } from '../document/system-document.ts';
import type { ConfigSource } from '../source/config-source.ts';
import { documentProblems } from './document-problems.ts';
import { hideTypedKeys } from './hide-typed-keys.ts';
import { setAsideLaterParts } from './not-yet.ts';
import { sortProblems } from './sort-problems.ts';

export function checkShape(document: unknown, source: ConfigSource): SystemDocument {
  const { problems: later, rest } = setAsideLaterParts(document, source);
  const { error } = systemDocument.safeParse(withNearest(rest));
  const problems: Problem[] = [...later, ...documentProblems(error?.issues ?? [], rest, source)];
  refuse(sortProblems(hideTypedKeys(problems, document)));
  return document as SystemDocument;
}
