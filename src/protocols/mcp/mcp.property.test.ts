import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Incoming, Outgoing } from '../json-rpc/message.ts';
import { printMessage } from '../json-rpc/print-message.ts';
import { readMessages } from '../json-rpc/read-messages.ts';
import { createSseParser } from '../sse/sse-parser.ts';
import { judgeAgainstSchema } from './judge-against-schema.ts';
import { judgeMcpExchange } from './judge-mcp-exchange.ts';
import { judgeMcpLine } from './judge-mcp-line.ts';
import { createLineReader } from './line-reader.ts';
import type { McpExchange, McpHttpMessage } from './mcp-exchange.ts';
import { judgeToolCall } from './tool-schema.ts';

const numRuns = Number(process.env.SHAKEDOWN_PROPERTY_RUNS ?? 300);

const id = fc.oneof(fc.string({ unit: 'binary' }), fc.maxSafeInteger());
const json = fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' });
const error = fc.record({ code: fc.maxSafeInteger(), message: fc.string({ unit: 'binary' }), data: json });
const method = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('tools/call', 'notifications/message'),
);

const message: fc.Arbitrary<Outgoing> = fc.oneof(
  fc.record({ jsonrpc: fc.constant('2.0' as const), id, method, params: json }),
  fc.record({ jsonrpc: fc.constant('2.0' as const), method }),
  fc.record({ jsonrpc: fc.constant('2.0' as const), id, result: json }),
  fc.record({ jsonrpc: fc.constant('2.0' as const), id, error }),
);

/** What a reader makes of what was printed. */
function asRead(sent: Outgoing): Incoming {
  const { jsonrpc: _, ...rest } = JSON.parse(JSON.stringify(sent));
  const kind =
    'method' in rest ? ('id' in rest ? 'request' : 'notification') : 'error' in rest ? 'error' : 'result';
  return { kind, ...rest } as Incoming;
}

function cutAt(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const bounds = [
    0,
    ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b),
    bytes.length,
  ];
  return bounds.slice(1).map((end, at) => bytes.subarray(bounds[at], end));
}

const places = fc.array(fc.nat(), { maxLength: 12 });
const lineEnd = fc.constantFrom('\n', '\r\n');
const messages = fc.array(message, { maxLength: 5 });

test('lines: what is printed is read again, however the bytes are cut', () => {
  fc.assert(
    fc.property(messages, lineEnd, places, (sent, end, cuts) => {
      const bytes = Buffer.from(sent.map((one) => `${printMessage(one)}${end}`).join(''));
      const reader = createLineReader(1_000_000);
      const lines = cutAt(bytes, cuts).flatMap((piece) => reader.push(piece).lines);
      expect(lines.flatMap((line) => readMessages(line).messages)).toEqual(sent.map(asRead));
      expect(reader.unfinishedBytes).toBe(0);
      expect(lines.flatMap((line) => judgeMcpLine(line, 'to-client'))).toEqual([]);
    }),
    { numRuns },
  );
});

test('events: what is printed is read again, however the bytes are cut', () => {
  fc.assert(
    fc.property(messages, lineEnd, places, (sent, end, cuts) => {
      const bytes = Buffer.from(
        sent.map((one) => `event: message${end}data: ${printMessage(one)}${end}${end}`).join(''),
      );
      const parser = createSseParser();
      const data = cutAt(bytes, cuts).flatMap((piece) => parser.push(piece).map((event) => event.data));
      expect(data.flatMap((text) => readMessages(text).messages)).toEqual(sent.map(asRead));
    }),
    { numRuns },
  );
});

test('any bytes come to the same lines, however they are cut', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), places, (bytes, cuts) => {
      const linesOf = (pieces: readonly Uint8Array[]): unknown => {
        const reader = createLineReader(64);
        const read = pieces.map((piece) => reader.push(piece));
        return { lines: read.flatMap(({ lines }) => lines), isTooLarge: read.at(-1)?.isTooLarge };
      };
      expect(linesOf(cutAt(bytes, cuts))).toEqual(linesOf([bytes]));
      expect(judgeMcpLine(bytes, 'to-server').length).toBeLessThan(2_000);
    }),
    { numRuns },
  );
});

/** Values near those of the protocol, in places where they do not belong. */
const junk: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(
      null,
      true,
      0,
      1,
      '',
      '2.0',
      'tools/call',
      'tools/list',
      'initialize',
      '2026-07-28',
      '#/$defs/a',
      'object',
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(
        'jsonrpc',
        'id',
        'method',
        'params',
        'result',
        'error',
        'content',
        'tools',
        'name',
        '_meta',
        'type',
        'properties',
        '$ref',
        '$defs',
        'anyOf',
        'items',
        'required',
        'inputSchema',
        'outputSchema',
        'structuredContent',
        '__proto__',
      ),
      tie('value'),
      { maxKeys: 5 },
    ),
  ),
})).value;

const http: fc.Arbitrary<McpHttpMessage> = fc.record(
  {
    headers: fc.constantFrom<Record<string, string>>(
      {},
      { 'mcp-session-id': 's' },
      { 'mcp-protocol-version': '2026-07-28', 'content-type': 'application/json' },
      { 'mcp-protocol-version': 'draft', 'content-type': 'text/event-stream', accept: 'text/event-stream' },
    ),
    json: junk,
    text: fc.string(),
    events: fc.array(
      junk.map((data) => ({ data })),
      { maxLength: 3 },
    ),
    bytes: fc.nat(9),
  },
  { requiredKeys: ['headers', 'bytes'] },
);

const exchange = fc.record(
  {
    httpMethod: fc.constantFrom('GET', 'POST', 'DELETE', 'PUT'),
    request: http,
    response: fc
      .tuple(http, fc.constantFrom(200, 202, 204, 404, 500))
      .map(([said, status]) => ({ ...said, status })),
    incomplete: fc.constantFrom('cut', 'too-large'),
    agreedVersion: fc.constantFrom('2025-06-18', '', 'draft'),
  },
  { requiredKeys: ['httpMethod', 'request'] },
) as fc.Arbitrary<McpExchange>;

test('junk is judged, and never throws', () => {
  fc.assert(
    fc.property(exchange, junk, junk, junk, (one, schema, call, result) => {
      for (const { by, rule, what } of judgeMcpExchange(one)) {
        expect(['consumer', 'provider']).toContain(by);
        expect(rule).toMatch(/^(?:mcp|json-rpc)\.[a-z0-9-]+$/);
        expect(what.length).toBeLessThan(1_000);
      }
      judgeAgainstSchema(schema, result);
      judgeToolCall(
        [{ name: 'a', inputSchema: schema, outputSchema: schema }],
        { name: 'a', arguments: call },
        result,
      );
    }),
    { numRuns },
  );
});
