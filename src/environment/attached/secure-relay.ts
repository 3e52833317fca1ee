/** Speaks TLS to an attached service for the taps, which read and pass on what is within. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { AtAddress } from '../../system/attached/at-address.ts';
import { resetSocket } from '../../taps/end-socket.ts';
import type { Address } from '../wiring/address-book.ts';
import { tlsOptions } from './find-address.ts';

export interface SecureRelay {
  /** Where the taps connect to. */
  readonly address: Address;
  close(): Promise<void>;
}

export async function openSecureRelay(checked: string, at: AtAddress): Promise<SecureRelay> {
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    const far = connectTls(tlsOptions(checked, at));
    far.setNoDelay(true);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
    }
    near.on('error', () => far.destroy());
    far.on('error', () => resetSocket(near));
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    address: { host: '127.0.0.1', port },
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
