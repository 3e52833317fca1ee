/** Ten servers in containers, on ten ports: of a compose file at once, and started by hand one after the other. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '../../src/kernel/clock.ts';
import { waitFor } from '../../src/kernel/deadline.ts';
import type { BuiltPackage } from '../cli/built-package.ts';
import type { Scores } from '../side-by-side.ts';

const run = promisify(execFile);
const image = 'python:3.12-slim';
const ports = Array.from({ length: 10 }, (_, index) => 7_001 + index);
const program = (port: number): readonly string[] => ['python3', '-m', 'http.server', String(port)];

export async function openTen(built: BuiltPackage) {
  const project = join(built.folder, 'examples/ten');
  await mkdir(project);
  const services = ports.map(
    (port) =>
      `  server-${port}: { image: "${image}", command: [${program(port).join(', ')}], expose: ["${port}"], stop_grace_period: 1s }`,
  );
  await writeFile(join(project, 'docker-compose.yml'), `services:\n${services.join('\n')}\n`);
  await writeFile(join(project, 'shakedown.yaml'), 'name: ten\ncompose: docker-compose.yml\n');
  return { project, inTurn };
}

async function inTurn(): Promise<Scores> {
  const startedAt = performance.now();
  const started: string[] = [];
  let readyAt = Number.NaN;
  let askedAt = Number.NaN;
  try {
    for (const port of ports) {
      const own = `shakedown-bench-${process.pid}-${port}`;
      started.push(own);
      await run('docker', ['run', '--detach', '--name', own, image, ...program(port)], { timeout: 60_000 });
      await waitFor(systemClock, { withinMs: 60_000, firstMs: 5, mostMs: 50 }, () => answers(own, port));
    }
    readyAt = performance.now();
  } finally {
    askedAt = performance.now();
    await run('docker', ['rm', '--force', '--volumes', ...started], { timeout: 60_000 });
  }
  return { readyMs: readyAt - startedAt, teardownMs: performance.now() - askedAt };
}

async function answers(container: string, port: number): Promise<true | undefined> {
  const format = '{{.NetworkSettings.IPAddress}}';
  const { stdout } = await run('docker', ['inspect', '--format', format, container], { timeout: 10_000 });
  return fetch(`http://${stdout.trim()}:${port}/`).then(
    (answer): Promise<true> => answer.text().then(() => true),
    () => undefined,
  );
}
