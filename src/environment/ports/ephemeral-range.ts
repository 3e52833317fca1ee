/** The ephemeral ports of the machine; ports for services are chosen below them. */
import { readFileSync } from 'node:fs';

/** The first ephemeral port. */
export function ephemeralStart(): number {
  try {
    const first = Number(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s+/)[0]);
    return Number.isInteger(first) && first > 0 ? first : ianaStart;
  } catch {
    return ianaStart; // no /proc: the range that IANA names
  }
}

const ianaStart = 49_152;
