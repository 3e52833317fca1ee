import { describe, expect, test } from 'vitest';
import { judgeAgainstSchema } from './judge-against-schema.ts';
import { judgeToolCall } from './tool-schema.ts';

const keyword = (schema: unknown, value: unknown): string | undefined =>
  judgeAgainstSchema(schema, value)?.keyword;

test.each<[string, unknown, unknown]>([
  ['type', { type: 'string' }, 1],
  ['type', { type: 'integer' }, 1.5],
  ['type', { type: ['string', 'null'] }, 1],
  ['type', { type: 'object' }, []],
  ['enum', { enum: ['a', 'b'] }, 'c'],
  ['const', { const: { a: 1 } }, { a: 2 }],
  ['required', { required: ['a'] }, {}],
  ['required', { required: ['toString'] }, {}],
  ['type', { properties: { a: { type: 'string' } } }, { a: 1 }],
  ['additionalProperties', { properties: {}, additionalProperties: false }, { a: 1 }],
  ['type', { additionalProperties: { type: 'string' } }, { a: 1 }],
  ['type', { items: { type: 'string' } }, ['a', 1]],
  ['type', { prefixItems: [{ type: 'string' }], items: { type: 'number' } }, ['a', 'b']],
  ['false', { prefixItems: [{}], items: false }, [1, 2]],
  ['minimum', { minimum: 1 }, 0],
  ['exclusiveMaximum', { exclusiveMaximum: 1 }, 1],
  ['maxLength', { maxLength: 1 }, '👍👍'],
  ['minItems', { minItems: 1 }, []],
  ['anyOf', { anyOf: [{ type: 'string' }, { type: 'null' }] }, 1],
  ['oneOf', { oneOf: [{ type: 'string' }, { type: 'null' }] }, 1],
  ['minimum', { allOf: [{ type: 'number' }, { minimum: 1 }] }, 0],
  ['type', { $defs: { name: { type: 'string' } }, properties: { a: { $ref: '#/$defs/name' } } }, { a: 1 }],
  ['type', { properties: { a: { type: 'string' }, b: { $ref: '#/properties/a' } } }, { b: 1 }],
  ['type', { $defs: { 'a/b': { type: 'string' } }, $ref: '#/$defs/a~1b' }, 1],
  ['type', { type: 'object', properties: { next: { $ref: '#' } } }, { next: { next: 1 } }],
])('%s is broken: %j by %j', (broken, schema, value) => {
  expect(keyword(schema, value)).toBe(broken);
});

test.each<[unknown, unknown]>([
  [{ type: 'integer' }, 1],
  [{ type: 'strin' }, 1],
  [{ maxLength: 1 }, '👍'],
  [{ pattern: '^a', format: 'email', unheard: 1 }, 'b'],
  [{ $ref: 'https://example.com/schema.json' }, 1],
  [{ $ref: '#/$defs/nowhere' }, 1],
  [{ oneOf: [{ type: 'number' }, { type: 'integer' }] }, 1],
  [{ patternProperties: { '^x': {} }, additionalProperties: false }, { xa: 1 }],
  [{ type: 'string', nullable: true }, null],
  [{ required: 'a', properties: 7, items: 'b', enum: 'c', anyOf: {} }, {}],
  [true, 1],
  [null, 1],
  ['nonsense', 1],
])('%j allows %j', (schema, value) => {
  expect(judgeAgainstSchema(schema, value)).toBeUndefined();
});

test('the place of the first violation is reported', () => {
  const schema = { properties: { list: { items: { properties: { name: { type: 'string' } } } } } };
  expect(judgeAgainstSchema(schema, { list: [{ name: 'a' }, { name: 7 }] })).toEqual({
    path: '$.list[1].name',
    keyword: 'type',
    what: '$.list[1].name is of the type number, expected string',
  });
});

test('schemas that lead in circles, that branch without end or go deep, end', () => {
  expect(judgeAgainstSchema({ $ref: '#' }, 1)).toBeUndefined();
  const branching = { anyOf: Array.from({ length: 20 }, () => ({ $ref: '#' })), type: 'string' };
  expect(judgeAgainstSchema(branching, 1)).toMatchObject({ keyword: 'type' });
  const wide = {
    $defs: { a: { anyOf: Array.from({ length: 50 }, () => ({ allOf: [{ $ref: '#/$defs/a' }, false] })) } },
    $ref: '#/$defs/a',
  };
  expect(judgeAgainstSchema(wide, 1)).toBeUndefined();
});

describe('a call', () => {
  const tools = [
    {
      name: 'add',
      inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
      outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
    },
  ];
  const rules = (call: object, result?: unknown): readonly string[] =>
    judgeToolCall(tools, call, result).map(({ by, rule }) => `${by} ${rule}`);
  const good = { name: 'add', arguments: { a: 1 } };

  test('is held against what the server says of its tool', () => {
    expect(rules(good, { content: [], structuredContent: { sum: 1 } })).toEqual([]);
    expect(rules({ name: 'add', arguments: { a: '1' } })).toEqual(['consumer mcp.arguments-schema']);
    expect(rules({ name: 'add' })).toEqual(['consumer mcp.arguments-schema']);
    expect(rules(good, { content: [], structuredContent: { sum: '1' } })).toEqual([
      'provider mcp.output-schema',
    ]);
    expect(rules(good, { content: [] })).toEqual(['provider mcp.structured-content']);
  });

  test('is not judged where the tool failed, asks back, or is not known', () => {
    expect(rules(good, { content: [], isError: true })).toEqual([]);
    expect(rules(good, { resultType: 'input_required' })).toEqual([]);
    expect(rules({ name: 'other', arguments: 7 }, {})).toEqual([]);
    expect(judgeToolCall('nonsense', good, {})).toEqual([]);
    expect(judgeToolCall([null, { name: 'add' }], good, {})).toEqual([]);
  });
});

test('an open schema accepts anything, but not any name', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'number' }, list: { items: { enum: [1] } } },
    additionalProperties: false,
  };
  const isOpen = (value: unknown): boolean => value === '?';
  expect(judgeAgainstSchema(schema, { a: '?', list: ['?', 1] }, isOpen)).toBeUndefined();
  expect(judgeAgainstSchema(schema, { a: '?', list: ['?', 2] }, isOpen)?.keyword).toBe('enum');
  expect(judgeAgainstSchema(schema, { b: '?' }, isOpen)?.keyword).toBe('additionalProperties');
});
