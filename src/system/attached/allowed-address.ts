/** Which addresses beyond this machine an attached service may have: each is listed under `allow`, with its reason. Pure. */
import { isIP } from 'node:net';
import { isInNetwork, networkIn, reachOf, usualHost } from '../../kernel/ip-address.ts';

/** From what is allowed to the reason: a host, an address or a network, alone or with a port. */
export type Allowed = Readonly<Record<string, string>>;

export interface Place {
  readonly host: string;
  readonly port: number;
}

/** Why nothing may be sent to an address; undefined where it may. `name`: the host that was resolved to it. */
export function whyForbidden(
  address: string,
  { host: name, port }: Place,
  allow: Allowed,
): string | undefined {
  const usual = usualHost(address);
  const reach = reachOf(usual);
  const of = name === usual ? '' : `, of ${name},`;
  if (reach === 'never')
    return `${usual}${of} is an address of the link, of a cloud's metadata or of no host, and never reached`;
  if (reach === 'loopback') return undefined;
  const isListed = Object.keys(allow).some((entry) => allows(entry, usual, name, port));
  return isListed ? undefined : `${usual}${of} is not on this machine, and not listed in \`allow\``;
}

function allows(entry: string, address: string, name: string, port: number): boolean {
  const network = networkIn(entry);
  if (network) return isInNetwork(address, network);
  const [host, only] = splitEntry(entry);
  return (host === name || host === address) && (only === undefined || only === port);
}

export const allowedAddresses =
  'an address of this machine, or one that is listed under `allow` with its reason; link-local never';

/** `addresses`: what the host was resolved to. */
export function allowNext(addresses: readonly string[], { host, port }: Place): string {
  if (addresses.some((address) => reachOf(usualHost(address)) === 'never'))
    return 'write the address at which the service itself listens; this one cannot be allowed';
  const entry = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  return `if it is meant, add \`allow: { '${entry}': why it may be called }\` beside \`at\``;
}

/** Fewer bits would be most of a continent. */
const leastBits = 8;

/** What is wrong with an entry; undefined where nothing is. */
export function entryFault(entry: string): string | undefined {
  const network = networkIn(entry);
  if (network) {
    if (network.bits < leastBits) return 'is nearly everything';
    return reachOf(usualHost(network.base)) === 'never' ? 'is never reached' : undefined;
  }
  const [host] = splitEntry(entry);
  if (!/^[\w.-]+$/.test(host) && isIP(host) !== 6) return 'is no host, address or network';
  return isIP(host) > 0 && reachOf(host) === 'never' ? 'is never reached' : undefined;
}

function splitEntry(entry: string): readonly [host: string, port: number | undefined] {
  if (isIP(entry) === 6) return [usualHost(entry), undefined];
  const [, host = entry, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
  return [usualHost(host), port === undefined ? undefined : Number(port)];
}
