/** A store behind a tap, and the calls that the tap saw. */
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import type { CallEvent } from '../../src/journal/call-event.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { defined } from '../../src/kernel/defined.ts';
import { openTap } from '../../src/taps/open-tap.ts';

export async function tapOn(port: number, watch: 'store' | 'redis' | 'perhaps-store' = 'store') {
  const calls: CallEvent[] = [];
  const tap = await openTap({
    from: 'worker',
    to: 'store',
    target: () => ({ host: '127.0.0.1', port }),
    emit: (event) => void (event.type === 'call' && calls.push(event)),
    clock: systemClock,
    watch,
  });
  onTestFinished(() => tap.close());
  return { tap, calls };
}

export async function tappedClient(server: { readonly url: string }, more: object = {}) {
  const url = new URL(server.url);
  const watched = await tapOn(Number(url.port));
  url.port = String(watched.tap.port);
  const client = new Client({ connectionString: url.href, ...more });
  await client.connect();
  onTestFinished(() => client.end());
  return { ...watched, client };
}

export const shownCall = ({ method, statement, params, result, error }: CallEvent) => ({
  method,
  statement,
  ...defined({ params, result, error }),
});
