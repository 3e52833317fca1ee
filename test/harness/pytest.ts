/** Runs the real pytest in a project, with our plugin found by its entry point as an installed package is. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'smol-toml';
import { pythonWith } from './needs.ts';
import { binary, type Project } from './project.ts';
import { readProjectFile } from './project-files.ts';
import { type CommandResult, runCommand } from './run-command.ts';

interface PackageFacts {
  readonly project: {
    readonly name: string;
    readonly version: string;
    readonly 'entry-points': { readonly pytest11: Readonly<Record<string, string>> };
  };
}

export function runPytest(project: Project, ...args: readonly string[]): Promise<CommandResult> {
  return runCommand([pythonWith('pytest', 'xdist') ?? '', '-m', 'pytest', ...args], {
    cwd: project.folder,
    env: variables(project),
    withinMs: 55_000,
  });
}

export function startPytest(project: Project, ...args: readonly string[]): ChildProcess {
  return spawn(pythonWith('pytest', 'xdist') ?? '', ['-m', 'pytest', ...args], {
    cwd: project.folder,
    env: { ...process.env, ...variables(project) },
    stdio: 'ignore',
  });
}

function variables(project: Project): Record<string, string> {
  const installed = path.join(project.tmp, 'installed');
  const {
    name,
    version,
    'entry-points': entries,
  } = (parse(readProjectFile('python/pyproject.toml')) as unknown as PackageFacts).project;
  const facts = path.join(installed, `${name}-${version}.dist-info`);
  mkdirSync(facts, { recursive: true });
  writeFileSync(path.join(facts, 'METADATA'), `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`);
  const lines = Object.entries(entries.pytest11).map(([entry, module]) => `${entry} = ${module}\n`);
  writeFileSync(path.join(facts, 'entry_points.txt'), `[pytest11]\n${lines.join('')}`);
  return {
    ...project.env,
    SHAKEDOWN: `'${process.execPath}' '${binary}'`,
    PYTHONPATH: [path.resolve(path.dirname(binary), '../python'), installed].join(path.delimiter),
    PYTHONDONTWRITEBYTECODE: '1',
  };
}
