import { describe, expect, test } from 'vitest';
import { askedForAll } from '../../../test/harness/asked-for-all.ts';
import { createRandom } from '../../kernel/random.ts';
import type { DialectName, Turn } from '../turn/turn.ts';
import { type Asked, readAsked } from './asked.ts';
import type { WireAnswer } from './shape.ts';
import { makeShaped, shapeOf } from './shape-table.ts';

const askedForNothing: Asked = {
  encodings: [],
  choices: 1,
  usage: false,
  hosted: [],
  seals: false,
  thinking: false,
  functions: false,
};

const said: Turn = {
  parts: [{ kind: 'text', text: 'Voilà.' }],
  stop: 'end',
  usage: { input: 3, output: 2 },
};
const thought: Turn = { ...said, parts: [{ kind: 'reasoning', text: 'Hm.' }, ...said.parts] };
const called: Turn = {
  ...said,
  parts: [{ kind: 'call', id: 'call_1', name: 'list_files', arguments: {} }],
  stop: 'tool-calls',
};

/** Whatever the seed selects. */
function drawn(
  id: string,
  dialect: DialectName,
  turn: Turn,
  asked: Asked,
): readonly (WireAnswer | undefined)[] {
  const about = { id: 'a', model: 'm', createdAt: 1, wantsUsage: asked.usage, pieceChars: 4 };
  return Array.from({ length: 40 }, (_, seed) =>
    shapeOf(id)?.make?.({ dialect, turn, about, streamed: true, asked, random: createRandom(`${seed}`) }),
  );
}

function texts(answers: readonly (WireAnswer | undefined)[]): readonly string[] {
  return answers.map((answer) =>
    Buffer.concat((answer?.pieces ?? []).map(({ bytes }) => bytes)).toString('utf8'),
  );
}

test.each([
  ['S17', 'openai-chat', said],
  ['C01', 'openai-chat', said],
  ['C38', 'openai-chat', said],
  ['A12', 'anthropic', said],
  ['A13', 'anthropic', said],
  ['A14', 'anthropic', said],
  ['A15', 'anthropic', said],
  ['A23', 'anthropic', said],
  ['R20', 'openai-responses', said],
  ['R22', 'openai-responses', said],
  ['R26', 'openai-responses', said],
] as const)('%s is sent only to a request that asked for it', (id, dialect, turn) => {
  expect(drawn(id, dialect, turn, askedForNothing).filter(Boolean)).toEqual([]);
  expect(drawn(id, dialect, turn, askedForAll).filter(Boolean)).toHaveLength(40);
});

test('S17 uses the encodings that were offered, and no other', () => {
  const answers = drawn('S17', 'openai-chat', said, { ...askedForNothing, encodings: ['gzip'] });
  expect(new Set(answers.map((answer) => answer?.headers['content-encoding']))).toEqual(new Set(['gzip']));
});

test('S16 leaves the end mark as it is', () => {
  for (const text of texts(drawn('S16', 'openai-chat', said, askedForNothing)))
    expect(text).toMatch(/^data: \[DONE\]$/m);
});

test('C34 does not move text before what was thought', () => {
  expect(drawn('C34', 'openai-chat', said, askedForNothing).filter(Boolean)).toHaveLength(40);
  expect(drawn('C34', 'openai-chat', thought, askedForNothing).filter(Boolean)).toEqual([]);
});

test('functions are called as before there were tools, in shapes that have that', () => {
  const request = { functions: [{ name: 'list_files' }] };
  const about = { id: 'a', model: 'm', createdAt: 1, wantsUsage: false, pieceChars: 4, request };
  const asked = readAsked(request, {}, { wantsUsage: false });
  const made = (id: string): WireAnswer | undefined => {
    const shape = shapeOf(id);
    const input = { dialect: 'openai-chat', turn: called, about, streamed: true, asked } as const;
    return shape && makeShaped(shape, { ...input, random: createRandom('1') });
  };
  expect(texts([made('C40')])[0]).toContain('"function_call"');
  expect(made('C11')).toBeUndefined();
  expect(texts(drawn('C40', 'openai-chat', called, askedForNothing)).join()).not.toContain('function_call');
});

test('R12 is a body: in a stream, events name the item', () => {
  expect(drawn('R12', 'openai-responses', called, askedForAll).filter(Boolean)).toEqual([]);
  const about = { id: 'a', model: 'm', createdAt: 1, wantsUsage: true, pieceChars: 4 };
  const random = createRandom('1');
  const [text] = texts([
    shapeOf('R12')?.make?.({
      dialect: 'openai-responses',
      turn: called,
      about,
      streamed: false,
      asked: askedForAll,
      random,
    }),
  ]);
  expect(JSON.parse(text ?? '').output[0]).not.toHaveProperty('id');
});

test('no legal shape of chat sends arguments that are not JSON', () => {
  for (const id of ['C14', 'C15']) {
    const isOdd = (text: string): boolean => /"arguments":"(?:null|\s+|\\n)"/.test(text);
    const odd = texts(drawn(id, 'openai-chat', called, askedForNothing)).some(isOdd);
    expect([id, shapeOf(id)?.tier, odd]).toEqual([id, odd ? '2c' : '2', id === 'C15']);
  }
});

test.each([
  ...['S12', 'A03', 'A04', 'A11', 'A24', 'C15', 'R23'],
  ...['S10', 'S14', 'C04', 'C09', 'C10', 'R03'],
])('%s is sent by servers, and not legal, or no matter for the provider’s own client', (id) => {
  expect(shapeOf(id)).toMatchObject({ tier: '2c', policy: 'accept' });
});

test('M09 is more than the official clients cope with', () => {
  expect(shapeOf('M09')).toMatchObject({ tier: '2c', policy: 'reject' });
});

test('to Gemini’s clients nothing is sent of the standard for events that they cannot read', () => {
  for (const id of ['S04', 'S08', 'S09', 'S10', 'S13', 'S14', 'S16'])
    expect([id, shapeOf(id)?.over.includes('gemini'), shapeOf(id)?.over.length]).toEqual([id, false, 3]);
});

test('rows about single parts produce nothing for several choices or for a custom tool', () => {
  const about = { id: 'a', model: 'm', createdAt: 1, wantsUsage: false, pieceChars: 4 };
  const made = (id: string, turn: Turn, choices: number): boolean => {
    const shape = shapeOf(id);
    const asked = { ...askedForNothing, choices };
    const input = {
      dialect: 'openai-chat' as const,
      turn,
      about: { ...about, choices },
      streamed: true,
      asked,
    };
    return shape !== undefined && makeShaped(shape, { ...input, random: createRandom('1') }) !== undefined;
  };
  const custom: Turn = {
    ...called,
    parts: [{ kind: 'call', id: 'call_1', name: 'code', arguments: {}, input: 'print(1)' }],
  };
  expect([made('C06', called, 1), made('C06', called, 2), made('C06', custom, 1)]).toEqual([
    true,
    false,
    false,
  ]);
  expect([made('S05', called, 2), made('C38', called, 2), made('S05', custom, 1)]).toEqual([
    true,
    true,
    true,
  ]);
});

describe('what a request asks for', () => {
  const read = (body: unknown, encoding?: string): Asked =>
    readAsked(body, encoding === undefined ? {} : { 'accept-encoding': encoding }, { wantsUsage: false });

  test('encodings', () => {
    expect(read({}).encodings).toEqual([]);
    expect(read({}, 'gzip, deflate;q=0.5, br;q=0').encodings).toEqual(['gzip', 'deflate']);
    expect(read({}, '*').encodings).toContain('br');
  });

  test('choices, hosted tools, functions, encrypted reasoning', () => {
    expect(readAsked({}, {}, { wantsUsage: false, wantsSeals: true })).toMatchObject({ seals: true });
    expect(readAsked({}, {}, { wantsUsage: false, choices: 3 })).toMatchObject({ choices: 3 });
    expect(read({ tools: [{ type: 'web_search_20250305' }, { type: 'web_search_preview' }] }).hosted).toEqual(
      ['web_search', 'web_search'],
    );
    expect(read({ functions: [{ name: 'f' }] }).functions).toBe(true);
    expect(read({ functions: [{ name: 'f' }], tools: [{ type: 'function' }] }).functions).toBe(false);
    expect(read('junk')).toEqual({ ...askedForNothing });
  });
});
