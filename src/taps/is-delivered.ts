/** Asks the kernel whether the other side has acknowledged everything that was written to a socket. */
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

/** Only Linux tells; elsewhere what the kernel has taken counts as delivered. */
export async function isDelivered(socket: Socket): Promise<boolean> {
  const { localPort, remotePort } = socket;
  if (localPort === undefined || remotePort === undefined) return true;
  const tables = await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map(readTable));
  return tables.every((table) => !hasUnacknowledged(table, `:${hex(localPort)}`, `:${hex(remotePort)}`));
}

/** Lines such as `0: 0100007F:1F90 0100007F:C350 01 0000000A:00000000 …`; the number before the last colon is what waits. */
function hasUnacknowledged(table: string, local: string, remote: string): boolean {
  return table.split('\n').some((line) => {
    const [, localAddress = '', remoteAddress = '', , queues = ''] = line.trim().split(/\s+/);
    return localAddress.endsWith(local) && remoteAddress.endsWith(remote) && !queues.startsWith('00000000');
  });
}

async function readTable(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return '';
  }
}

function hex(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}
