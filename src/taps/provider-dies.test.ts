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

afterEach(async () => {
  provider.kill('SIGKILL');
  await wired.close();
});

test('a provider that is killed in mid-stream is a reset at the consumer', async () => {
  const { child, port } = await startProvider();
  provider = child;
  wired = await wiredEdge({ target: () => ({ host: '127.0.0.1', port }) });
  const consumer = wired.knock();
  consumer.socket.write('never read, so that the kernel breaks off instead of saying goodbye');
  await eventually(() => consumer.gotBytes > 1_000_000);
  child.kill('SIGKILL');
  expect(await consumer.over).toBe('ECONNRESET');
  await eventually(() => wired.ends().length === 1);
  expect(wired.ends()).toEqual(['reset-by-provider']);
  const next = wired.knock();
  expect(await next.over).toBe('ECONNRESET');
  expect(wired.events.filter(({ type }) => type === 'connection.refused')).toMatchObject([
    { because: 'provider-unreachable' },
  ]);
});

async function startProvider(): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, ['-e', endlessProvider], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, port: Number(line.toString()) };
}
