/** What must not appear in any file of the project, code or not. */

export interface TextRule {
  readonly name: string;
  readonly pattern: RegExp;
  readonly instead: string;
  readonly bad: readonly string[];
  readonly good: readonly string[];
}

// The examples are put together from pieces, so that this file itself contains none of what it forbids.
export const textRules: readonly TextRule[] = [
  {
    name: 'unfinished',
    pattern: /\b(?:TO[D]O|FIX[M]E|X[X]X|HA[C]K)\b/g,
    instead: 'finish it, or open an issue',
    bad: [`// TO${'DO'}: later`, `FIX${'ME'}`],
    good: ['`test.todo`', 'what to do'],
  },
  {
    name: 'machine path',
    pattern:
      /(?<![\w./$}\])*~\\-])\/(?:root|work|home\/\w+|Users\/\w+|workspace|mnt\/\w+)(?=[/\s"'`):,]|$)/gm,
    instead: 'a path relative to the project, or a temporary folder',
    bad: [`/${'work'}/main`, `cd /${'root'}`, `"/${'home'}/ada/x"`],
    good: ['mysql://root:secret@host', 'src/work/a.ts', '${self.home}/x', '/workers', './work'],
  },
  {
    name: 'registry host',
    pattern: /\bregistry\.[a-z0-9-]+\.[a-z]{2,}|"resolved"\s*:/g,
    instead: 'the name of the package; `.npmrc` keeps hosts out of the lock file',
    bad: [`https://registry.${'npmjs'}.org/a`, `"${'resolved'}": "https://x"`],
    good: ['codec-registry.ts', 'the registry of codecs'],
  },
];

export function findTexts(
  file: string,
  text: string,
  rules: readonly TextRule[] = textRules,
): readonly string[] {
  return rules.flatMap(({ pattern, instead }) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => {
      const line = text.slice(0, index).split('\n').length;
      return `${file}:${line}: ${JSON.stringify(found)}; instead: ${instead}`;
    }),
  );
}
