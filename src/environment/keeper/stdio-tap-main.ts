/** Runs in place of a tool server on stdio: `node stdio-tap-main <workspace> <from> <to> <program> [word…]`. */
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { constants } from 'node:os';
import type { CallEvent } from '../../journal/call-event.ts';
import { systemClock } from '../../kernel/clock.ts';
import { within } from '../../kernel/deadline.ts';
import { relayStdio } from '../../taps/stdio/relay-stdio.ts';
import { connectTapSocket, type KeeperClient } from './keeper-client.ts';

const [workspace = '', from = '', to = '', program = '', ...words] = process.argv.slice(2);
const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] });
const sent: Promise<unknown>[] = [];
const answerWithinMs = 2_000;

// Watching must not break the server: without a keeper it works all the same, and nothing is reported.
const keeper = connectTapSocket(workspace, systemClock).catch((): KeeperClient | undefined => {
  return undefined; // no socket is the same as no answer
});
const report = async (call: CallEvent): Promise<void> => {
  await (await keeper)?.ask('stdioCall', { call }).catch(() => undefined); // nobody listens
};

/** Undefined without an answer in time: then everything passes unchanged. */
async function answered<Answer>(ask: (keeper: KeeperClient) => Promise<Answer>): Promise<Answer | undefined> {
  const connected = await keeper;
  try {
    return connected && (await within(systemClock, answerWithinMs, ask(connected)));
  } catch {
    return undefined; // a keeper that does not know the request wants nothing changed
  }
}

interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const asking = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
for (const signal of asking) process.on(signal, () => child.kill(signal));

/** Waits for the end of its output, too: a child may still write to it. */
const ended = new Promise<End>((resolve) => {
  child.on('error', () => child.pid === undefined && resolve({ code: 127, signal: null }));
  child.on('close', (code, signal) => resolve({ code, signal }));
});

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
  ended: ended.then(({ code, signal }) => (child.killed ? undefined : (signal ?? `exit code ${code}`))),
  onBegin: (call) => void sent.push(report(call)),
  emit: (event) => {
    if (event.type === 'call') sent.push(report(event));
  },
});

const { code, signal } = await ended;
process.stdin.destroy(); // there is no longer a reader
await relay.done;
await Promise.all(sent);
(await keeper)?.close();
if (signal !== null) {
  // The parent must see how the server ended.
  for (const asked of asking) process.removeAllListeners(asked);
  process.kill(process.pid, signal);
  await systemClock.sleep(200); // some signals do not end a Node program
}
process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
