import { expect, test } from 'vitest';
import { allowsBatches, isStateless, isStatelessError, namesVersionInHeader } from './eras.ts';
import { createLineReader } from './line-reader.ts';
import { headerValue, mirrorHeaders, parameterHeaders, withRequestMeta } from './stateless-request.ts';
import { readToolResult } from './tool-result.ts';

const text = (...texts: string[]) => ({ content: texts.map((one) => ({ type: 'text', text: one })) });

test.each([
  ['a structure wins over its text', { ...text('other'), structuredContent: { a: 1 } }, { a: 1 }],
  ['a structure may be false', { ...text('other'), structuredContent: false }, false],
  ['JSON in the only text is read', text('{"status":"accepted"}'), { status: 'accepted' }],
  ['prose stays prose', text('It is 007.'), 'It is 007.'],
  [
    'JSON that is nested too deep stays a text',
    text(`${'['.repeat(300)}${']'.repeat(300)}`),
    `${'['.repeat(300)}${']'.repeat(300)}`,
  ],
  ['JSON with a duplicate key is not a value', text('{"paid":false,"paid":true}'), undefined],
  ['two texts are not a value', text('1', '2'), undefined],
  ['no block is not a value', { content: [] }, undefined],
])('%s', (_, result, value) => {
  expect(readToolResult(result)).toMatchObject({ isError: false });
  expect((readToolResult(result) as { value?: unknown }).value).toEqual(value);
});

test.each([
  ['a task', { task: { taskId: 't1', status: 'working' } }, {}],
  ['a question in return', { resultType: 'input_required', inputRequests: {} }, {}],
  ['the form of the first versions', { toolResult: 7 }, { isError: false }],
  ['an error without text', { isError: true }, { isError: true }],
  ['nothing', {}, { isError: false }],
])('%s is reported as it came, without made-up blocks', (_, result, said) => {
  expect(readToolResult(result)).toEqual({ ...said, value: result });
});

test('a structure alone has no blocks', () => {
  expect(readToolResult({ structuredContent: { a: 1 } })).toEqual({ isError: false, value: { a: 1 } });
});

test('an error of a tool keeps its text', () => {
  expect(readToolResult({ ...text('no such butler'), isError: true })).toEqual({
    isError: true,
    value: 'no such butler',
    content: [{ type: 'text', text: 'no such butler' }],
  });
});

test.each([[[]], [null], [{ content: 'hi' }], [{ content: [], isError: 'no' }]])(
  '%j is not a result of a tool',
  (result) => expect(readToolResult(result)).toEqual(expect.any(String)),
);

test('the eras are distinguished by version and by error code', () => {
  expect(['2024-11-05', '2025-11-25', '2026-07-28', '2027-01-01'].map(isStateless)).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(['2025-03-26', '2025-06-18'].map(allowsBatches)).toEqual([true, false]);
  expect(['2025-03-26', '2025-06-18'].map(namesVersionInHeader)).toEqual([false, true]);
  expect([-32022, -32601, -32000].map(isStatelessError)).toEqual([true, false, false]);
});

test.each([
  ['us-west1', 'us-west1'],
  ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
  [' padded ', '=?base64?IHBhZGRlZCA=?='],
  ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
  ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
])('%j is the header value %j, as the specification shows', (value, encoded) => {
  expect(headerValue(value)).toBe(encoded);
});

test('a stateless request names its client and method in its body and its headers', () => {
  const params = withRequestMeta({ name: 'greet', _meta: { progressToken: 1 } }, '2026-07-28');
  expect(params._meta).toEqual({
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'shakedown', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
    progressToken: 1,
  });
  expect(mirrorHeaders('tools/call', params, '2026-07-28')).toEqual({
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'greet',
  });
  expect(mirrorHeaders('resources/read', { uri: 'file:///a' }, '2026-07-28')['mcp-name']).toBe('file:///a');
  expect(mirrorHeaders('tools/list', undefined, '2026-07-28')).not.toHaveProperty('mcp-name');
});

test('arguments that a schema marks become headers, and only those', () => {
  const schema = {
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      limit: { type: 'integer', 'x-mcp-header': 'Limit' },
      dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
      query: { type: 'string' },
      absent: { 'x-mcp-header': 'Absent' },
      empty: { 'x-mcp-header': 'Empty' },
      bad: { 'x-mcp-header': 'Bad Name:' },
      inner: { properties: { tenant: { 'x-mcp-header': 'Tenant' } } },
      list: { items: { 'x-mcp-header': 'Items' } },
    },
  };
  const args = {
    region: 'us',
    limit: 7,
    dry: false,
    query: 'q',
    empty: null,
    bad: 'x',
    inner: { tenant: 'ü' },
    list: ['a'],
  };
  expect(parameterHeaders(schema, args)).toEqual({
    'mcp-param-region': 'us',
    'mcp-param-limit': '7',
    'mcp-param-dry': 'false',
    'mcp-param-tenant': '=?base64?w7w=?=',
  });
  expect(parameterHeaders('nonsense', args)).toEqual({});
});

test('lines come out whole, however their bytes were cut', () => {
  const bytes = Buffer.from('{"a":"ü"}\r\n\n  \n{"b":1}\n{"c"', 'utf8');
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const reader = createLineReader(100);
    const lines = [reader.push(bytes.subarray(0, cut)), reader.push(bytes.subarray(cut))].flatMap(
      (r) => r.lines,
    );
    expect(lines).toEqual(['{"a":"ü"}', '{"b":1}']);
    expect(reader.unfinishedBytes).toBe(4);
  }
});

test('a line beyond the limit ends the reading', () => {
  const reader = createLineReader(8);
  expect(reader.push(Buffer.from('12345678\n'))).toEqual({ lines: ['12345678'], isTooLarge: false });
  expect(reader.push(Buffer.from('123456789')).isTooLarge).toBe(true);
  expect(reader.push(Buffer.from('\nok\n'))).toEqual({ lines: [], isTooLarge: true });
});
