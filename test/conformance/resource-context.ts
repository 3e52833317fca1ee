/** A resource context for tests that really starts processes, and that can say what is still there afterwards. */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JournalEventBody } from '../../src/journal/event.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { within } from '../../src/kernel/deadline.ts';
import { createRandom } from '../../src/kernel/random.ts';
import { errorCode } from '../../src/kernel/system-error.ts';
import type {
  Consumer,
  OutsideThing,
  ResourceContext,
  ResourceProcess,
  ResourceProcessOptions,
  SnapshotOptions,
} from '../../src/resources/resource.ts';

export interface TestContextOptions {
  readonly consumers?: readonly Consumer[];
  readonly cacheFolder?: string;
  readonly snapshots?: SnapshotOptions;
  readonly label?: string;
  /** The mode of the folder above the resource's own. */
  readonly parentMode?: number;
  readonly ports?: readonly number[];
  readonly signal?: AbortSignal;
  readonly hostEnv?: Readonly<Record<string, string | undefined>>;
  readonly systemFolder?: string;
  readonly resolve?: (text: string) => string;
  readonly secrets?: Readonly<Record<string, string | undefined>>;
  readonly startContainer?: ResourceContext['startContainer'];
}

export interface TestContext extends ResourceContext {
  readonly started: readonly ResourceProcessOptions[];
  readonly intended: readonly OutsideThing[];
  /** What was recorded. */
  readonly emitted: readonly JournalEventBody[];
  /** Processes whose working folder is the resource's folder or below it. */
  processesLeft(): readonly number[];
  /** Ends and removes everything; for `afterEach`. */
  clear(): void;
}

export function createTestContext(options: TestContextOptions = {}): TestContext {
  const root = mkdtempSync(path.join(tmpdir(), 'shakedown-resource-'));
  chmodSync(root, options.parentMode ?? 0o755);
  const folder = path.join(root, 'folder');
  mkdirSync(folder, { mode: 0o755 });
  const logFile = path.join(root, 'resource.log');
  const started: ResourceProcessOptions[] = [];
  const intended: OutsideThing[] = [];
  const emitted: JournalEventBody[] = [];
  const startedAt = systemClock.monotonic();
  const pids = new Set<number>();
  const ports = [...(options.ports ?? [])];
  const label = options.label ?? path.basename(root).slice(-6).toLowerCase();
  return {
    clock: systemClock,
    random: createRandom(label),
    label,
    folder,
    cacheFolder: options.cacheFolder ?? path.join(root, 'cache'),
    logFile,
    consumers: options.consumers ?? [],
    ...(options.snapshots ? { snapshots: options.snapshots } : {}),
    signal: options.signal ?? new AbortController().signal,
    emit: (event) => void emitted.push(event),
    at: () => systemClock.monotonic() - startedAt,
    systemFolder: options.systemFolder ?? root,
    resolve: options.resolve ?? ((text) => text),
    secrets: options.secrets ?? {},
    hostEnv: options.hostEnv ?? process.env,
    choosePort: async () => ports.shift() ?? (await freePort()),
    start: async (wanted) => {
      started.push(wanted);
      const running = await startProcess(wanted, logFile);
      pids.add(running.pid);
      void running.exited.then(() => pids.delete(running.pid)); // its pid may be reused soon
      return running;
    },
    startContainer:
      options.startContainer ??
      (async ({ image }) => {
        throw new Error(`this context starts no containers, and ${image} was asked for`);
      }),
    intend: async (thing) => void intended.push(thing),
    started,
    intended,
    emitted,
    processesLeft: () => processesIn(folder),
    clear: () => {
      for (const pid of [...[...pids].map((leader) => -leader), ...processesIn(folder)]) kill(pid, 'SIGKILL');
      rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function startProcess(
  { argv, cwd, env, as }: ResourceProcessOptions,
  logFile: string,
): Promise<ResourceProcess> {
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(argv[0] ?? '', argv.slice(1), {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', log, log],
    ...as,
  });
  closeSync(log);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  const pid = child.pid as number;
  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  return {
    pid,
    exited,
    stop: async (signal, withinMs) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      kill(-pid, signal);
      if (await within(systemClock, withinMs, exited)) return;
      kill(-pid, 'SIGKILL');
      await exited;
    },
  };
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
      } catch {
        return false;
      }
    });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
