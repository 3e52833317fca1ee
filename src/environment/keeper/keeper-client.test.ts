import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { connectKeeper } from './keeper-client.ts';
import { serveKeeper } from './keeper-server.ts';
import { ownerSocket } from './keeper-socket.ts';

test('a client that comes while the token is being written uses the whole token', async () => {
  const runFolder = mkdtempSync(path.join(tmpdir(), 'keeper-client-'));
  onTestFinished(() => rmSync(runFolder, { recursive: true }));
  const tokenFile = path.join(runFolder, 'keeper.token');
  writeFileSync(tokenFile, '', { mode: 0o600 });
  const server = await serveKeeper({
    file: ownerSocket(runFolder),
    handlers: { ping: () => ({}) },
    token: 'whole',
    clock: systemClock,
  });
  onTestFinished(() => server.close());
  const connecting = connectKeeper(runFolder, systemClock);
  writeFileSync(tokenFile, 'whole');
  const client = await connecting;
  expect(await client?.ask('ping', {})).toEqual({});
  client?.close();
});
