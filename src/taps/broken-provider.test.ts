import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { eventually } from '../../test/taps/eventually.ts';
import { type WiredEdge, wiredEdge } from '../../test/taps/wired-edge.ts';

/** Streams without an end and never reads; prints its port. */
const endlessProvider = `
  const server = require('node:net').createServer({ pauseOnConnect: true }, (socket) => {
    const write = () => { while (socket.write(Buffer.alloc(1000, 'stream'))); };
    socket.on('drain', write).on('error', () => {});
    write();
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

let wired: WiredEdge;
let provider: ChildProcess;

/** Has room for two connections that it does not take, and is then stopped in mid-life. */
const deafProvider = `
  const server = require('node:net').createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port));
`;

afterEach(async () => {
  provider.kill('SIGKILL');
  await wired.close();
});

test('a provider that is killed in mid-stream is a reset at the consumer', async () => {
  const { child, port } = await startProvider(endlessProvider);
  provider = child;
  wired = await wiredEdge({ target: () => ({ host: '127.0.0.1', port }) });
  const consumer = wired.knock();
  consumer.socket.write('never read, so that the kernel sends a reset and not a FIN');
  await eventually(() => consumer.gotBytes > 1_000_000);
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  expect(await consumer.over).toBe('ECONNRESET');
  await eventually(() => wired.ends().length === 1);
  expect(wired.ends()).toEqual(['reset-by-provider']);
  await exited;
  const next = wired.knock();
  expect(await next.over).toBe('ECONNRESET');
  expect(wired.events.filter(({ type }) => type === 'connection.refused')).toMatchObject([
    { because: 'provider-unreachable' },
  ]);
});

test('closing the tap does not wait for a provider that does not answer', async () => {
  const { child, port } = await startProvider(deafProvider);
  provider = child;
  child.kill('SIGSTOP');
  wired = await wiredEdge({ target: () => ({ host: '127.0.0.1', port }) });
  const consumers = Array.from({ length: 6 }, () => wired.knock());
  await eventually(() => wired.tap.stats().open === 6);
  await wired.tap.close();
  expect(wired.ends()).toEqual(Array(6).fill('tap-closed'));
  expect(await Promise.all(consumers.map(({ over }) => over))).toEqual(Array(6).fill('ECONNRESET'));
});

async function startProvider(script: string): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, port: Number(line.toString()) };
}
