import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dialectCarries } from '../../../test/harness/dialect-carries.ts';
import { drawTurn } from '../../../test/harness/generate-turn.ts';
import { sameTurn } from '../../../test/harness/same-turn.ts';
import { createRandom } from '../../kernel/random.ts';
import { dialectFor, dialects } from '../dialects/dialect-table.ts';
import { cutText } from './cut-text.ts';
import { flatTurn } from './flat-turn.ts';
import { dialectNames, type FoldedTurn, type Turn } from './turn.ts';

describe.each(dialectNames)('turns that are drawn for %s', (dialect) => {
  const turns = Array.from({ length: 2_000 }, (_, seed) => drawTurn(createRandom(`t${seed}`), { dialect }));

  test('the same seed gives the same turn', () => {
    expect(drawTurn(createRandom('a'), { dialect })).toEqual(drawTurn(createRandom('a'), { dialect }));
  });

  test('nothing that the dialect has is left out', () => {
    const stops = new Set(turns.map(({ stop }) => stop));
    const calls = new Set(turns.map(({ parts }) => parts.filter(({ kind }) => kind === 'call').length));
    const kinds = new Set(turns.flatMap(({ parts }) => parts.map(({ kind }) => kind)));
    const carries = dialectCarries[dialect];
    expect([...stops]).toEqual(expect.arrayContaining([...carries.drawnStops, 'tool-calls']));
    expect([...calls].sort()).toEqual([0, 1, 2, 3, 4]);
    expect([...kinds]).toEqual(expect.arrayContaining(['text', 'reasoning', 'call']));
    expect(kinds.has('refusal')).toBe(carries.refusal);
    expect(turns.some(({ parts }) => parts.length === 0)).toBe(true);
  });

  test('texts are well-formed, and ids differ', () => {
    expect(turns.filter((turn) => !JSON.stringify(turn).isWellFormed())).toEqual([]);
    const ids = turns.map(({ parts }) => parts.flatMap((part) => (part.kind === 'call' ? [part.id] : [])));
    expect(ids.filter((list) => new Set(list).size < list.length)).toEqual([]);
  });
});

describe('whether two turns are the same', () => {
  const turn: Turn = {
    parts: [
      { kind: 'text', text: 'a' },
      { kind: 'reasoning', text: 'r', signature: 's' },
      { kind: 'text', text: 'b' },
      { kind: 'call', id: '1', name: 'f', arguments: { x: [1, { y: null }] } },
    ],
    stop: 'tool-calls',
    usage: { input: 1, output: 2, cachedInput: 1 },
  };
  const folded = (over: Partial<FoldedTurn> = {}): FoldedTurn => ({
    dialect: 'openai-chat',
    streamed: true,
    complete: true,
    parts: [
      { kind: 'reasoning', text: 'r' },
      { kind: 'text', text: 'ab' },
      { kind: 'call', id: '1', name: 'f', arguments: { x: [1, { y: null }] } },
    ],
    stop: 'tool-calls',
    usage: { input: 1, output: 2, cachedInput: 1, reasoning: 0 },
    faults: [],
    oddities: [],
    ...over,
  });

  test('order, signatures and the cutting of text do not count where the dialect has none', () => {
    expect(sameTurn('openai-chat', turn, folded())).toBeUndefined();
    expect(sameTurn('anthropic', turn, folded())).toMatch('part 1 is');
  });

  test('the first difference is reported', () => {
    const [reasoning, text, call] = folded().parts;
    if (reasoning === undefined || text === undefined || call?.kind !== 'call') throw new Error('no parts');
    const of = (over: Partial<FoldedTurn>): string | undefined => sameTurn('openai-chat', turn, folded(over));
    expect(of({ parts: [reasoning, call] })).toBe(
      'part 2 is {"kind":"call","id":"1","name":"f","arguments":{"x":[1,{"y":null}]}}, expected {"kind":"text","text":"ab"}',
    );
    expect(of({ parts: [reasoning, text] })).toMatch('part 3 is missing');
    expect(of({ parts: [reasoning, text, { ...call, arguments: { x: [1, {}] } }] })).toMatch('part 3');
    expect(of({ parts: [reasoning, text, { ...call, id: '2' }] })).toMatch('part 3');
    expect(of({ stop: 'end' })).toBe('it stopped by "end", expected "tool-calls"');
    expect(of({ usage: null })).toMatch('the usage is null');
    expect(of({ usage: { input: 1, output: 2 } })).toMatch('"cachedInput":0');
  });

  test('what a shape takes away can be left out', () => {
    const call = { kind: 'call', id: '', name: 'f', arguments: { x: [1, { y: null }] } } as const;
    const bare = folded({ parts: [...folded().parts.slice(0, 2), call], stop: 'other', usage: null });
    expect(sameTurn('openai-chat', turn, bare, { ids: false, stop: 'other', usage: false })).toBeUndefined();
  });
});

test('a flat turn has its texts joined and its calls in a list', () => {
  const flat = flatTurn({
    dialect: 'anthropic',
    streamed: true,
    complete: false,
    parts: [
      { kind: 'text', text: 'a' },
      { kind: 'reasoning', text: 'r' },
      { kind: 'refusal', text: 'b' },
      { kind: 'call', id: '1', name: 'f', argumentsText: '{' },
      { kind: 'other', type: 'x', value: 1 },
    ],
    stop: null,
    usage: null,
    id: 'm1',
    model: 'm',
    faults: [],
    oddities: [],
  });
  expect(flat).toEqual({
    dialect: 'anthropic',
    streamed: true,
    complete: false,
    text: 'ab',
    reasoning: 'r',
    calls: [{ id: '1', name: 'f', argumentsText: '{' }],
    stop: null,
    usage: null,
    model: 'm',
    faults: [],
    oddities: [],
  });
});

test('a text is cut between characters, and nothing is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: -1, max: 9 }), (text, most) => {
      const pieces = cutText(text, most);
      expect(pieces.join('')).toBe(text);
      expect(pieces.every((piece) => piece.isWellFormed() && piece.length <= Math.max(1, most) + 1)).toBe(
        true,
      );
      expect(pieces).not.toContain('');
    }),
  );
});

test('an address belongs to one dialect', () => {
  const name = (method: string, path: string): string | undefined => dialectFor(method, path)?.dialect.name;
  expect(name('POST', '/v1/chat/completions')).toBe('openai-chat');
  expect(name('POST', '/v1/responses')).toBe('openai-responses');
  expect(name('POST', '/v1/messages')).toBe('anthropic');
  expect(name('POST', '/v1beta/models/gemini-2.5-pro:streamGenerateContent')).toBe('gemini');
  expect(name('GET', '/v1/models')).toBeUndefined();
  expect(dialectNames.map((one) => dialects[one].name)).toEqual([...dialectNames]);
});
