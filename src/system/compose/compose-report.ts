/** What is found while compose files are read: problems, and what makes no difference. */
import type { Problem } from '../../kernel/problem.ts';
import { formatPosition } from '../../kernel/source-position.ts';
import { type YamlPlace, yamlPosition } from '../source/yaml-tree.ts';

export interface ComposeNotice {
  /** `file:line:column`. */
  readonly where: string;
  readonly what: string;
}

export interface ComposeReport {
  problem(problem: Problem): void;
  /** Has no effect here, and is listed by `lint`. */
  ignored(at: YamlPlace, what: string): void;
  readonly problems: readonly Problem[];
  readonly notices: readonly ComposeNotice[];
}

/** One for each place: a file can be read several times, for `extends`. */
export function createReport(): ComposeReport {
  const problems = new Map<string, Problem>();
  const notices = new Map<string, ComposeNotice>();
  return {
    problem: (problem) => void problems.set(problem.message, problem),
    ignored: (at, what) => {
      const where = formatPosition(yamlPosition(at));
      notices.set(`${where} ${what}`, { where, what });
    },
    get problems() {
      return [...problems.values()];
    },
    get notices() {
      return [...notices.values()];
    },
  };
}
