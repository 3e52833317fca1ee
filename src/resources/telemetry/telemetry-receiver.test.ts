import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestContext, type TestContext } from '../../../test/conformance/resource-context.ts';
import { bytesField, doubleField, fixedField, intField } from '../../../test/peers/encode-protobuf.ts';
import type { SpanReceived } from '../../journal/peer-event.ts';
import { resourceKinds } from '../../kinds/resource-kinds.ts';
import type { ProvisionedResource } from '../resource.ts';
import { telemetryDriver } from './telemetry-driver.ts';
import { telemetryLimits } from './telemetry-limits.ts';

let context: TestContext;
let receiver: ProvisionedResource;

beforeEach(async () => {
  context = createTestContext();
  receiver = await telemetryDriver.provision({ kind: 'telemetry', name: 'traces' }, context);
});
afterEach(async () => {
  await receiver.stop();
  context.clear();
});

const received = (): SpanReceived[] => context.emitted.filter((event) => event.type === 'span');

async function post(
  body: string | Buffer,
  headers: Record<string, string> = {},
  path = '/v1/traces',
): Promise<{ status: number; type: string | null; body: Buffer }> {
  const response = await fetch(`http://127.0.0.1:${receiver.endpoint.port}${path}`, {
    method: 'POST',
    headers: {
      'content-type': typeof body === 'string' ? 'application/json' : 'application/x-protobuf',
      ...headers,
    },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, type: response.headers.get('content-type'), body: bytes };
}

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const start = 1_754_000_000_123_000_000n;

/** The same span in both encodings, with every kind of value. */
const inJson = {
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'gateway' } }] },
      scopeSpans: [
        {
          scope: { name: 'http' },
          spans: [
            {
              traceId: traceId.toUpperCase(),
              spanId,
              parentSpanId: '',
              name: 'POST /chat',
              kind: 2,
              startTimeUnixNano: String(start),
              endTimeUnixNano: String(start + 1_500_000n),
              attributes: [
                { key: 'text', value: { stringValue: 'grüße' } },
                { key: 'yes', value: { boolValue: true } },
                { key: 'int', value: { intValue: '-5' } },
                { key: 'large', value: { intValue: '9007199254740993' } },
                { key: 'double', value: { doubleValue: 0.5 } },
                { key: 'list', value: { arrayValue: { values: [{ stringValue: 'a' }, { intValue: 1 }] } } },
                {
                  key: 'map',
                  value: { kvlistValue: { values: [{ key: 'k', value: { stringValue: 'v' } }] } },
                },
                { key: 'bytes', value: { bytesValue: 'AQI=' } },
                { key: 'nothing', value: {} },
              ],
              events: [
                {
                  name: 'retry',
                  timeUnixNano: String(start),
                  attributes: [{ key: 'n', value: { intValue: 2 } }],
                },
              ],
              status: { code: 'STATUS_CODE_ERROR', message: 'no upstream' },
            },
          ],
        },
      ],
    },
  ],
};

const pair = (key: string, ...value: Buffer[]): Buffer =>
  Buffer.concat([bytesField(1, key), bytesField(2, Buffer.concat(value))]);
const text = (value: string): Buffer => bytesField(1, value);

const inProtobuf = (): Buffer => {
  const span = Buffer.concat([
    bytesField(1, Buffer.from(traceId, 'hex')),
    bytesField(2, Buffer.from(spanId, 'hex')),
    bytesField(3, 'state=1'),
    bytesField(5, 'POST /chat'),
    intField(6, 2n),
    fixedField(7, start),
    fixedField(8, start + 1_500_000n),
    bytesField(9, pair('text', text('grüße'))),
    bytesField(9, pair('yes', intField(2, 1n))),
    bytesField(9, pair('int', intField(3, -5n))),
    bytesField(9, pair('large', intField(3, 9007199254740993n))),
    bytesField(9, pair('double', doubleField(4, 0.5))),
    bytesField(
      9,
      pair('list', bytesField(5, Buffer.concat([bytesField(1, text('a')), bytesField(1, intField(3, 1n))]))),
    ),
    bytesField(9, pair('map', bytesField(6, bytesField(1, pair('k', text('v')))))),
    bytesField(9, pair('bytes', bytesField(7, Buffer.of(1, 2)))),
    bytesField(9, pair('nothing')),
    bytesField(
      11,
      Buffer.concat([
        fixedField(1, start),
        bytesField(2, 'retry'),
        bytesField(3, pair('n', intField(3, 2n))),
      ]),
    ),
    bytesField(15, Buffer.concat([bytesField(2, 'no upstream'), intField(3, 2n)])),
    Buffer.from([0x85, 0x01, 1, 0, 0, 0]),
  ]);
  const resource = bytesField(1, bytesField(1, pair('service.name', text('gateway'))));
  const scope = bytesField(2, Buffer.concat([bytesField(1, bytesField(1, 'http')), bytesField(2, span)]));
  return bytesField(1, Buffer.concat([scope, resource, bytesField(3, 'schema')]));
};

const evidence = {
  service: 'gateway',
  name: 'POST /chat',
  kind: 'server',
  traceId,
  spanId,
  parentSpanId: null,
  attributes: {
    text: 'grüße',
    yes: true,
    int: -5,
    large: 9007199254740993n,
    double: 0.5,
    list: ['a', 1],
    map: { k: 'v' },
    bytes: 'AQI=',
    nothing: null,
  },
  events: [{ name: 'retry', attributes: { n: 2 } }],
  status: { code: 'error', message: 'no upstream' },
  durationMs: 1.5,
  startedAt: '2025-07-31T22:13:20.123Z',
};

test('a span is the same evidence in JSON and in protobuf, packed or not', async () => {
  expect(await post(JSON.stringify(inJson))).toEqual({
    status: 200,
    type: 'application/json',
    body: Buffer.from('{}'),
  });
  const empty = { status: 200, type: 'application/x-protobuf', body: Buffer.alloc(0) };
  expect(await post(inProtobuf())).toEqual(empty);
  expect(await post(gzipSync(inProtobuf()), { 'content-encoding': 'gzip' })).toEqual(empty);
  const packed = gzipSync(JSON.stringify(inJson));
  await post(packed, { 'content-type': 'application/json; charset=utf-8', 'content-encoding': 'gzip' });
  expect(received()).toEqual(Array(4).fill({ type: 'span', resource: 'traces', span: evidence }));
});

test('a span that says little is taken as it is', async () => {
  await post(
    '{"resourceSpans":[{"scopeSpans":[{"spans":[{"parentSpanId":"AB","kind":"SPAN_KIND_CLIENT"},{"kind":9}]}]}]}',
  );
  await post(bytesField(1, bytesField(2, bytesField(2, Buffer.alloc(0)))));
  expect(received().map(({ span }) => [span.service, span.kind, span.parentSpanId, span.status])).toEqual([
    [null, 'client', 'ab', { code: 'unset' }],
    [null, '9', null, { code: 'unset' }],
    [null, 'unspecified', null, { code: 'unset' }],
  ]);
});

test('metrics and logs are taken, and counted', async () => {
  expect((await post('{}', {}, '/v1/metrics')).status).toBe(200);
  expect((await post(Buffer.of(1, 2, 3), {}, '/v1/logs')).status).toBe(200);
  await post('{}');
  expect(receiver.summary).toMatch('traces: 1, metrics: 1, logs: 1');
  expect(context.emitted).toEqual([]);
});

test.each<[string, number, string | Buffer, Record<string, string>, string]>([
  ['no JSON', 400, '{"resourceSpans"', {}, 'the body is not JSON'],
  ['a list', 400, '[]', {}, 'the request is not a map'],
  [
    'spans that are not a list',
    400,
    '{"resourceSpans":[{"scopeSpans":[{"spans":{}}]}]}',
    {},
    '`spans` is not a list',
  ],
  [
    'a span that is null',
    400,
    '{"resourceSpans":[{"scopeSpans":[{"spans":[null]}]}]}',
    {},
    'a span is not a map',
  ],
  [
    'an invalid name',
    400,
    '{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":5}]}]}]}',
    {},
    '`name` is not a string',
  ],
  [
    'an invalid time',
    400,
    '{"resourceSpans":[{"scopeSpans":[{"spans":[{"startTimeUnixNano":"now"}]}]}]}',
    {},
    'not a whole number',
  ],
  ['a value in a value in a value', 400, nestedJson(20), {}, 'nested deeper than 8'],
  ['a number without an end', 400, Buffer.alloc(12, 0xff), {}, 'has no end'],
  ['a message that ends early', 400, Buffer.of(0x0a, 5, 1), {}, 'ends after the message'],
  ['a number that ends early', 400, Buffer.of(0x0a, 0x80), {}, 'ends within a number'],
  ['a group, which no longer exists', 400, Buffer.of(0x0b), {}, 'no field begins'],
  ['another form', 400, Buffer.of(0x08, 1), {}, 'has another form'],
  ['protobuf in a protobuf in a protobuf', 400, nestedProtobuf(20), {}, 'nested deeper than 8'],
  ['not gzip', 400, '{}', { 'content-encoding': 'gzip' }, 'not valid gzip'],
  ['another packing', 400, '{}', { 'content-encoding': 'br' }, 'br is not understood'],
  ['another form of request', 415, '{}', { 'content-type': 'text/plain' }, 'application/x-protobuf'],
  ['a bomb', 413, gzipSync(Buffer.alloc(9 * 1024 * 1024)), { 'content-encoding': 'gzip' }, 'unpacked'],
  ['a giant', 413, Buffer.alloc(9 * 1024 * 1024), {}, 'unpacked'],
])('%s is refused', async (_, status, body, headers, because) => {
  const answer = await post(body, headers);
  expect(answer.status).toBe(status);
  expect(answer.type).toBe(typeof body === 'string' ? 'application/json' : 'application/x-protobuf');
  if (typeof body === 'string') expect(JSON.parse(answer.body.toString())).toMatchObject({ code: 3 });
  else expect(answer.body.subarray(0, 3)).toEqual(Buffer.of(0x08, 3, 0x12));
  expect(answer.body.toString()).toContain(because);
  expect(context.emitted).toEqual([]);
  expect((await post('{}')).status).toBe(200);
});

test('other paths and methods are distinguished', async () => {
  expect((await post('{}', {}, '/v2/traces')).status).toBe(404);
  const response = await fetch(`http://127.0.0.1:${receiver.endpoint.port}/v1/traces`);
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
});

test('what is too large of a span is left out, and the span says so', async () => {
  const long = 'x'.repeat(telemetryLimits.textChars + 1);
  const spans = [
    { name: 'text', attributes: [{ key: 'a', value: { stringValue: long } }] },
    {
      name: 'many',
      attributes: Array.from({ length: 300 }, (_, n) => ({ key: `k${n}`, value: { intValue: n } })),
    },
    { name: 'all', attributes: ['a', 'b', 'c', 'd'].map((key) => ({ key, value: { stringValue: long } })) },
    { name: 'events', events: Array.from({ length: 300 }, () => ({ name: 'e' })) },
    { name: 'small' },
  ];
  await post(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }));
  expect(
    received().map(({ span: { name, attributes, events, cut } }) => [
      name,
      Object.keys(attributes).length,
      events.length,
      cut,
    ]),
  ).toEqual([
    ['text', 1, 0, true],
    ['many', 256, 0, true],
    ['all', 2, 0, true],
    ['events', 0, 256, true],
    ['small', 0, 0, undefined],
  ]);
});

test('spans of an attempt are kept up to a limit, and one more that says so; the next attempt starts fresh', async () => {
  const spans = Array(6_000).fill({ name: 's' });
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
  for (let i = 0; i < 3; i += 1) expect((await post(body)).status).toBe(200);
  expect(received()).toHaveLength(telemetryLimits.spans + 1);
  expect(received().filter(({ more }) => more !== undefined)).toEqual([received().at(-1)]);
  await receiver.peer?.begin({ trial: 't', attempt: 1, seed: 's', script: undefined });
  await post(JSON.stringify(inJson));
  expect(received().at(-1)).toEqual({ type: 'span', resource: 'traces', span: evidence });
});

test('references', () => {
  const consumer = { kind: 'service', name: 'gateway' } as const;
  const references = receiver.references(consumer, { host: 'h', port: 5 });
  expect(references).toEqual({ url: 'http://h:5', host: 'h', port: '5' });
  expect(resourceKinds.telemetry.references).toEqual(Object.keys(references));
});

function nestedJson(levels: number): string {
  const value = `${'{"arrayValue":{"values":['.repeat(levels)}{}${']}}'.repeat(levels)}`;
  return `{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[{"key":"a","value":${value}}]}]}]}]}`;
}

function nestedProtobuf(levels: number): Buffer {
  let value: Buffer = text('a');
  for (let level = 0; level < levels; level += 1) value = bytesField(5, bytesField(1, value));
  return bytesField(1, bytesField(2, bytesField(2, bytesField(9, pair('a', value)))));
}
