/** A small user project in its own folder, driven through the real binary. */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { type Leftovers, leftovers } from './leftovers.ts';
import { projectFolder } from './project-files.ts';
import { type CommandResult, runCommand } from './run-command.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

/** Of the built package, not of the source. */
export const binary = path.join(inject('builtPackage'), 'bin/shakedown.js');
export const fixtures = path.join(projectFolder, 'test/fixtures');

export interface Project {
  /** The folder of the config. */
  readonly folder: string;
  /** The only place for temporary files: what is left there was left behind. */
  readonly tmp: string;
  readonly env: Readonly<Record<string, string>>;
  run(args: readonly string[], options?: RunOptions): Promise<CommandResult>;
  /** Starts the binary and returns it while it runs. */
  start(args: readonly string[], more?: RunOptions['env']): ChildProcess;
  /** What is still there: processes, folders. */
  left(): Leftovers;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly withinMs?: number;
}

/** Files by name; the fixture services are in `services/`. Everything is ended and removed when the test is over. */
export function makeProject(files: Readonly<Record<string, string>>): Project {
  const base = makeTemporaryFolder('project');
  const folder = path.join(base.path, 'project');
  const tmp = path.join(base.path, 'tmp');
  for (const made of [folder, tmp]) mkdirSync(made);
  cpSync(fixtures, path.join(folder, 'services'), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const env = { TMPDIR: tmp, SHAKEDOWN_TEST_PROJECT: base.path };
  const ended: CommandResult[] = [];
  const project: Project = {
    folder,
    tmp,
    env,
    run: async (args, options = {}) => {
      const result = await runCommand([process.execPath, binary, ...args], {
        cwd: folder,
        env: { ...env, ...options.env },
        withinMs: options.withinMs ?? 60_000,
      });
      ended.push(result);
      return result;
    },
    start: (args, more = {}) =>
      spawn(process.execPath, [binary, ...args], {
        cwd: folder,
        env: { ...process.env, ...env, ...more, NO_COLOR: '1' },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    left: () => leftovers(base.path, tmp),
  };
  onTestFinished(({ task }) => {
    if (task.result?.state === 'fail') console.error(whatHappened(folder, ended));
    for (const { pid } of project.left().processes) endIfThere(pid);
    base.remove();
  });
  return project;
}

/** For failures that cannot be repeated: what the last commands printed, and how the last keepers ended. */
function whatHappened(folder: string, ended: readonly CommandResult[]): string {
  const commands = ended.slice(-3).map(({ code, output }) => `exit code ${code}:\n${output.slice(-3_000)}`);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const written = names.filter((name) => /runs\/.*(?:keeper\.log|events\.ndjson)$/.test(name)).slice(-4);
  const texts = written.map(
    (name) => `${name}:\n${readFileSync(path.join(folder, name), 'utf8').slice(-2_000)}`,
  );
  return [...commands, ...texts].join('\n');
}

/** Killing one process may end others before their turn. */
export function endIfThere(pid: number): void {
  signalIfThere(pid, 'SIGKILL');
}

export function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    return; // it has already ended
  }
}
