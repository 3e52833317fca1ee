/** A small shop with requirements, trials and a git repository of its own. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Project } from '../harness/project.ts';
import { trialsProject } from '../harness/trials-project.ts';

export const shop = `isolation: shared
services:
  web: { run: [node, services/does-as-told.mjs], listen: { env: PORT } }
gates:
  pr: { priority: [p0], requirements: { covered: [p0], drift: warn } }
  nightly: { requirements: { covered: [p0, p1], drift: fail } }
  strict: { requirements: { covered: [p0], deferred: forbid } }`;

export const held = 'steps: [{ http: GET web/a, as: page, expect: { status: 200 } }]';
export const failing = 'steps: [{ http: GET web/a, as: page, expect: { status: 404 } }]';

export function shopProject(
  requirements: string,
  trials: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
): Project {
  return trialsProject(shop, trials, { 'requirements.yaml': requirements, ...files });
}

export interface CoverageJson {
  readonly exitCode: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly priorities: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly backends: readonly string[];
  readonly requirements: ReadonlyArray<{
    readonly id: string;
    readonly state: string;
    readonly waitsFor: readonly string[];
    readonly cells: ReadonlyArray<{
      readonly backend: string;
      readonly state: string;
      readonly evidence: ReadonlyArray<{
        readonly trial: string;
        readonly verdict: string;
        readonly folder: string | null;
        readonly because?: string;
      }>;
    }>;
  }>;
  readonly findings: readonly Shown[];
  readonly warnings: readonly Shown[];
  readonly undetermined: ReadonlyArray<{ readonly ids: readonly string[]; readonly because: string }>;
  readonly notes: readonly string[];
}

interface Shown {
  readonly kind: string;
  readonly requirement?: string;
  readonly trial?: string;
  readonly text: string;
  readonly file?: string;
  readonly line?: number;
}

/** The output of `coverage --json`; its exit code is the one in the output. */
export async function coverageOf(project: Project, ...args: readonly string[]): Promise<CoverageJson> {
  const { code, stdout, output } = await project.run(['coverage', '--json', ...args]);
  const last = stdout.trimEnd().split('\n').at(-1) ?? '';
  expect(last, output).toMatch(/^\{"system"/);
  const shown = JSON.parse(last) as CoverageJson;
  expect(code, output).toBe(shown.exitCode);
  return shown;
}

/** `orphaned A-5`, sorted. */
export function kindsOf(findings: readonly Shown[]): readonly string[] {
  return findings
    .map(({ kind, requirement, trial }) => `${kind} ${requirement ?? trial ?? ''}`.trim())
    .sort();
}

export function write(project: Project, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(project.folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

export function git(folder: string, ...args: readonly string[]): string {
  const own = ['-c', 'user.name=test', '-c', 'user.email=test@example.org', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...own, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Commits everything. */
export function commit(project: Project, message: string): void {
  git(project.folder, 'add', '-A', '--', '.', ':!.shakedown');
  git(project.folder, 'commit', '-q', '--allow-empty', '-m', message);
}
