import { describe, expect, test } from 'vitest';
import { foldLimits } from '../turn/fold-limits.ts';
import type { FoldedTurn } from '../turn/turn.ts';
import { createAnthropicFold } from './fold-anthropic-events.ts';

function foldEvents(...events: readonly object[]): FoldedTurn {
  const fold = createAnthropicFold();
  for (const event of events) fold.push({ data: JSON.stringify(event) });
  return fold.end('end');
}

function start(index: number, content_block: object): object {
  return { type: 'content_block_start', index, content_block };
}

const begin = { type: 'message_start', message: { id: 'msg_1', content: [], usage: { input_tokens: 1 } } };
const stop = (index: number): object => ({ type: 'content_block_stop', index });
const delta = (index: number, one: object): object => ({ type: 'content_block_delta', index, delta: one });
const ended = (stop_reason: string): readonly object[] => [
  { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
];

describe('blocks', () => {
  test('thinking that is not shown, redacted thinking and thinking side by side stay as they are', () => {
    const folded = foldEvents(
      begin,
      start(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'signature_delta', signature: 'ab' }),
      delta(0, { type: 'signature_delta', signature: 'cd' }),
      stop(0),
      start(1, { type: 'thinking', thinking: 'so', signature: 'x' }),
      stop(1),
      start(2, { type: 'redacted_thinking', data: 'EmwK' }),
      stop(2),
      ...ended('end_turn'),
    );
    expect(folded.faults).toEqual([]);
    expect(folded.parts).toEqual([
      { kind: 'reasoning', text: '', signature: 'abcd' },
      { kind: 'reasoning', text: 'so', signature: 'x' },
      { kind: 'reasoning', text: '', redacted: 'EmwK' },
    ]);
  });

  test('a call of the provider itself is not a tool call', () => {
    const folded = foldEvents(
      begin,
      start(0, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
      delta(0, { type: 'input_json_delta', partial_json: '{"query":' }),
      delta(0, { type: 'input_json_delta', partial_json: '"tides"}' }),
      stop(0),
      ...ended('pause_turn'),
    );
    expect(folded.parts).toEqual([
      {
        kind: 'other',
        type: 'server_tool_use',
        value: { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'tides' } },
      },
    ]);
    expect(folded).toMatchObject({ complete: true, stop: 'pause' });
  });

  test('an input that the length cut off is legal, and has no arguments', () => {
    const cut = [
      begin,
      start(0, { type: 'tool_use', id: 't', name: 'a', input: {} }),
      delta(0, { type: 'input_json_delta', partial_json: '{"a":' }),
      stop(0),
    ];
    const part = { kind: 'call', id: 't', name: 'a', argumentsText: '{"a":' };
    expect(foldEvents(...cut, ...ended('max_tokens'))).toMatchObject({
      complete: true,
      parts: [part],
      faults: [],
    });
    const claimed = foldEvents(...cut, ...ended('tool_use'));
    expect(claimed).toMatchObject({ complete: false, parts: [part] });
    expect(claimed.faults).toEqual([
      {
        rule: 'anthropic.input-form',
        shape: 'A10',
        what: 'the input of block 0 is cut off: "{\\"a\\":"',
        event: 4,
      },
    ]);
  });

  test('an input without its beginning was not cut off by the length', () => {
    const headless = delta(0, { type: 'input_json_delta', partial_json: 'path":"a' });
    const call = start(0, { type: 'tool_use', id: 't', name: 'a', input: {} });
    const folded = foldEvents(begin, call, headless, stop(0), ...ended('max_tokens'));
    expect(folded.faults.map(({ rule, shape }) => [rule, shape])).toEqual([['anthropic.input-form', 'A10']]);
  });

  test('a delta or a stop of another block is not applied to the open one', () => {
    const open = [begin, start(0, { type: 'text', text: '' })];
    const stray = foldEvents(
      ...open,
      delta(1, { type: 'text_delta', text: 'b' }),
      stop(0),
      ...ended('end_turn'),
    );
    expect(stray.parts).toEqual([{ kind: 'text', text: '' }]);
    expect(stray.faults.map(({ what }) => what)).toEqual(['a delta came for block 1, and block 0 is open']);
    const early = foldEvents(...open, stop(1), stop(0), ...ended('end_turn'));
    expect(early.faults.map(({ what }) => what)).toEqual(['a stop came for block 1, and block 0 is open']);
  });

  test('of an answer that starts twice, only the first start is reported', () => {
    const text = (said: string): object => start(0, { type: 'text', text: said });
    const again = { type: 'message_start', message: { id: 'msg_2', content: [], usage: {} } };
    const folded = foldEvents(begin, text('one'), again, text('two'), stop(0), ...ended('end_turn'));
    expect(folded).toMatchObject({ complete: false, stop: null, parts: [{ kind: 'text', text: 'one' }] });
    expect(folded.faults.map(({ rule, shape }) => [rule, shape])).toEqual([
      ['anthropic.other-message', 'A06'],
    ]);
  });

  test('an explanation of a refusal is a part', () => {
    const stop_details = { type: 'refusal', category: 'cyber', explanation: 'It could do harm.' };
    const folded = foldEvents(
      begin,
      { type: 'message_delta', delta: { stop_reason: 'refusal', stop_details }, usage: {} },
      { type: 'message_stop' },
    );
    expect(folded).toMatchObject({
      complete: true,
      stop: 'refusal',
      parts: [{ kind: 'refusal', text: 'It could do harm.' }],
    });
  });

  test('numbers, lists and nothing where a text belongs are named', () => {
    const folded = foldEvents(
      begin,
      start(0, { type: 'text', text: 7 }),
      delta(0, { type: 'text_delta' }),
      stop(0),
      ...ended('end_turn'),
    );
    expect(folded.faults.map(({ what }) => what)).toEqual(['`text` is 7, not a string']);
    expect(folded.complete).toBe(false);
  });
});

describe('usage', () => {
  test('is not summed, and what a later event leaves out stays', () => {
    const folded = foldEvents(
      {
        type: 'message_start',
        message: { id: 'm', content: [], usage: { input_tokens: 20, output_tokens: 1 } },
      },
      {
        type: 'message_delta',
        delta: { stop_reason: null },
        usage: { input_tokens: null, output_tokens: 5 },
      },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } },
      { type: 'message_stop' },
    );
    expect(folded.usage).toEqual({ input: 20, output: 9 });
  });

  test('is not made up', () => {
    const folded = foldEvents(
      { type: 'message_start', message: { id: 'm', content: [] } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    );
    expect(folded).toMatchObject({ complete: true, usage: null });
    expect(folded.oddities.map(({ rule }) => rule)).toContain('anthropic.no-usage');
  });
});

describe('limits', () => {
  const many = (count: number, event: (at: number) => object): FoldedTurn => {
    const fold = createAnthropicFold();
    fold.push({ data: JSON.stringify(begin) });
    for (let at = 0; at < count; at += 1) fold.push({ data: JSON.stringify(event(at)) });
    return fold.end('cut');
  };

  test('text, blocks and blocks of other kinds do not grow without end', () => {
    const large = 'x'.repeat(1024 * 1024);
    const texts = many(20, (at) =>
      at === 0 ? start(0, { type: 'text', text: '' }) : delta(0, { type: 'text_delta', text: large }),
    );
    const sizes = texts.parts.map((part) => (part.kind === 'text' ? part.text.length : 0));
    expect(sizes).toEqual([foldLimits.textChars]);
    expect(texts.faults[0]?.rule).toBe('anthropic.too-large');
    const blocks = many(10_000, (at) =>
      at % 2 === 0 ? start(at / 2, { type: 'text', text: '' }) : stop((at - 1) / 2),
    );
    expect(blocks.parts.length).toBeLessThanOrEqual(2_000);
    const others = many(40, (at) =>
      at % 2 === 0 ? start(at / 2, { type: 'image', data: large }) : stop((at - 1) / 2),
    );
    expect(others.parts.length).toBeLessThanOrEqual(8);
  });

  test('depth is bounded in inputs and in blocks of other kinds', () => {
    const deep = `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`;
    const fold = createAnthropicFold();
    for (const event of [
      begin,
      start(0, { type: 'tool_use', id: 't', name: 'a', input: {} }),
      delta(0, { type: 'input_json_delta', partial_json: deep }),
      stop(0),
    ])
      fold.push({ data: JSON.stringify(event) });
    fold.push({
      data: `{"type":"content_block_start","index":1,"content_block":{"type":"odd","value":${deep}}}`,
    });
    fold.push({ data: JSON.stringify(stop(1)) });
    for (const event of ended('tool_use')) fold.push({ data: JSON.stringify(event) });
    const folded = fold.end('end');
    expect(folded.faults.map(({ rule }) => rule)).toEqual(['anthropic.too-deep', 'anthropic.input-form']);
    expect(() => JSON.stringify(folded)).not.toThrow();
  });
});
