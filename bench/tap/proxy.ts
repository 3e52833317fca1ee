/** An idle tap in a process of its own: `proxy.ts <port of the provider> [http]` prints the port of the tap, which may look for calls. */
import { systemClock } from '../../src/kernel/clock.ts';
import { openTap } from '../../src/taps/open-tap.ts';

const port = Number(process.argv[2]);
const tap = await openTap({
  from: 'client',
  to: 'server',
  target: () => ({ host: '127.0.0.1', port }),
  emit: () => undefined,
  clock: systemClock,
  ...(process.argv[3] === 'http' ? { watch: 'http' as const } : {}),
});
console.log(tap.port);
