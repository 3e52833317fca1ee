/** How long files and functions may be. */
import type { AnyNode } from 'acorn';
import { type TypeScriptSource, walk } from '../harness/typescript-source.ts';
import { dottedName, type Finding, isTest, type TidyRule } from './rule.ts';

const mostFileLines = 400;
const mostFunctionLines = 70;

const longFile: TidyRule = {
  name: 'long file',
  instead: `two files with names of their own; ${mostFileLines} lines at most`,
  looksAt: () => true,
  find: ({ lineCount }) =>
    lineCount > mostFileLines ? [{ line: mostFileLines + 1, what: `${lineCount} lines` }] : [],
  bad: ['a();\n'.repeat(mostFileLines + 1)],
  good: ['a();\n'.repeat(mostFileLines)],
};

const longFunction: TidyRule = {
  name: 'long function',
  instead: `functions of ${mostFunctionLines} lines at most, each with one thing to do`,
  looksAt: () => true,
  find: (source) => {
    const found: Finding[] = [];
    walk(source.program, (node) => {
      const lines = isFunction(node) ? source.lineAt(node.end) - source.lineAt(node.start) + 1 : 0;
      if (lines > mostFunctionLines && !(isTest(source.file) && isSuite(node))) {
        found.push({ line: source.lineAt(node.start), what: `a function of ${lines} lines` });
      }
    });
    return found;
  },
  bad: [`function a() {\n${'b();\n'.repeat(mostFunctionLines - 1)}}`],
  good: [`function a() {\n${'b();\n'.repeat(mostFunctionLines - 2)}}`],
};

export const sizes: readonly TidyRule[] = [longFile, longFunction];

function isFunction({ type }: AnyNode): boolean {
  return (
    type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression'
  );
}

/** A function that contains tests is a list of them, not a piece of logic. */
function isSuite(node: AnyNode): boolean {
  let holdsTests = false;
  walk(node, (inner) => {
    if (inner.type === 'CallExpression' && /^(?:test|it)\b/.test(dottedName(inner.callee) ?? ''))
      holdsTests = true;
  });
  return holdsTests;
}

/** The line counts at the middle and at the 95th percentile. */
export function sizeFigures(sources: readonly TypeScriptSource[]): {
  median: number;
  p95: number;
  longest: string;
} {
  const sorted = [...sources].sort((a, b) => a.lineCount - b.lineCount);
  const at = (share: number): TypeScriptSource | undefined =>
    sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
  return {
    median: at(0.5)?.lineCount ?? 0,
    p95: at(0.95)?.lineCount ?? 0,
    longest: `${sorted.at(-1)?.file} (${sorted.at(-1)?.lineCount})`,
  };
}
