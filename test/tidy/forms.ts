/** How a file begins, what it is called, and that its types are meaningful. */
import path from 'node:path';
import { inSource, type TidyRule } from './rule.ts';

const opening: TidyRule = {
  name: 'opening sentence',
  instead:
    'a doc comment of one line as the first line, that says the part of the file and ends with a full stop',
  looksAt: inSource,
  find: ({ text }) =>
    /^\/\*\* [A-Z`‘].*\. \*\/\n/.test(text) ? [] : [{ line: 1, what: 'no opening sentence' }],
  bad: ['export const a = 1;', '/** a file */\nexport const a = 1;', "import a from 'a';\n/** Too late. */"],
  good: ['/** What is done here. */\nexport const a = 1;'],
};

const explicitAny: TidyRule = {
  name: 'any',
  instead: '`unknown` and a look at what it is, or the type itself',
  looksAt: () => true,
  find: ({ types, lineAt }) =>
    [...withoutTexts(types).matchAll(/\bany\b/g)].map(({ index }) => ({
      line: lineAt(index),
      what: 'the type any',
    })),
  bad: ['export const a = (b: any) => b;', 'type A = Record<string, any>;', 'export const a = b as any;'],
  good: [
    'const any = /a|b/; export const b = "x".replace(any, "any");',
    '/** any */ type A = /* any */ "any" | \'any\';',
  ],
};

function withoutTexts(types: string): string {
  return types.replaceAll(/'[^'\n]*'|"[^"\n]*"/g, (quoted) => ' '.repeat(quoted.length));
}

const vague = ['util', 'utils', 'helper', 'helpers', 'common', 'misc', 'shared', 'stuff'];

/** A name rule looks at the path alone; the file may hold anything. */
export function nameFault(file: string): string | undefined {
  const parts = file.split('/');
  const words = parts.map((part) => part.split('.')[0] ?? '');
  const empty = words.find((word) => word.split(/[-_]/).some((piece) => vague.includes(piece.toLowerCase())));
  if (empty !== undefined) return `${file}: \`${empty}\` says nothing; name it after its one or two exports`;
  const isCode = /\.(?:tsx?|js|mjs|sh)$/.test(file);
  const isKebab = parts.every((part) =>
    /^\.?[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*$/.test(part),
  );
  return isCode && !isKebab ? `${file}: not kebab-case; write ${kebab(file)}` : undefined;
}

function kebab(file: string): string {
  const name = path
    .basename(file)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
  return path.posix.join(path.dirname(file), name);
}

export const forms: readonly TidyRule[] = [opening, explicitAny];
