/** What a rule of tidiness is: where it looks, what it finds, what to write instead, and texts that prove that it can fail. */
import type { AnyNode } from 'acorn';
import { type TypeScriptSource, walk } from '../harness/typescript-source.ts';

export interface Finding {
  readonly line: number;
  readonly what: string;
}

export interface TidyRule {
  readonly name: string;
  readonly instead: string;
  /** Whether the rule looks at this file. */
  readonly looksAt: (file: string) => boolean;
  readonly find: (source: TypeScriptSource) => readonly Finding[];
  /** Each must be found … */
  readonly bad: readonly string[];
  /** … and none of these. */
  readonly good: readonly string[];
}

export const inSource = (file: string): boolean => file.startsWith('src/') && !isTest(file);

export const isTest = (file: string): boolean => file.endsWith('.test.ts') || file.startsWith('test/');

/** What a check of single nodes finds in a whole file. */
export function nodesWhere(
  check: (node: AnyNode, around: readonly AnyNode[]) => string | undefined,
): TidyRule['find'] {
  return (source) => {
    const found: Finding[] = [];
    walk(source.program, (node, around) => {
      const what = check(node, around);
      if (what !== undefined) found.push({ line: source.lineAt(node.start), what });
    });
    return found;
  };
}

/** `Date.now` of `Date.now()`: the dotted name of an expression, or undefined when it is not a plain one. */
export function dottedName(node: AnyNode): string | undefined {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier')
    return undefined;
  const object = dottedName(node.object);
  return object === undefined ? undefined : `${object}.${node.property.name}`;
}
