import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { resetSocket } from './end-socket.ts';

let server: Server;
afterEach(() => server.close());

/** Two ends of one connection. */
async function connected(): Promise<{ near: Socket; far: Socket }> {
  const accepted = Promise.withResolvers<Socket>();
  server = createServer({ allowHalfOpen: true }, accepted.resolve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const far = connect((server.address() as { port: number }).port, '127.0.0.1');
  far.on('error', () => 'a reset is what this is about');
  return { near: await accepted.promise, far };
}

test('a socket that has just sent its FIN can be reset, and is gone', async () => {
  const { near, far } = await connected();
  const errors: Error[] = [];
  near.on('error', (error) => errors.push(error));
  const gone = new Promise<void>((resolve) => near.on('close', () => resolve()));
  near.end('goodbye');
  resetSocket(near);
  await gone;
  expect(errors).toEqual([]);
  far.destroy();
});
