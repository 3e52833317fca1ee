/** What the other side sends, however much, does not grow the process that drives it. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { ActEvidence } from '../../src/drivers/driver.ts';
import { driverGround } from './driver-ground.ts';

const megabyte = 1024 * 1024;
/** An idle Node uses a third of it, and memory of read data is not freed at once. */
const mostRss = 260 * megabyte;

/** Performs one step in a process of its own, and reports its result and its peak memory. */
const performAlone = `
  const [driver, name, clock, step, context] = process.argv.slice(1);
  const { [name]: found } = await import(driver);
  const { systemClock } = await import(clock);
  const { port, ...rest } = JSON.parse(context);
  const address = { scheme: 'http', host: '127.0.0.1', port, url: 'http://127.0.0.1:' + port };
  const act = found.start(JSON.parse(step), {
    ...rest, clock: systemClock, signal: new AbortController().signal, address: () => address, env: { PATH: process.env.PATH },
  });
  await act.done;
  const rss = process.resourceUsage().maxRSS * 1024;
  process.stdout.write(JSON.stringify({ evidence: act.evidence(), rss }));
`;

async function alone(
  driver: string,
  step: unknown,
  context: { folder: string; port: number },
): Promise<{ evidence: ActEvidence; rss: number }> {
  const module = (file: string): string => new URL(`../../src/${file}`, import.meta.url).href;
  const argv = [
    '--input-type=module',
    '--eval',
    performAlone,
    '--',
    module(`drivers/${driver}/${driver}-driver.ts`),
    `${driver}Driver`,
    module('kernel/clock.ts'),
    JSON.stringify(step),
    JSON.stringify({ ...context, scratch: context.folder, timeoutMs: 50_000, bodyBytes: 100_000 }),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, argv, { maxBuffer: 10 * megabyte });
  return JSON.parse(stdout);
}

test('a response of 300 MB', async () => {
  const ground = driverGround();
  const chunk = Buffer.alloc(megabyte, 'x');
  const port = await ground.serve(async (_, response) => {
    response.setHeader('content-type', 'text/plain');
    for (let i = 0; i < 300; i += 1) if (!response.write(chunk)) await once(response, 'drain');
    response.end();
  });
  const step = { method: 'GET', target: 'peer', path: '/' };
  const { evidence, rss } = await alone('http', step, { folder: ground.folder, port });
  const hash = createHash('sha256');
  for (let i = 0; i < 300; i += 1) hash.update(chunk);
  expect(evidence).toMatchObject({ bytes: 300 * megabyte, truncated: true, sha256: hash.digest('hex') });
  expect((evidence.text as string).length).toBe(100_000);
  expect(rss).toBeLessThan(mostRss);
});

test('a program that prints 400 MB', async () => {
  const ground = driverGround();
  const step = { argv: ['sh', '-c', `head -c ${400 * megabyte} /dev/zero`] };
  const { evidence, rss } = await alone('command', step, { folder: ground.folder, port: 0 });
  expect(evidence).toMatchObject({ exitCode: 0, truncated: true, stdoutBytes: 400 * megabyte });
  expect(rss).toBeLessThan(mostRss);
});
