/**
 * An idle tap in a process of its own: `proxy.ts <port of the provider> [http | store [<journal>]]` prints the port of the tap, which
 * may look for calls, and may write what it saw.
 */
import { systemClock } from '../../src/kernel/clock.ts';
import { openTap } from '../../src/taps/open-tap.ts';
import { journalEvents } from './journal-events.ts';

const [port, watch, journal] = process.argv.slice(2);
const tap = await openTap({
  from: 'client',
  to: 'server',
  target: () => ({ host: '127.0.0.1', port: Number(port) }),
  emit: journal === undefined ? () => undefined : journalEvents(journal),
  clock: systemClock,
  ...(watch === 'http' || watch === 'store' ? { watch } : {}),
});
console.log(tap.port);
