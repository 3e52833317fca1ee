/** Starts the guard, which starts the keeper: detached from our terminal, and tied to us by the lifeline alone. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { compiledFolder } from '../../kernel/compiled-folder.ts';
import { openToAppend } from '../../kernel/folders/entries-below.ts';
import { ownEntry } from '../../kernel/own-files.ts';
import { freshKey } from '../../kernel/unique-id.ts';
import { withStreams } from '../../kernel/with-streams.ts';
import type { System } from '../../system/system.ts';
import { type Containment, namespacePrefix } from '../containment/containment.ts';
import { guardScript, initScript } from '../containment/guard-script.ts';
import { keeperLogFile } from '../run-folder.ts';
import { plainVariables } from '../wiring/hermetic-env.ts';
import { detachWord, launcherDescriptor, planLine, watcherDescriptor } from './lifeline.ts';

export interface GuardOptions {
  readonly runFolder: string;
  readonly workspace: string;
  readonly containment: Containment;
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
}

export interface Guard {
  /** Resolves when it has ended, which means that everything is swept. */
  readonly ended: Promise<void>;
  hasEnded(): boolean;
  /** The plan is written: the keeper may begin. */
  sendPlan(system: System): void;
  /** Keeps it running when this process ends. */
  detach(): Promise<void>;
  /** Closes the lifeline as if this process had died. A keeper that does not answer is watched from then on, and killed. */
  letGo(how?: { readonly isHanging: boolean }): void;
}

export function startGuard(options: GuardOptions): Guard {
  const guard = spawnGuard(options);
  const lifeline = lineTo(guard, launcherDescriptor);
  const watcherLine = lineTo(guard, watcherDescriptor);
  const key = freshKey(32);
  lifeline.write(`${key}\n`.repeat(options.containment === 'namespace' ? 2 : 1));
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    guard.once('exit', () => resolve());
    guard.once('error', () => resolve());
  }).then(() => {
    hasEnded = true;
  });
  return {
    ended,
    hasEnded: () => hasEnded,
    sendPlan: (system) => void lifeline.write(planLine({ hostEnv: options.hostEnv, key, system })),
    detach: async () => {
      for (const line of [watcherLine, lifeline]) {
        await new Promise<void>((resolve) => void line.end(detachWord, resolve));
        line.destroy();
      }
      guard.unref();
    },
    letGo: ({ isHanging } = { isHanging: false }) => {
      lifeline.destroy();
      if (isHanging) watcherLine.destroy();
    },
  };
}

function lineTo(guard: ChildProcess, descriptor: number): Writable {
  const line = guard.stdio[descriptor];
  if (!line || !('end' in line)) throw new Error('the lifeline was never made');
  line.on('error', () => line.destroy()); // the other end is gone; `ended` reports it
  return line;
}

function spawnGuard({ runFolder, workspace, containment, hostEnv }: GuardOptions): ChildProcess {
  const keeper = ownEntry('environment/keeper/keeper-main');
  const sweep = ownEntry('environment/containment/sweep-main');
  const inside =
    containment === 'namespace'
      ? [...namespacePrefix(), 'sh', '-c', initScript, 'shakedown-init', sweep, runFolder, workspace]
      : [];
  const named = ['shakedown-guard', process.execPath, keeper, sweep, runFolder, workspace];
  const [compiled] = compiledFolder();
  const log = openToAppend(keeperLogFile(runFolder));
  try {
    return withStreams(
      spawn('sh', ['-c', guardScript, ...named, ...inside], {
        cwd: runFolder,
        env: { NODE_COMPILE_CACHE: compiled, ...plainVariables(hostEnv) },
        detached: true,
        stdio: ['ignore', log, log, 'pipe', 'ignore', 'ignore', 'pipe'],
      }),
    );
  } finally {
    closeSync(log);
  }
}
