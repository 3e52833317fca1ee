/** Stands in for a tool server on stdio: `node stdio-tap-main <workspace> <from> <to> <program> [word…]` starts it, relays, and tells its calls. */
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { constants } from 'node:os';
import type { CallEvent } from '../../journal/call-event.ts';
import { systemClock } from '../../kernel/clock.ts';
import { within } from '../../kernel/deadline.ts';
import { relayStdio } from '../../taps/stdio/relay-stdio.ts';
import { connectTapSocket, type KeeperClient } from '../keeper/keeper-client.ts';

const [workspace = '', from = '', to = '', program = '', ...words] = process.argv.slice(2);
const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] });
const told: Promise<unknown>[] = [];
const answerWithinMs = 2_000;

// Nobody may suffer from being watched: without a keeper the server is served all the same, and nothing is told.
const keeper = connectTapSocket(workspace, systemClock).catch((): KeeperClient | undefined => {
  return undefined; // nobody there is as good as nobody who answers
});
const tell = async (call: CallEvent): Promise<void> => {
  const connected = await keeper;
  const sentAt = systemClock.monotonic();
  await connected?.ask('stdioCall', { call, pid: process.pid, sentAt }).catch(() => 'nobody listens');
};

/** Undefined where nobody answers in time: then everything passes as it is. */
async function answered<Answer>(ask: (keeper: KeeperClient) => Promise<Answer>): Promise<Answer | undefined> {
  const connected = await keeper;
  try {
    return connected && (await within(systemClock, answerWithinMs, ask(connected)));
  } catch {
    return undefined; // whoever does not know the request wants nothing done
  }
}

const relay = relayStdio({
  consumerIn: process.stdin,
  consumerOut: process.stdout,
  providerIn: child.stdin,
  providerOut: child.stdout,
  from,
  to,
  clock: systemClock,
  at: () => systemClock.monotonic(),
  hangUp: () => closeSync(1),
  desk: {
    order: async (method) =>
      (await answered((connected) => connected.ask('stdioAsked', { from, to, method })))?.order,
    met: async (order, isFit) =>
      void (await answered((connected) => connected.ask('stdioMet', { from, to, order, isFit }))),
  },
  emit: (event) => {
    if (event.type === 'call') told.push(tell(event));
  },
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));

const ended = new Promise<number>((resolve) => {
  child.on('error', () => resolve(127));
  child.on('exit', (code, signal) =>
    resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
  );
});
const code = await ended;
await relay.done;
await Promise.all(told);
(await keeper)?.close();
process.exit(code);
