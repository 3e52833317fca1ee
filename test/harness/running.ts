/** The binary as it runs, with what it has printed so far. */
import type { ChildProcess } from 'node:child_process';
import type { Project } from './project.ts';
import { until } from './until.ts';

export interface Running {
  readonly child: ChildProcess;
  text(): string;
  readonly ended: Promise<number | null>;
  /** Waits until it has printed this. */
  says(words: string): Promise<void>;
}

export function startRunning(
  project: Project,
  args: readonly string[],
  env: Parameters<Project['start']>[1] = {},
): Running {
  const child = project.start(args, env);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      text += chunk;
    });
  return {
    child,
    text: () => text,
    ended: new Promise((resolve) => child.on('exit', (code) => resolve(code))),
    says: async (words) =>
      void (await until(
        `it says ${words}`,
        20_000,
        () => text,
        (seen) => seen.includes(words),
      )),
  };
}
