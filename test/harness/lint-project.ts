/** A small suite, and what `lint` finds in it. */
import { expect } from 'vitest';
import type { LintFinding, NotKnown } from '../../src/checks/lint-finding.ts';
import { makeProject, type Project, type RunOptions } from './project.ts';

export type Files = Readonly<Record<string, string>>;

/** Two services that answer, with what a test adds to the config; trials are in `trials/`. */
export function lintProject(files: Files, config = ''): Project {
  return makeProject({
    'shakedown.yaml': `name: pair
trials: "trials/**"
services:
  web: { run: [node, services/answers.mjs], listen: { env: PORT } }
  api: { run: [node, services/answers.mjs], listen: { env: PORT }, env: { PEER: "\${web.url}" } }
${config}
`,
    ...files,
  });
}

/** A trial that proves something. */
export function soundTrial(id: string, more = ''): string {
  return `id: ${id}\n${more}\nsteps: [{ http: GET web/, expect: { status: 200 } }]\n`;
}

/** A flow whose body is this. */
export function flowText(id: string, body: string, imports = ''): string {
  return `import { flow } from 'shakedown';
${imports}
flow('it holds', { id: '${id}' }, async (at: any) => {
  ${body}
});
`;
}

export interface Linted {
  readonly code: number | null;
  readonly findings: readonly LintFinding[];
  readonly notKnown: readonly NotKnown[];
  /** The whole output, for keys that few tests use. */
  readonly json: Readonly<Record<string, unknown>>;
  /** `sleep trials/a.trial.yaml:3`, of findings and warnings alike. */
  readonly shown: readonly string[];
}

export async function lintJson(
  project: Project,
  args: readonly string[] = [],
  options: RunOptions = {},
): Promise<Linted> {
  const { code, stdout, output } = await project.run(['lint', '--json', ...args], options);
  const json = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as {
    findings?: LintFinding[];
    notKnown?: NotKnown[];
  };
  expect(json.findings, output).toBeDefined();
  const { findings = [], notKnown = [] } = json;
  for (const { why, next, text } of findings)
    expect([why, next, text].every((words) => words.length > 5)).toBe(true);
  return {
    code,
    findings,
    notKnown,
    json: json as Readonly<Record<string, unknown>>,
    shown: findings.map(({ kind, file, line }) => `${kind} ${file}:${line}`),
  };
}
