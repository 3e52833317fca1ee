import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import type { ShapeOrder } from './answer-gate.ts';
import { relayStdio } from './relay-stdio.ts';

type Order = (method: string) => Promise<ShapeOrder | undefined>;

function relayed(order: Order) {
  const streams = {
    consumerIn: new PassThrough(),
    consumerOut: new PassThrough(),
    providerIn: new PassThrough(),
    providerOut: new PassThrough(),
  };
  const met: string[] = [];
  const relay = relayStdio({
    ...streams,
    from: 'app',
    to: 'tools',
    emit: () => undefined,
    clock: systemClock,
    desk: {
      order,
      met: async ({ rule }, isFit) => void met.push(`${rule} ${isFit ? 'met' : 'unfit'}`),
    },
  });
  streams.providerIn.resume();
  return { ...streams, ...relay, met, heard: buffer(streams.consumerOut) };
}

const line = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
const ask = line({ id: 1, method: 'tools/call', params: { name: 'add' } });
const result = { content: [{ type: 'text', text: 'é' }] };
const answer = line({ id: 1, result });

async function shaped(shape: string, seed: string, said = answer) {
  const relay = relayed(async () => ({ rule: 'disturb[0]', shape, seed }));
  relay.consumerIn.write(ask);
  await turn();
  relay.providerOut.write(`starting\n${said}`);
  relay.providerOut.end(line({ method: 'notifications/message' }));
  relay.consumerIn.end();
  await relay.done;
  return { met: relay.met, text: (await relay.heard).toString('latin1') };
}

test.each([
  ['M36', /^starting\n[^\n]*\n+\{"jsonrpc":"2\.0","id":1,"result".*\n\{"jsonrpc":"2\.0","method"/],
  ['M37', /^starting\nContent-Length: \d+\r\n\r\n\{"jsonrpc":"2\.0","id":1,"result"/],
  ['M38', /^starting\n.*"notifications\/message".*\r?\n.*"id":1,"result".*\r?\n/],
  [
    'M26',
    /^starting\n.*"id":1,"result":\{"content":\[\{"type":"text","text":"the disk is full"\}\],"isError":true\}\}\n/,
  ],
])('%s is sent in place of the answer, and all else as it came', async (shape, expected) => {
  const { met, text } = await shaped(shape, 'a');
  expect(met).toEqual(['disturb[0] met']);
  expect(text).toMatch(expected);
  expect(text.endsWith(line({ method: 'notifications/message' }))).toBe(true);
});

test('M39 ends the consumer input in the middle of a line, or after one that is not UTF-8 or too long', async () => {
  const seen = new Set<string>();
  for (let draw = 0; seen.size < 2 && draw < 30; draw += 1) {
    const { met, text } = await shaped('M39', `draw ${draw}`);
    expect(met).toEqual(['disturb[0] met']);
    expect(text).not.toContain(answer.trim());
    seen.add(text.endsWith('\n') ? 'no UTF-8' : 'cut');
  }
  expect([...seen].toSorted()).toEqual(['cut', 'no UTF-8']);
});

test('requests and notifications of the server before its answer pass at once', async () => {
  const relay = relayed(async () => ({ rule: 'disturb[0]', shape: 'M38', seed: 'a' }));
  const heard: Buffer[] = [];
  relay.consumerOut.on('data', (bytes: Buffer) => heard.push(bytes));
  relay.consumerIn.write(ask);
  await turn();
  const question = line({ id: 1, method: 'elicitation/create', params: {} });
  relay.providerOut.write(question);
  await vi.waitFor(() => expect(Buffer.concat(heard).toString()).toBe(question));
  relay.providerOut.end(answer);
  relay.consumerIn.end();
  await relay.done;
  expect(relay.met).toEqual(['disturb[0] met']);
});

test('what a shape asks in the place of the server is not answered to the server', async () => {
  const relay = relayed(async () => ({ rule: 'disturb[0]', shape: 'M21', seed: 'a' }));
  const [heard, got]: [Buffer[], Buffer[]] = [[], []];
  relay.consumerOut.on('data', (bytes: Buffer) => heard.push(bytes));
  relay.providerIn.on('data', (bytes: Buffer) => got.push(bytes));
  relay.consumerIn.write(ask);
  await turn();
  relay.providerOut.write(answer);
  await vi.waitFor(() => expect(Buffer.concat(heard).toString()).toContain('"result"'));
  const { id, method } = JSON.parse(Buffer.concat(heard).toString().split('\n')[0] ?? '');
  expect(method).toBe('ping');
  const other = line({ id: 'ping-1', result: {} });
  const pong = line({ id, result: {} });
  for (const piece of [pong.slice(0, 9), pong.slice(9) + other.slice(0, 4), `${other.slice(4)}{"half`])
    relay.consumerIn.write(piece);
  relay.consumerIn.end();
  relay.providerOut.end();
  await relay.done;
  expect(Buffer.concat(got).toString()).toBe(`${ask}${other}{"half`);
});

test('what does not fit passes, and says so', async () => {
  const refused = line({ id: 1, error: { code: -1, message: 'no' } });
  const { met, text } = await shaped('M36', 'a', refused);
  expect(met).toEqual(['disturb[0] unfit']);
  expect(text).toBe(`starting\n${refused}${line({ method: 'notifications/message' })}`);
});

test('whatever comes in whichever pieces, without a rule it passes as it is', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.constantFrom(answer, '\n', line({ id: 2, result: {} })), fc.string()), {
        maxLength: 8,
      }),
      fc.array(fc.nat(40), { maxLength: 12 }),
      fc.nat(3),
      async (texts, cuts, lateTurns) => {
        const relay = relayed(async () => {
          for (let late = 0; late < lateTurns; late += 1) await turn();
          return undefined;
        });
        const said = Buffer.from(texts.join(''));
        let from = 0;
        for (const cut of [...cuts, said.length]) {
          relay.consumerIn.write(ask);
          await turn();
          if (from < said.length) relay.providerOut.write(said.subarray(from, from + cut));
          from += cut;
        }
        relay.providerOut.end();
        relay.consumerIn.end();
        await relay.done;
        expect((await relay.heard).equals(said)).toBe(true);
      },
    ),
    { numRuns: 100 },
  );
});
