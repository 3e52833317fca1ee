/** What the policy of the suite allows, and which of its allowances nobody needs any more. */
import type { LintFinding } from '../../../checks/lint-finding.ts';
import type { SuiteAllowance, SuitePolicy } from '../../../system/system.ts';
import { globMatcher } from '../matching-globs.ts';

export interface Allowances {
  /** A module, by its path or by the name of its package. */
  imports(module: string): boolean;
  /** A file of the suite. */
  writes(file: string): boolean;
  sleeps(file: string): boolean;
  /** Globs that allowed nothing so far. */
  idle(): readonly { readonly key: AllowanceKey; readonly glob: string; readonly index: number }[];
}

export type AllowanceKey = 'imports' | 'writes' | 'sleeps';

const keys: readonly AllowanceKey[] = ['imports', 'writes', 'sleeps'];

export function openAllowances(policy: SuitePolicy = {}): Allowances {
  const used = new Set<string>();
  const asks = (key: AllowanceKey) => {
    const globs = (policy[key]?.allow ?? []).map((glob) => ({ glob, matches: globMatcher(glob) }));
    return (file: string): boolean => {
      const found = globs.find(({ glob, matches }) => matches(file) || file === glob);
      if (found) used.add(`${key} ${found.glob}`);
      return found !== undefined;
    };
  };
  return {
    imports: asks('imports'),
    writes: asks('writes'),
    sleeps: asks('sleeps'),
    idle: () =>
      keys.flatMap((key) =>
        globsOf(policy[key]).flatMap((glob, index) =>
          used.has(`${key} ${glob}`) ? [] : [{ key, glob, index }],
        ),
      ),
  };
}

export function idleFinding(
  { key, glob }: { readonly key: AllowanceKey; readonly glob: string },
  place: { readonly file: string; readonly line: number },
): LintFinding {
  return {
    kind: 'unused-allowance',
    level: 'warning',
    ...place,
    text: `\`suite.${key}\` allows ${JSON.stringify(glob)}, and nothing needs it`,
    why: 'an allowance that is not needed hides the next thing that it happens to match',
    next: 'remove it',
  };
}

function globsOf(allowance: SuiteAllowance | undefined): readonly string[] {
  return allowance?.allow ?? [];
}
