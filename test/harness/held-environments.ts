/** Environments as `shakedown run` has them: launched by a separate process, driven through their keepers. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { connectKeeper, type KeeperClient } from '../../src/environment/keeper/keeper-client.ts';
import type { DownResult } from '../../src/environment/keeper/messages.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { Project } from './project.ts';
import { projectFolder } from './project-files.ts';

export interface HeldEnvironment {
  readonly runFolder: string;
  readonly keeper: KeeperClient;
  /** The address of a service for callers outside. */
  urlOf(service: string): Promise<string>;
}

export interface HeldEnvironments {
  readonly launcher: ChildProcess;
  readonly environments: readonly HeldEnvironment[];
  readonly problems: readonly string[];
  /** Takes all of them down; returns the answers of the keepers. */
  end(): Promise<readonly DownResult[]>;
}

export interface Held {
  readonly environments?: number;
  readonly snapshots?: boolean;
  readonly containment?: 'namespace' | 'ledger';
  readonly env?: Readonly<Record<string, string>>;
}

export async function holdEnvironments(project: Project, wanted: Held = {}): Promise<HeldEnvironments> {
  const { env = {}, ...options } = { environments: 1, snapshots: true, ...wanted };
  const entry = path.join(projectFolder, 'test/harness/launch-main.ts');
  const launcher = spawn(process.execPath, ['--import', keepCompiled, entry, JSON.stringify(options)], {
    cwd: project.folder,
    env: { ...process.env, ...project.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void launcher.stdin?.end());
  const launched = JSON.parse(await firstLine(launcher)) as ReadonlyArray<{
    runFolder: string;
    problem?: string;
  }>;
  const environments = await Promise.all(
    launched.flatMap(({ runFolder, problem }) => (problem === undefined ? [hold(runFolder)] : [])),
  );
  return {
    launcher,
    environments,
    problems: launched.flatMap(({ problem }) => problem ?? []),
    end: async () => {
      const asked = environments.map(({ keeper }) => keeper.ask('down', { because: 'the test is over' }));
      const results = await Promise.all(asked);
      launcher.stdin?.end();
      await new Promise((resolve) => launcher.once('exit', resolve));
      return results;
    },
  };
}

/** As the binary does, in the same folder: without it, every launch would strip the types of all our files. */
const keptIn = JSON.stringify(path.join(projectFolder, '.cache'));
const keepCompiled = `data:text/javascript,import fs from 'node:fs'; import module from 'node:module'; fs.mkdirSync(${keptIn}, { recursive: true, mode: 0o700 }); module.enableCompileCache(${keptIn});`;

/** The only one of them. */
export async function holdEnvironment(
  project: Project,
  wanted: Held = {},
): Promise<HeldEnvironment & Pick<HeldEnvironments, 'end'>> {
  const { environments, problems, end } = await holdEnvironments(project, wanted);
  const [environment] = environments;
  if (!environment) throw new Error(problems.join('\n'));
  return { ...environment, end };
}

async function hold(runFolder: string): Promise<HeldEnvironment> {
  const keeper = await connectKeeper(runFolder, systemClock);
  if (!keeper) throw new Error(`no keeper answers in ${runFolder}`);
  onTestFinished(() => keeper.close());
  return {
    runFolder,
    keeper,
    urlOf: async (service) => {
      const { services } = await keeper.ask('status', {});
      return services.find(({ name }) => name === service)?.url ?? '';
    },
  };
}

function firstLine(child: ChildProcess): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    child.on('exit', (code) => reject(new Error(`the launcher ended with ${code}`)));
    child.stdout?.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) resolve(text);
    });
  });
}
