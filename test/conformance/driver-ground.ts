/** A folder, a context and real peers for one test of a driver; everything is gone when the test is over. */
import { mkdirSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { makeTemporaryFolder } from '../harness/temporary-folder.ts';
import { addressOf, type ContextOptions, driverContext, type TestContext } from './driver-context.ts';
import { listen, type PeerManners, type PeerServer } from './driver-peer.ts';
import type { Ground } from './driver-subject.ts';

export interface DriverGround extends Ground {
  /** `peer` is the target of all steps. */
  context(port: number, wish?: Partial<ContextOptions>): TestContext;
  peer(manners?: PeerManners): Promise<PeerServer>;
  /** The port of a real HTTP server. */
  serve(handler: RequestListener): Promise<number>;
}

export function driverGround(): DriverGround {
  const folder = makeTemporaryFolder('driver');
  const scratch = path.join(folder.path, 'scratch');
  mkdirSync(scratch);
  onTestFinished(() => folder.remove());
  const afterwards = (work: () => Promise<void> | void): void => onTestFinished(work);
  const ground: Ground = { folder: folder.path, afterwards };
  return {
    ...ground,
    context: (port, wish = {}) => {
      const context = driverContext({
        folder: folder.path,
        scratch,
        addresses: { peer: addressOf(port) },
        ...wish,
      });
      afterwards(async () => {
        await context.end();
      });
      return context;
    },
    peer: (manners) => listen(ground, manners),
    serve: async (handler) => {
      const server = createServer(handler);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      afterwards(() => {
        server.closeAllConnections();
        return new Promise<void>((resolve) => server.close(() => resolve()));
      });
      const address = server.address();
      return typeof address === 'object' && address ? address.port : 0;
    },
  };
}
