/** Finds where an attached service listens: every address of its name is checked, and one that was checked is called. */
import { lookup } from 'node:dns/promises';
import { connect as connectTcp, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Problem } from '../../kernel/problem.ts';
import {
  type Allowed,
  allowedAddresses,
  allowNext,
  whyForbidden,
} from '../../system/attached/allowed-address.ts';
import type { AtAddress } from '../../system/attached/at-address.ts';

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export const resolveByMachine: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/** Throws for a forbidden one, whatever the others are: nobody says which would be called. */
export async function checkedAddresses(
  where: string,
  at: Pick<AtAddress, 'host' | 'port' | 'origin'>,
  allow: Allowed,
  resolve: Resolve = resolveByMachine,
): Promise<readonly string[]> {
  const found = isIP(at.host) === 0 ? await resolve(at.host) : [at.host];
  const why = found.map((address) => whyForbidden(address, at, allow)).find((one) => one !== undefined);
  if (why === undefined) return found;
  throw new Problem({
    code: 'config.forbidden-address',
    where,
    what: `nothing is sent to ${at.origin}: ${why}`,
    allowed: allowedAddresses,
    next: allowNext(found, at),
  });
}

/** The first address that takes a connection and, where TLS is spoken, proves to be who it is; or why none does. */
export async function firstReachable(
  addresses: readonly string[],
  at: AtAddress,
  signal: AbortSignal,
): Promise<{ readonly address: string } | { readonly saw: string }> {
  let saw = `${at.host} has no address`;
  for (const address of addresses) {
    const fault = await faultOf(address, at, signal);
    if (fault === undefined) return { address };
    saw = fault;
  }
  return { saw };
}

function faultOf(address: string, at: AtAddress, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = at.isSecure
      ? connectTls(tlsOptions(address, at))
      : connectTcp({ host: address, port: at.port });
    const settle = (fault?: string): void => {
      signal.removeEventListener('abort', giveUp);
      socket.destroy();
      resolve(fault);
    };
    const giveUp = (): void => settle(`nothing came from ${address} in time`);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    socket.on('error', (error) => settle(error.message));
    socket.once(at.isSecure ? 'secureConnect' : 'connect', () => settle());
  });
}

/** To the address that was checked, in the name of the host: a certificate is for that. */
export function tlsOptions(address: string, { host, port, scheme }: AtAddress) {
  const name = isIP(host) === 0 ? { servername: host } : {};
  const protocols = scheme === 'http' ? { ALPNProtocols: ['http/1.1'] } : {};
  return { host: address, port, ...name, ...protocols };
}
