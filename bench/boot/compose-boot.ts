/** The butlers by docker-compose, where docker answers. */
import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '../../src/kernel/clock.ts';
import { waitFor } from '../../src/kernel/deadline.ts';
import type { BuiltPackage } from '../cli/built-package.ts';
import type { Scores } from '../side-by-side.ts';
import { composeFile, switchboardPortOf } from './compose-file.ts';
import { importImage, removeImage } from './compose-image.ts';
import { freePorts } from './free-ports.ts';

const run = promisify(execFile);

export const composeInstall =
  'docker-compose: apt-get install -y docker.io docker-compose && (dockerd >/tmp/dockerd.log 2>&1 &)';

export interface Compose {
  boot(): Promise<Scores>;
  remove(): Promise<void>;
}

const bootWithinMs = 180_000;

/** Undefined where docker or its compose is not there. */
export async function openCompose(built: BuiltPackage, project: string): Promise<Compose | undefined> {
  const image = `shakedown-bench-${process.pid}`;
  const file = join(built.folder, 'docker-compose.json');
  const call = await composeCaller(image, file);
  if (call === undefined) return undefined;
  await importImage(built, image);
  const butlers = (await readdir(join(project, 'roster'))).sort();
  return {
    boot: async () => {
      const needs = { built, project, butlers, image, basePort: await freePorts(butlers.length + 3) };
      await writeFile(file, JSON.stringify(composeFile(needs)));
      return measureCompose(call, `http://127.0.0.1:${switchboardPortOf(needs)}/health`);
    },
    remove: () => removeImage(image),
  };
}

export type ComposeCall = (...words: readonly string[]) => Promise<void>;

/** Undefined where there is no docker, or no compose. */
export async function composeCaller(project: string, file: string): Promise<ComposeCall | undefined> {
  const [command, ...first] = (await composeCommand()) ?? [];
  if (command === undefined) return undefined;
  return async (...words) => {
    const all = [...first, '--project-name', project, '--file', file, ...words];
    await run(command, all, { timeout: bootWithinMs, maxBuffer: 64 * 1024 * 1024 });
  };
}

/** It is ready when it answers at `healthUrl`. */
export async function measureCompose(call: ComposeCall, healthUrl: string): Promise<Scores> {
  const startedAt = performance.now();
  let readyAt = Number.NaN;
  let askedAt = Number.NaN;
  try {
    await call('up', '--detach');
    await awaitHealth(healthUrl);
    readyAt = performance.now();
  } finally {
    askedAt = performance.now();
    await call('down', '--volumes');
  }
  return { readyMs: readyAt - startedAt, teardownMs: performance.now() - askedAt };
}

async function awaitHealth(url: string): Promise<void> {
  const healthy = await waitFor(systemClock, { withinMs: bootWithinMs, firstMs: 5, mostMs: 5 }, async () => {
    const answer = await fetch(url).catch(() => 'nobody answers yet' as const);
    return answer !== 'nobody answers yet' && answer.ok ? true : undefined;
  });
  if (!healthy) throw new Error(`docker-compose: ${url} was never healthy`);
}

/** `docker compose` where it is a part of docker, `docker-compose` elsewhere. */
async function composeCommand(): Promise<readonly string[] | undefined> {
  // The programs of this clone run in the containers, so they must be those of Linux.
  if (process.platform !== 'linux' || !(await works('docker', 'info'))) return undefined;
  if (await works('docker', 'compose', 'version')) return ['docker', 'compose'];
  return (await works('docker-compose', 'version')) ? ['docker-compose'] : undefined;
}

function works(command: string, ...words: readonly string[]): Promise<boolean> {
  return run(command, words, { timeout: 20_000 }).then(
    () => true,
    () => false,
  );
}
