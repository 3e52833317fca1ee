/** Whether a port is listened on over IPv4 or over IPv6 only, without connecting to it. */
import { readFileSync } from 'node:fs';

const loopbackV6 = '00000000000000000000000001000000';

/** `127.0.0.1` or `::1`; undefined when nothing listens yet or the machine does not report it. */
export function listeningHost(port: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  if (listeners('tcp', port).length > 0) return '127.0.0.1';
  const v6 = listeners('tcp6', port);
  if (v6.length === 0) return undefined;
  return v6.every((address) => address === loopbackV6) ? '::1' : '127.0.0.1';
}

/** The local addresses, in the kernel's hexadecimal, that listen on the port. */
function listeners(table: 'tcp' | 'tcp6', port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return readTable(table)
    .split('\n')
    .map((row) => row.trim().split(/\s+/))
    .filter((fields) => fields[3] === '0A')
    .map((fields) => (fields[1] ?? '').split(':'))
    .filter(([, local]) => local === wanted)
    .map(([address]) => address as string);
}

function readTable(table: string): string {
  try {
    return readFileSync(`/proc/self/net/${table}`, 'latin1');
  } catch {
    return ''; // a kernel without IPv6 has no such table
  }
}
