import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeCall, makeObserverSetup, type ObserverSetup } from '../../../test/conformance/observer-setup.ts';
import { cutMark } from '../../kernel/cut-mark.ts';
import { defined } from '../../kernel/defined.ts';
import type { Watch } from '../observer.ts';
import { type CallsQuery, callsObserver } from './calls-observer.ts';

let setup: ObserverSetup;
let shims: string;
let watch: Watch<CallsQuery>;
const record = (name: string, ...argv: string[]): void =>
  writeFileSync(path.join(shims, name), argv.join('\0'));

beforeEach(async () => {
  setup = makeObserverSetup();
  shims = path.join(setup.folder, 'shims');
  mkdirSync(shims);
  setup.service('health').shims = { shell: shims };
  record('1754000000000-1.call', 'sh', '-c', 'before');
  watch = await callsObserver.open(setup.context);
});
afterEach(async () => {
  await watch.close();
  setup.clear();
});

const look = (from: string, to: string, where?: unknown): Promise<unknown> =>
  watch.look({ from, to, ...(where === undefined ? {} : { where }) });

test('what passed and could not be read is not no call', async () => {
  const { response: _response, ...call } = makeCall('general', 'health', 7);
  setup.calls.push({ ...call, method: '?', path: '?', incomplete: 'not-http' });
  await expect(look('general', 'health')).rejects.toMatchObject({
    retryable: false,
    message: expect.stringMatching(/^general -> health: what passed there is not HTTP\/1/),
  });
  expect(await look('health', 'model')).toEqual([]);
});

test('calls of an edge are numbered from 1, in the order in which they began', async () => {
  setup.calls.push(
    makeCall('general', 'health', 8),
    makeCall('general', 'health', 7, { endedAt: 99 }),
    makeCall('health', 'model', 30, { startedAt: 75 }),
  );
  expect(await look('general', 'health')).toMatchObject([
    { crossing: 1, startedAt: 70 },
    { crossing: 2, startedAt: 80 },
  ]);
  expect(await look('*', '*')).toMatchObject([
    { startedAt: 70 },
    { to: 'model', crossing: 1 },
    { startedAt: 80 },
  ]);
  expect(await look('*', 'model')).toHaveLength(1);
  expect(await look('general', 'health', { crossing: 2 })).toMatchObject([{ startedAt: 80 }]);
  expect(await look('general', 'nobody')).toEqual([]);
});

test('messages of one exchange keep one number', async () => {
  setup.calls.push(makeCall('a', 'b', 5), makeCall('a', 'b', 5), makeCall('a', 'b', 6));
  expect(await look('a', 'b')).toMatchObject([{ crossing: 1 }, { crossing: 1 }, { crossing: 2 }]);
});

test('a call that is in flight is seen, and counts once when it has ended', async () => {
  const inFlight = makeCall('a', 'b', 5, { incomplete: 'in-flight', endedAt: 60 });
  setup.calls.push(inFlight, makeCall('a', 'b', 6));
  setup.calls.push({ ...inFlight, endedAt: 70 }, makeCall('a', 'c', 5));
  expect(await look('a', 'b')).toMatchObject([
    { crossing: 1, incomplete: 'in-flight', endedAt: 70 },
    { crossing: 2 },
  ]);
  setup.calls.push(makeCall('a', 'b', 5, { endedAt: 80 }));
  const [first, ...others] = (await look('a', 'b')) as object[];
  expect(first).toMatchObject({ crossing: 1, endedAt: 80 });
  expect(first).not.toHaveProperty('incomplete');
  expect(others).toHaveLength(1);
});

test('a call that was not kept whole is not treated as one that where excludes', async () => {
  setup.calls.push(
    makeCall('a', 'b', 1, {
      incomplete: 'too-large',
      method: 'POST',
      request: { headers: { x: '1' }, text: '{"leak":', bytes: 300_000, truncated: true },
      response: { status: 200, headers: {}, json: { ok: true }, bytes: 11 },
    }),
  );
  const leak = { request: { json: { leak: 'secret' } } };
  for (const where of [leak, { $not: leak }, { ...leak, method: 'POST' }, { params: { leak: 'secret' } }])
    await expect(look('a', 'b', where)).rejects.toMatchObject({
      retryable: false,
      message: expect.stringMatching(
        /^call 1 a -> b was too large to be kept, so that \w+ cannot be compared/,
      ),
    });
  const whole = [{ headers: { x: '2' } }, { truncated: { $absent: true } }, { unfinished: true }];
  const others = [...whole, { trailers: { sum: '1' } }].map((request) => ({ request }));
  for (const where of [{ ...leak, method: 'GET' }, ...others])
    expect(await look('a', 'b', where)).toEqual([]);
  for (const where of [{ response: { json: { ok: true } } }, { request: { text: { $contains: 'leak' } } }])
    expect(await look('a', 'b', where)).toHaveLength(1);
  expect(await look('a', 'b', { response: { json: { ok: false } } })).toEqual([]);
});

test('a statement of which a part was not kept is not treated as one that where excludes', async () => {
  const statement = `INSERT INTO items VALUES ('tea'), (${cutMark}`;
  setup.calls.push(makeCall('a', 'db', 1, { protocol: 'postgres', method: 'INSERT', statement }));
  for (const where of [{ $contains: '4111' }, { $regex: '4111' }, { $not: { $contains: '4111' } }])
    for (const condition of [{ statement: where }, { statement: where, method: 'INSERT' }])
      await expect(look('a', 'db', condition)).rejects.toMatchObject({
        retryable: false,
        message: '`where` cannot be decided: a part of the text was not kept',
      });
  for (const where of [{ $regex: '^INSERT INTO charges' }, { $startsWith: 'DELETE' }, 'INSERT INTO charges'])
    expect(await look('a', 'db', { statement: where })).toEqual([]);
  expect(await look('a', 'db', { statement: { $contains: '4111' }, method: 'DELETE' })).toEqual([]);
  expect(await look('a', 'db', { statement: { $contains: 'tea' } })).toHaveLength(1);
});

test('a call whose body is incomplete is not treated as one that where excludes', async () => {
  const request = { headers: {}, text: '{"item": "tea", "ca', bytes: 19, unfinished: true } as const;
  const cut = makeCall('a', 'b', 1, { incomplete: 'cut', method: 'POST', request });
  setup.calls.push(cut);
  const byJson = { request: { json: { card: '4111' } } };
  const byText = { request: { text: { $contains: '4111' } } };
  for (const where of [byJson, byText, { ...byText, method: 'POST' }]) {
    await expect(look('a', 'b', where)).rejects.toMatchObject({
      retryable: true,
      message: expect.stringContaining('a body of call 1 a -> b did not pass to its end'),
    });
    expect(await look('a', 'b', { ...where, method: 'GET' })).toEqual([]);
    expect(await look('a', 'b', { ...where, incomplete: 'cut' })).toEqual([]);
  }
  expect(await look('a', 'b', { request: { text: { $startsWith: 'x' } } })).toEqual([]);
  expect(await look('a', 'b', { request: { text: { $contains: 'tea' } } })).toHaveLength(1);
  const retried = { headers: {}, json: { item: 'tea', card: '4111' }, bytes: 30 };
  setup.calls.push(makeCall('a', 'b', 2, { request: retried }));
  expect(await look('a', 'b', byJson)).toMatchObject([{ crossing: 2 }]);
  setup.calls.splice(0, 2, { ...cut, incomplete: 'in-flight' });
  expect(await look('a', 'b', byText)).toEqual([]);
});

test.each([
  ['nothing', 'application/json', { bytes: 0 }],
  ['nothing of an undeclared type', undefined, { bytes: 0 }],
  ['the beginning of a number', 'application/json', { text: '1', bytes: 1 }],
  ['the beginning of a text', 'application/problem+json', { text: '"e', bytes: 2 }],
])('a body that was cut may have become any JSON that it began: %s', async (_, type, begun) => {
  const message = { headers: defined({ 'content-type': type }), ...begun, unfinished: true } as const;
  setup.calls.push(
    makeCall('a', 'b', 1, { incomplete: 'cut', response: { status: 200, ...message } }),
    makeCall('a', 'c', 1, { incomplete: 'cut', request: message }),
  );
  for (const body of [{ json: { err: 1 } }, { json: 'else' }, { json: 12 }, { events: [{ data: 1 }] }].slice(
    0,
    begun.bytes === 0 ? 4 : 3,
  ))
    for (const [to, side] of [
      ['b', 'response'],
      ['c', 'request'],
    ] as const) {
      await expect(look('a', to, { [side]: body })).rejects.toThrow('did not pass to its end');
      expect(await look('a', to, { [side]: body, method: 'GET' })).toEqual([]);
      expect(await look('a', to, { [side]: body, incomplete: 'cut' })).toEqual([]);
    }
});

test('an answer that was cut may have become a result, or an error', async () => {
  const response = { status: 200, headers: {}, bytes: 0, unfinished: true } as const;
  setup.calls.push(makeCall('a', 'b', 1, { protocol: 'json-rpc', incomplete: 'cut', response }));
  for (const where of [{ result: { ok: true } }, { error: { code: -32000 } }]) {
    await expect(look('a', 'b', where)).rejects.toThrow('did not pass to its end');
    expect(await look('a', 'b', { ...where, incomplete: 'in-flight' })).toEqual([]);
  }
});

test('a call whose body has another form, or was not read, is not treated as one that where excludes', async () => {
  const headers = { 'content-encoding': 'aws-chunked' };
  setup.calls.push(
    makeCall('a', 'b', 1, { request: { headers: {}, text: '{"card":"4111"}', bytes: 15 } }),
    makeCall('a', 'c', 1, { request: { headers, bytes: 15 } }),
    makeCall('a', 'd', 1, { request: { headers: { 'content-type': 'image/png' }, bytes: 15 } }),
    makeCall('a', 'e', 1, { request: { headers: {}, text: 'ok', bytes: 2 } }),
    makeCall('a', 'f', 1, { request: { headers, bytes: 15 }, incomplete: 'in-flight' }),
  );
  const byMap = { request: { json: { card: '4111' } } };
  const byPath = { $path: { 'request.json.card': '4111' } };
  for (const where of [byMap, byPath, { $path: { 'request.json.card': { $ne: '4111' } } }]) {
    for (const to of ['b', 'c'])
      await expect(look('a', to, where)).rejects.toMatchObject({
        retryable: false,
        message: expect.stringMatching(/^`where` cannot be decided: the body .* not .*as `json`/),
      });
    await expect(look('a', 'f', where)).rejects.toMatchObject({ retryable: true });
    expect(await look('a', 'c', { ...where, method: 'GET' })).toEqual([]);
  }
  for (const where of [byMap, byPath]) expect(await look('a', '*', { ...where, to: 'd' })).toEqual([]);
  for (const where of [byMap, byPath]) expect(await look('a', 'e', where)).toEqual([]);
});

test.each([
  ['NaN', 'application/json', '{"to":"mallory","score":NaN}'],
  ['several documents', 'application/x-ndjson', '{"to":"ann"}\n{"to":"mallory"}\n'],
  ['a trailing comma', 'text/plain', '{"to":"mallory",}'],
  ['another encoding', 'application/json', '‹no-utf8›{\u0000"\u0000t'],
])('a body that other readers may take for JSON does not prove an absence: %s', async (_, type, text) => {
  const request = { headers: { 'content-type': type }, text, bytes: 20 };
  setup.calls.push(makeCall('a', 'b', 1, { request }));
  await expect(look('a', 'b', { request: { json: { to: 'mallory' } } })).rejects.toMatchObject({
    retryable: false,
    message: expect.stringContaining('the body is there as `text`, not as `json`'),
  });
});

test('a large body whose method may follow does not prove the absence of a method', async () => {
  const request = {
    headers: {},
    text: '{"jsonrpc":"2.0","params":{"x":"',
    bytes: 400_000,
    truncated: true,
  } as const;
  setup.calls.push(makeCall('a', 'b', 1, { method: 'POST', incomplete: 'too-large', request }));
  await expect(look('a', 'b', { method: 'tools/call' })).rejects.toMatchObject({ retryable: false });
  expect(await look('a', 'b', { method: 'POST' })).toHaveLength(1);
});

test.each([
  '/users/j%C3%B6rg/delete',
  '//users/jörg/delete',
  '/users/./jörg/delete/',
  'http://b/users/jörg/delete',
])('a path in another spelling does not prove an absence: %s', async (spelt) => {
  setup.calls.push(makeCall('a', 'b', 1, { path: spelt }), makeCall('a', 'c', 1, { path: '/users/jorg' }));
  const where = { path: '/users/jörg/delete' };
  await expect(look('a', 'b', where)).rejects.toMatchObject({ retryable: false });
  expect(await look('a', 'c', where)).toEqual([]);
});

test('next to the matching call, a body in another form and a path with a query raise no doubt', async () => {
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  setup.calls.push(
    makeCall('a', 'b', 1, { path: '/items', request: { headers: {}, json: { op: 'save' }, bytes: 13 } }),
    makeCall('a', 'b', 2, { path: '/items?page=2', request: { headers, bytes: 4_000 } }),
    makeCall('a', 'c', 1, { path: '/items?page=2' }),
  );
  expect(await look('a', 'b', { path: '/items' })).toMatchObject([{ path: '/items' }]);
  expect(await look('a', 'b', { request: { json: { op: 'save' } } })).toMatchObject([{ path: '/items' }]);
  await expect(look('a', 'c', { path: '/items' })).rejects.toMatchObject({ retryable: false });
});

test('a condition on what no call has is a mistake, even where there is no call', async () => {
  const refusal = { retryable: false, message: '`where`: a call has no key methd; did you mean method?' };
  await expect(look('a', 'b', { methd: 'ping' })).rejects.toMatchObject(refusal);
  await expect(look('a', 'b', { $any: [{ path: '/' }, { methd: 'ping' }] })).rejects.toMatchObject(refusal);
  expect(await look('a', 'b', { argv: { $absent: true }, method: 'ping' })).toEqual([]);
});

test('a view has what the call has, and nothing else', async () => {
  const { response: _, ...unanswered } = makeCall('a', 'b', 1, { params: { x: 1 }, incomplete: 'cut' });
  setup.calls.push(unanswered);
  expect(await look('a', 'b')).toStrictEqual([
    {
      crossing: 1,
      from: 'a',
      to: 'b',
      protocol: 'http',
      method: 'POST',
      path: '/',
      params: { x: 1 },
      request: { headers: {}, bytes: 0 },
      startedAt: 10,
      endedAt: 15,
      incomplete: 'cut',
    },
  ]);
});

test('programs that were started are calls, too', async () => {
  expect(await look('health', 'shell')).toEqual([]);
  record('1754000000250000000-12.call', 'rm', '-rf', '/');
  record('1754000000.125-9.call', 'ls', '', 'b c');
  record('1754000000300-13.call');
  record('.something-else', 'x');
  expect(await look('health', 'shell')).toEqual([
    {
      crossing: 1,
      from: 'health',
      to: 'shell',
      protocol: 'command',
      method: 'shell',
      argv: ['ls', '', 'b c'],
      startedAt: 1754000000125,
      endedAt: 1754000000125,
    },
    expect.objectContaining({ crossing: 2, argv: ['rm', '-rf', '/'], startedAt: 1754000000250 }),
  ]);
  expect(await look('general', 'shell')).toEqual([]);
});
