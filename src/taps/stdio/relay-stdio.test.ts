import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventually } from '../../../test/taps/eventually.ts';
import type { CallEvent } from '../../journal/call-event.ts';
import type { JournalEventBody } from '../../journal/event.ts';
import { systemClock } from '../../kernel/clock.ts';
import { relayStdio } from './relay-stdio.ts';

/** Answers each request with its own params, says something before, and asks once itself. */
const server = `
  const lines = require('node:readline').createInterface({ input: process.stdin });
  console.log('Listening on stdio');
  lines.on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === 'ask') console.log(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'roots/list' }));
    if (id !== undefined && method) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { params } }));
  });
`;

function relayed(ended?: Promise<string>) {
  const streams = {
    consumerIn: new PassThrough(),
    consumerOut: new PassThrough(),
    providerIn: new PassThrough(),
    providerOut: new PassThrough(),
  };
  const calls: CallEvent[] = [];
  const begun: CallEvent[] = [];
  const emit = (event: JournalEventBody): void => void (event.type === 'call' && calls.push(event));
  const relay = relayStdio({
    ...streams,
    from: 'app',
    to: 'tools',
    emit,
    onBegin: (call) => void begun.push(call),
    clock: systemClock,
    at: () => 5_000,
    ...(ended ? { ended } : {}),
  });
  return { ...streams, ...relay, calls, begun };
}

const line = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

test('a real server and its consumer reach each other, and their calls are reported', async () => {
  const child = spawn(process.execPath, ['-e', server], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [consumerIn, consumerOut] = [new PassThrough(), new PassThrough()];
  const calls: CallEvent[] = [];
  const relay = relayStdio({
    consumerIn,
    consumerOut,
    providerIn: child.stdin,
    providerOut: child.stdout,
    from: 'app',
    to: 'tools',
    emit: (event) => void (event.type === 'call' && calls.push(event)),
    clock: systemClock,
  });
  const heard = buffer(consumerOut);
  consumerIn.write(line({ id: 'a', method: 'tools/call', params: { name: 'é' } }));
  consumerIn.write(line({ method: 'notifications/initialized' }));
  consumerIn.write(line({ id: 2, method: 'ask' }));
  await eventually(() => calls.length === 3);
  consumerIn.end();
  await Promise.all([relay.done, once(child, 'exit')]);
  expect((await heard).toString()).toBe(
    `Listening on stdio\n${line({ id: 'a', result: { params: { name: 'é' } } })}${line({ id: 1, method: 'roots/list' })}${line({ id: 2, result: {} })}`,
  );
  const edited = calls.toSorted((a, b) => a.crossing - b.crossing);
  expect(edited).toMatchObject([
    {
      from: 'app',
      to: 'tools',
      crossing: 1,
      protocol: 'json-rpc',
      method: 'tools/call',
      path: 'stdio',
      params: { name: 'é' },
      result: { params: { name: 'é' } },
      request: { json: { id: 'a' } },
      faults: [{ by: 'provider', rule: 'mcp.noise' }],
    },
    { crossing: 2, method: 'notifications/initialized' },
    { crossing: 3, method: 'ask', result: {} },
  ]);
  expect(edited[1]).not.toHaveProperty('response');
  expect(edited[2]).not.toHaveProperty('faults');
});

test('answers find their requests in whatever order, and errors and batches are answers too', async () => {
  const { consumerIn, providerOut, consumerOut, providerIn, calls, done, callsInFlight } = relayed();
  consumerOut.resume();
  providerIn.resume();
  consumerIn.write(
    `[${line({ id: 1, method: 'a' })},${line({ id: '1', method: 'b' })}]\n`.replaceAll('}\n', '}'),
  );
  await eventually(() => callsInFlight().length === 2);
  expect(callsInFlight()).toMatchObject([{ method: 'a', incomplete: 'in-flight' }, { method: 'b' }]);
  providerOut.write(line({ id: '1', result: 'text' }) + line({ id: 1, error: { code: 1, message: 'no' } }));
  providerOut.end(line({ id: 1, result: 'too late' }));
  consumerIn.end();
  await done;
  expect(calls).toMatchObject([
    { crossing: 2, method: 'b', result: 'text' },
    { crossing: 1, method: 'a', error: { code: 1, message: 'no' } },
  ]);
  expect(calls[0]?.startedAt).toBeGreaterThanOrEqual(5_000);
});

test('what is open at the end was cut off, and what could not be read is reported', async () => {
  const { consumerIn, providerOut, consumerOut, providerIn, calls, done } = relayed();
  consumerOut.resume();
  providerIn.resume();
  consumerIn.write(line({ id: 1, method: 'tools/call' }));
  await eventually(() => consumerIn.readableLength === 0);
  consumerIn.write('not json\n');
  await eventually(() => consumerIn.readableLength === 0);
  providerOut.end('DEBUG starting\n{"jsonrpc":"2.0","id":1,"resu');
  await eventually(() => calls.length === 1);
  consumerIn.end();
  await done;
  expect(calls).toMatchObject([
    {
      method: 'tools/call',
      incomplete: 'cut',
      faults: [
        { by: 'consumer', rule: 'mcp.noise' },
        { by: 'provider', rule: 'mcp.noise' },
      ],
    },
  ]);
});

test('a call that was cancelled is reported at once, and again if it is answered nevertheless', async () => {
  const { consumerIn, providerIn, providerOut, consumerOut, calls, done } = relayed();
  providerIn.resume();
  consumerOut.resume();
  consumerIn.write(line({ id: 1, method: 'tools/call', params: { name: 'slow' } }));
  consumerIn.write(line({ id: 2, method: 'tools/call', params: { name: 'slower' } }));
  for (const requestId of [1, 2])
    consumerIn.write(line({ method: 'notifications/cancelled', params: { requestId } }));
  await eventually(() => calls.length === 4);
  expect(calls).toMatchObject([
    { crossing: 1, method: 'tools/call', incomplete: 'cancelled' },
    { crossing: 3, method: 'notifications/cancelled' },
    { crossing: 2, method: 'tools/call', incomplete: 'cancelled' },
    { crossing: 4, method: 'notifications/cancelled' },
  ]);
  providerOut.end(line({ id: 2, result: {} }));
  consumerIn.end();
  await done;
  expect(calls.slice(4)).toMatchObject([{ crossing: 2, result: {} }]);
  expect(calls[4]).not.toHaveProperty('incomplete');
});

test('noise after a cancelled call is reported with the next call, or with one of its own', async () => {
  for (const isNext of [true, false]) {
    const { consumerIn, providerIn, providerOut, consumerOut, calls, done, callsInFlight } = relayed();
    providerIn.resume();
    let heard = '';
    consumerOut.on('data', (chunk) => {
      heard += chunk;
    });
    consumerIn.write(line({ id: 1, method: 'tools/call' }));
    consumerIn.write(line({ method: 'notifications/cancelled', params: { requestId: 1 } }));
    await eventually(() => calls.length === 2);
    providerOut.write('DEBUG: not json\n');
    await eventually(() => heard.endsWith('json\n'));
    expect(callsInFlight()).toEqual([calls[0]]);
    if (isNext) {
      consumerIn.write(line({ id: 2, method: 'tools/list' }));
      await eventually(() => callsInFlight().length === 2);
      providerOut.write(`more\n${line({ id: 2, result: {} })}`);
    }
    providerOut.end();
    consumerIn.end();
    await done;
    const noise = { by: 'provider', rule: 'mcp.noise' };
    expect(calls.slice(2)).toMatchObject([
      isNext ? { method: 'tools/list', faults: [noise, noise] } : { method: '?', faults: [noise] },
    ]);
  }
});

test('noise before the first call is reported with it', async () => {
  const { consumerIn, providerOut, consumerOut, providerIn, calls, done } = relayed();
  providerIn.resume();
  providerOut.write('Listening\n');
  await eventually(() => consumerOut.readableLength > 0);
  consumerOut.resume();
  consumerIn.end(line({ method: 'notifications/initialized' }));
  await eventually(() => calls.length === 1);
  providerOut.end();
  await done;
  expect(calls).toMatchObject([
    { method: 'notifications/initialized', faults: [{ by: 'provider', rule: 'mcp.noise' }] },
  ]);
});

test('noise alone is reported as a call without a request', async () => {
  const { consumerIn, providerOut, consumerOut, providerIn, calls, done } = relayed();
  consumerOut.resume();
  providerIn.resume();
  providerOut.end('Traceback (most recent call last):\n'.repeat(1_000));
  consumerIn.end();
  await done;
  expect(calls).toMatchObject([{ method: '?', crossing: 1 }]);
  expect(calls[0]?.faults).toHaveLength(20);
});

test('a line of 50 MB passes whole, and its call is identified by its beginning', async () => {
  const { consumerIn, providerOut, consumerOut, providerIn, calls, done } = relayed();
  consumerOut.resume();
  let bytes = 0;
  providerIn.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  consumerIn.write('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"text":"');
  const before = process.memoryUsage().arrayBuffers;
  const piece = Buffer.alloc(1024 * 1024, 'x');
  for (let sent = 0; sent < 50; sent += 1) {
    if (!consumerIn.write(piece)) await once(consumerIn, 'drain');
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60 * 1024 * 1024);
  consumerIn.end('"}}\n');
  await eventually(() => calls.length === 0 && bytes > 50 * piece.length);
  providerOut.end(line({ id: 7, result: 1 }));
  await done;
  expect(calls).toMatchObject([{ method: 'tools/call', result: 1, incomplete: 'too-large' }]);
});

const huge = 'x'.repeat(300_000);

test.each([
  ['its id first', `{"jsonrpc":"2.0","id":7,"result":{"text":"${huge}"}}`],
  ['its id last', `{"result":{"text":"${huge}"},"jsonrpc":"2.0","id":7}`],
  ['an error', `{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"${huge}"}}`],
  ['too deep', `{"jsonrpc":"2.0","id":7,"result":${'['.repeat(300)}${']'.repeat(300)}}`],
])('an answer that is too large to be kept is an answer: %s', async (_, answer) => {
  const { consumerIn, providerOut, consumerOut, providerIn, calls, begun, done, callsInFlight } = relayed();
  consumerOut.resume();
  providerIn.resume();
  consumerIn.write(line({ id: 7, method: 'tools/call', params: { name: 'read' } }));
  await eventually(() => callsInFlight().length === 1);
  expect(begun).toMatchObject([{ crossing: 1, params: { name: 'read' }, incomplete: 'in-flight' }]);
  // What the server asks has ids of its own.
  providerOut.write(`{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":["${huge}"]}\n`);
  providerOut.write(`${answer}\n`);
  await eventually(() => calls.length === 1);
  expect(callsInFlight()).toEqual([]);
  expect(calls).toMatchObject([
    { crossing: 1, incomplete: 'too-large', response: { status: 200, bytes: answer.length } },
  ]);
  providerOut.end();
  consumerIn.end();
  await done;
});

test('a request that is too large to be kept finds its answer, or is reported as unreadable', async () => {
  const { consumerIn, providerOut, consumerOut, providerIn, calls, begun, done } = relayed();
  consumerOut.resume();
  providerIn.resume();
  const write = (text: string): boolean => consumerIn.write(`${text}\n`);
  write(`{"method":"tools/call","params":{"text":"${huge}"},"jsonrpc":"2.0","id":7}`);
  write(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"text":"${huge}"}}`);
  write(`{"id":9,"params":{"text":"${huge}"},"method":"tools/call","jsonrpc":"2.0"}`);
  write(`{"jsonrpc":"2.0","id":1,"result":{"text":"${huge}"}}`);
  await eventually(() => calls.length === 2);
  expect(begun).toMatchObject([{ crossing: 1, method: 'tools/call' }]);
  providerOut.end(line({ id: 7, result: 1 }));
  consumerIn.end();
  await done;
  expect(calls).toMatchObject([
    { crossing: 2, method: 'notifications/progress', incomplete: 'too-large' },
    { crossing: 3, method: '?', incomplete: 'too-large' },
    { crossing: 1, method: 'tools/call', result: 1, incomplete: 'too-large' },
  ]);
});

test.each([
  [
    'in the middle of a call',
    false,
    [{ by: 'provider', rule: 'mcp.ended', what: expect.stringMatching(/: exit code 3$/) }],
  ],
  ['after its consumer has left', true, undefined],
])('a server that ends %s', async (_, isLeft, faults) => {
  const { consumerIn, providerOut, consumerOut, providerIn, calls, done, callsInFlight } = relayed(
    Promise.resolve('exit code 3'),
  );
  consumerOut.resume();
  providerIn.resume();
  consumerIn.write(line({ id: 7, method: 'tools/call' }));
  await eventually(() => callsInFlight().length === 1);
  if (isLeft) {
    consumerIn.end();
    await eventually(() => consumerIn.readableEnded);
  }
  providerOut.end(`{"jsonrpc":"2.0","id":7,"result":"${huge}`);
  await eventually(() => calls.length === 1);
  consumerIn.destroy();
  await done;
  expect(calls).toMatchObject([{ method: 'tools/call', incomplete: 'cut' }]);
  expect(calls[0]?.faults).toEqual(faults);
});

test('a side that breaks is passed on', async () => {
  const { consumerIn, consumerOut, providerIn, providerOut, done } = relayed();
  consumerIn.write('one\n');
  await eventually(() => providerIn.readableLength > 0);
  providerIn.destroy(new Error('the server closed its input'));
  consumerIn.write('two\n');
  consumerOut.destroy(new Error('the consumer is gone'));
  providerOut.write('three\n');
  consumerIn.destroy(new Error('broken'));
  providerOut.end();
  await done;
});

test('the bytes are the same both ways, however they are cut', async () => {
  const bytes = fc.uint8Array({ maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(bytes, { maxLength: 8 }),
      fc.array(bytes, { maxLength: 8 }),
      async (sent, said) => {
        const { consumerIn, consumerOut, providerIn, providerOut, done } = relayed();
        const [asked, heard] = [buffer(providerIn), buffer(consumerOut)];
        for (const piece of sent) consumerIn.write(piece);
        for (const piece of said) providerOut.write(piece);
        consumerIn.end();
        providerOut.end();
        await done;
        expect((await asked).equals(Buffer.concat(sent))).toBe(true);
        expect((await heard).equals(Buffer.concat(said))).toBe(true);
      },
    ),
    { numRuns: 100 },
  );
});
