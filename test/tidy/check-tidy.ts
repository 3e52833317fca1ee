/** Checks all files against all rules, and returns every violation at once. Pure. */
import { importGraph } from '../boundaries/find-import-cycles.ts';
import type { TypeScriptSource } from '../harness/typescript-source.ts';
import { bannedCalls } from './banned-calls.ts';
import type { TidyException } from './exceptions.ts';
import { forms } from './forms.ts';
import type { TidyRule } from './rule.ts';
import { sizes } from './sizes.ts';
import { quietFaults } from './swallowed-errors.ts';

export const tidyRules: readonly TidyRule[] = [...bannedCalls, ...quietFaults, ...sizes, ...forms];

export function checkTidy(
  sources: readonly TypeScriptSource[],
  exceptions: readonly TidyException[],
  rules: readonly TidyRule[] = tidyRules,
): readonly string[] {
  const used = new Set<TidyException>();
  const violations = sources.flatMap((source) =>
    rules
      .filter((rule) => rule.looksAt(source.file))
      .flatMap((rule) => {
        const found = rule.find(source);
        const exception = exceptions.find(
          ({ file, rule: name }) => file === source.file && name === rule.name,
        );
        if (exception && found.length > 0) used.add(exception);
        if (exception) return [];
        return found.map(({ line, what }) => `${source.file}:${line}: ${what}; instead: ${rule.instead}`);
      }),
  );
  const idle = exceptions.filter((exception) => !used.has(exception));
  return [
    ...violations,
    ...idle.map(({ file, rule }) => `${file}: the exception from \`${rule}\` is not needed`),
  ];
}

/** Files of `src/` that no entry of the product reaches, by values or by types. */
export function findDeadFiles(
  files: ReadonlyMap<string, string>,
  entries: readonly string[],
): readonly string[] {
  const edges = importGraph(files, { withTypes: true });
  const reached = new Set<string>();
  const reach = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const next of edges.get(file) ?? []) reach(next);
  };
  for (const entry of entries) reach(entry);
  return [...files.keys()].filter((file) => file.startsWith('src/') && !reached.has(file));
}
