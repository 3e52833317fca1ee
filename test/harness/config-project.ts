/** A small project in a temporary folder, and the result of loading its config. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { formatProblem, problemsIn } from '../../src/kernel/problem.ts';
import { findConfig } from '../../src/system/find-config.ts';
import { loadSystem } from '../../src/system/load-system.ts';
import type { System } from '../../src/system/system.ts';

export type Files = Readonly<Record<string, string | Uint8Array>>;
export type Env = Readonly<Record<string, string>>;

/** Writes the files; the folder is removed when the test is over. */
export async function projectFolder(files: Files): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'shakedown-config-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

export async function loadProject(files: Files, env: Env = {}): Promise<System> {
  return loadSystem({ file: findConfig(await projectFolder(files)) }, env);
}

/** A service of the project; fails when there is none of that name. */
export function serviceOf(system: System, name: string): System['services'][number] {
  const service = system.services.find((candidate) => candidate.name === name);
  if (!service)
    throw new Error(`no service ${name} among ${system.services.map((other) => other.name).join(', ')}`);
  return service;
}

/** The problems as text, with the project's folder written as `~`; empty when the config loads. */
export async function messageOf(files: Files, env: Env = {}): Promise<string> {
  const folder = await projectFolder(files);
  try {
    await loadSystem({ file: findConfig(folder) }, env);
    return '';
  } catch (error) {
    return readable(problemsIn(error).map(formatProblem), folder);
  }
}

/** The same in a separate Node process, without a transforming test runner: for configs that are modules. */
export async function messageOfNode(files: Files): Promise<string> {
  const { folder, problems } = await runInNode(files);
  return readable(problems, folder);
}

export async function loadInNode(files: Files): Promise<System> {
  const { system, problems } = await runInNode(files);
  if (!system) throw new Error(problems.join('\n'));
  return system;
}

interface Outcome {
  readonly folder: string;
  readonly system?: System;
  readonly problems: readonly string[];
}

/** Prints the system, or its problems, as JSON. */
const printSystem = `
  const [kernel, system, file] = process.argv.slice(1);
  const { formatProblem, problemsIn } = await import(kernel);
  const { loadSystem } = await import(system);
  const answer = await loadSystem({ file }, {}).then(
    (system) => ({ system, problems: [] }),
    (error) => ({ problems: problemsIn(error).map(formatProblem) }),
  );
  process.stdout.write(JSON.stringify(answer));
`;

/** Any other output of Node, such as a warning, counts as a problem. */
async function runInNode(files: Files): Promise<Outcome> {
  const folder = await projectFolder(files);
  const modules = ['kernel/problem.ts', 'system/load-system.ts'].map(
    (path) => new URL(`../../src/${path}`, import.meta.url).href,
  );
  const argv = ['--input-type=module', '--eval', printSystem, '--', ...modules, findConfig(folder)];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, argv, { env: {} });
  const { system, problems } = JSON.parse(stdout) as Omit<Outcome, 'folder'>;
  return {
    folder,
    ...(system ? { system } : {}),
    problems: stderr === '' ? problems : [...problems, stderr],
  };
}

function readable(problems: readonly string[], folder: string): string {
  return problems.join('\n\n').replaceAll(folder, '~');
}
