/** Starts the daemon: framed messages on TCP, a session for each connection; and hooks for the messenger on HTTP. */
import { type AddressInfo, createServer, type Server } from 'node:net';
import { putIn } from './defects.ts';
import { log, reasonOf } from './log.ts';
import { createHooksServer } from './messenger/hooks-server.ts';
import { createParts, type Parts } from './parts.ts';
import { serveSession } from './sessions/session.ts';
import { readSettings } from './settings.ts';

const mostSessions = 256;

try {
  const settings = readSettings(process.env);
  await listen(putIn(settings.defect, createParts(settings)));
} catch (error) {
  log.error(`cannot start: ${reasonOf(error)}`);
  process.exit(1);
}

async function listen(parts: Parts): Promise<void> {
  let opened = 0;
  // Half-open, because a client that has sent everything still waits for the answer.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    opened += 1;
    void serveSession(socket, `s-${opened}`, parts);
  });
  server.maxConnections = mostSessions;
  // A client that gets the handshake may rely on the hooks.
  const hooksPort = await open(createHooksServer(parts), parts.settings.hooksPort);
  const port = await open(server, parts.settings.port);
  log.info(
    `daemon listening on 127.0.0.1:${port}, hooks on ${hooksPort}, with ${parts.skills.all.length} skills`,
  );
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      log.info(`daemon stops on ${signal}`);
      process.exit(0);
    });
  }
}

async function open(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}
