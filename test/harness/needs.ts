/** What some tests need of the machine: reported when it is missing, and fatal where skipping is forbidden. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { TestRunner } from 'vitest';

interface NeedFacts {
  /** Why it is missing; undefined when it is not. */
  readonly lack: () => string | undefined;
  readonly get: string;
}

const facts = {
  linux: {
    lack: () => (process.platform === 'linux' ? undefined : `this is ${process.platform}`),
    get: 'run on Linux',
  },
  root: {
    lack: () => (process.getuid?.() === 0 ? undefined : 'this is an ordinary user'),
    get: 'run as root',
  },
  docker: { lack: dockerLack, get: 'apt-get install docker.io, and start dockerd' },
  'docker-compose': onPath('docker-compose'),
  tmux: onPath('tmux'),
  strace: onPath('strace'),
  'redis-server': onPath('redis-server'),
  'nats-server': onPath('nats-server'),
  chromium: onPath('chromium'),
  curl: onPath('curl'),
  python3: onPath('python3'),
  openssl: onPath('openssl'),
  pytest: {
    lack: () => (pythonWith('pytest', 'xdist') ? undefined : 'no python3 has pytest and pytest-xdist'),
    get: 'apt-get install python3-pytest python3-pytest-xdist',
  },
  fastapi: {
    lack: () =>
      pythonWith('fastapi', 'uvicorn', 'redis') ? undefined : 'no python3 has fastapi, uvicorn and redis',
    get: 'apt-get install python3-fastapi python3-uvicorn python3-redis',
  },
  pgrep: onPath('pgrep', 'procps'),
  setsid: onPath('setsid', 'util-linux'),
  setpriv: onPath('setpriv', 'util-linux'),
  script: onPath('script', 'util-linux'),
} satisfies Record<string, NeedFacts>;

/** The first Python that has these modules. */
export function pythonWith(...modules: readonly string[]): string | undefined {
  return [...findOnPath('python3'), '/usr/bin/python3'].find(
    (python) => spawnSync(python, ['-c', `import ${modules.join(', ')}`]).status === 0,
  );
}

export type Need = keyof typeof facts;

/** Call this first in a test. The rest of the test does not run when something is missing. */
export function needs(...things: readonly Need[]): void {
  for (const thing of things) {
    const { lack, get }: NeedFacts = facts[thing];
    const reason = lack();
    if (reason !== undefined) cannotRun(`needs ${thing}, and ${reason}`, get);
  }
}

/** Whether nothing of this is missing; for what is decided before a test begins, which still says what it needs. */
export function hasAll(...things: readonly Need[]): boolean {
  return things.every((thing) => (facts[thing] as NeedFacts).lack() === undefined);
}

/** Skips the current test with a reason that is printed; with `SHAKEDOWN_TEST_POLICY=no-skips` it fails instead. */
export function cannotRun(reason: string, get: string): void {
  const current = TestRunner.getCurrentTest();
  if (!current) throw new Error('ask for what a test needs inside of the test');
  if (process.env.SHAKEDOWN_TEST_POLICY === 'no-skips') {
    throw new Error(`skipping is forbidden here, and this test ${reason}; to get it: ${get}`);
  }
  current.context.skip(`${reason}; to get it: ${get}`);
}

/** The file of a command, in the order of PATH. */
export function findOnPath(command: string): readonly string[] {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => path.join(folder, command)).filter(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function onPath(command: string, packageName = command): NeedFacts {
  return {
    lack: () => (findOnPath(command).length > 0 ? undefined : `no ${command} is on PATH`),
    get: `apt-get install ${packageName}`,
  };
}

function dockerLack(): string | undefined {
  if (findOnPath('docker').length === 0) return 'no docker is on PATH';
  const asked = spawnSync('docker', ['info'], { encoding: 'utf8', timeout: 10_000 });
  return asked.status === 0 ? undefined : `docker does not answer: ${asked.stderr.trim().split('\n').at(-1)}`;
}
