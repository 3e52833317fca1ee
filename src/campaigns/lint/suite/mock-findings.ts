/** Stand-ins inside of a program: what is replaced there was not tried. */
import type { LintFinding } from '../../../checks/lint-finding.ts';
import { baseId } from '../place-of-part.ts';
import { findMockLibrary, mockCalls, mockLines } from './mock-words.ts';
import { linesLike, type SuiteScript } from './suite-commands.ts';
import type { SuiteModule } from './suite-modules.ts';

export function mockFindings(
  modules: readonly SuiteModule[],
  scripts: readonly SuiteScript[],
): readonly LintFinding[] {
  return [...modules.flatMap(inModule), ...scripts.flatMap(inScript)];
}

function inModule({ shown, scan, flows: [flow] }: SuiteModule): readonly LintFinding[] {
  const trial = flow ? { trial: baseId(flow) } : {};
  const libraries = scan.imports.flatMap(({ specifier, names, line }) => {
    const library =
      findMockLibrary(specifier) ??
      (specifier === 'node:test' && names.includes('mock') ? 'mock' : undefined);
    return library === undefined ? [] : [{ line, text: `it imports ${JSON.stringify(specifier)}` }];
  });
  const calls = scan.calls
    .filter(({ callee }) => mockCalls.test(callee))
    .map(({ callee, line }) => ({ line, text: `it calls \`${callee}\`` }));
  return [...libraries, ...calls].map(({ line, text }) => ({ ...trial, file: shown, line, text, ...rest }));
}

/** A library is told once for a script, at its first line. */
function inScript({ shown, text, command }: SuiteScript): readonly LintFinding[] {
  const [first] = linesLike(text, mockLines);
  if (!first) return [];
  const told = `the script replaces a part of a program: \`${first.content}\``;
  return [{ trial: baseId(command.trial), file: shown, line: first.line, text: told, ...rest }];
}

const rest = {
  kind: 'mock',
  level: 'finding',
  why: 'what is replaced inside of a program was not tried, and its stand-in says whatever the trial wants to hear',
  next: 'play the peer on the wire: a resource of the kind `model` or `http`, with its `because`; or disturb the edge with `disturb`',
} as const;
