/** Where an IP address leads, however it is spelled. Pure. */
import { BlockList, isIP } from 'node:net';

/** `never`: to the link, to the metadata of a cloud, to no host at all. */
export type Reach = 'loopback' | 'never' | 'elsewhere';

/** A host in its usual spelling: `0x7f.1` and `2130706433` are 127.0.0.1, `::ffff:127.0.0.1` too; a name in small letters. */
export function usualHost(written: string): string {
  const bare = written.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '');
  const host = isIP(bare) === 6 ? `[${bare}]` : bare;
  const known = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host.toLowerCase();
  const usual = known.replace(/^\[(.*)\]$/, '$1');
  return isIP(usual) === 6 ? (carriedAddress(usual) ?? usual) : usual;
}

/** Of an address in its usual spelling. */
export function reachOf(address: string): Reach {
  const family = familyOf(address);
  if (never.check(address, family)) return 'never';
  return loopback.check(address, family) ? 'loopback' : 'elsewhere';
}

/** Whether an address belongs to a network, such as `10.0.0.0/8`. */
export function isInNetwork(address: string, { base, bits }: Network): boolean {
  if (isIP(address) !== isIP(base)) return false;
  const list = new BlockList();
  list.addSubnet(base, bits, familyOf(base));
  return list.check(address, familyOf(address));
}

export interface Network {
  readonly base: string;
  readonly bits: number;
}

/** Undefined where the text is no network. */
export function networkIn(text: string): Network | undefined {
  const [, base = '', bits = ''] = /^([\da-f.:]+)\/(\d{1,3})$/i.exec(text) ?? [];
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(base)] ?? -1;
  return Number(bits) <= most ? { base, bits: Number(bits) } : undefined;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** The IPv4 address within one of IPv6: mapped, compatible, of NAT64 or of 6to4. */
function carriedAddress(address: string): string | undefined {
  const groups = groupsOf(address);
  const zeros = groups.slice(0, 5).every((group) => group === 0);
  const isMapped = zeros && (groups[5] === 0xffff || (groups[5] === 0 && groups[6] !== 0));
  const isTranslated =
    groups[0] === 0x64 && groups[1] === 0xff9b && groups.slice(2, 6).every((group) => group === 0);
  if (isMapped || isTranslated) return dotted(groups.slice(6));
  return groups[0] === 0x2002 ? dotted(groups.slice(1, 3)) : undefined;
}

function groupsOf(address: string): readonly number[] {
  const [before = '', after] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const [left, right] = [before || [], after ?? []];
  const missing = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...(after ? missing : []), ...right].map((group) => Number.parseInt(group, 16));
}

function dotted([high = 0, low = 0]: readonly number[]): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const never = new BlockList();
for (const [base, bits] of [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
  // Metadata of clouds that is not link-local.
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
] as const)
  never.addSubnet(base, bits, 'ipv4');
for (const [base, bits] of [
  ['::', 128],
  ['fe80::', 10],
  ['ff00::', 8],
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
] as const)
  never.addSubnet(base, bits, 'ipv6');
