import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { askedForAll } from '../../../test/harness/asked-for-all.ts';
import { createRandom } from '../../kernel/random.ts';
import { dialects } from '../dialects/dialect-table.ts';
import { openAiChatDialect } from '../openai-chat/chat-dialect.ts';
import { foldLimits } from '../turn/fold-limits.ts';
import { dialectNames, type FoldedTurn } from '../turn/turn.ts';
import { createAnswerFold } from './answer-fold.ts';
import type { AnswerFold } from './answer-forms.ts';
import { shapeOf } from './shape-table.ts';
import { foldAnswer } from './wire-answer.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const mebibyte = 1024 * 1024;

/** What is kept after garbage is gone, in bytes; strings and buffers. */
function kept(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function open(type: string): AnswerFold {
  return createAnswerFold({ dialect: openAiChatDialect, status: 200, headers: { 'content-type': type } });
}

const rules = ({ faults }: FoldedTurn): string[] => faults.map(({ rule }) => rule);

describe('a hundred megabytes', () => {
  test.each(['text/event-stream', 'application/json'])('without a line end, as %s', (type) => {
    const before = kept();
    const fold = open(type);
    fold.push(Buffer.from(type === 'application/json' ? '{"x":"' : 'data: {"x":"'));
    const piece = Buffer.alloc(mebibyte, 'a');
    for (let i = 0; i < 100; i += 1) fold.push(piece);
    expect(kept() - before).toBeLessThan(96 * mebibyte);
    const folded = fold.end('end');
    expect(folded.complete).toBe(false);
    expect(JSON.stringify(folded).length).toBeLessThan(2_000);
  });

  test('of text in small events', () => {
    const fold = open('text/event-stream');
    const before = kept();
    const event = JSON.stringify({ choices: [{ index: 0, delta: { content: 'à'.repeat(100_000) } }] });
    const bytes = Buffer.from(`data: ${event}\n\n`);
    for (let i = 0; i < 1_000; i += 1) fold.push(bytes);
    expect(kept() - before).toBeLessThan(64 * mebibyte);
    const folded = fold.end('end');
    expect(rules(folded)).toContain('chat.too-large');
    expect(folded.parts).toMatchObject([{ kind: 'text' }]);
    expect((folded.parts[0] as { readonly text: string }).text).toHaveLength(foldLimits.textChars);
  });
});

describe.each(dialectNames)('the largest shape in %s', (dialect) => {
  test('is reported, and not kept', () => {
    const shape = shapeOf('S28');
    for (const streamed of [true, false]) {
      const answer = shape?.make?.({
        dialect,
        asked: askedForAll,
        turn: { parts: [], stop: 'end' },
        about: { id: 'i', model: 'm', createdAt: 0, wantsUsage: true, pieceChars: 8 },
        streamed,
        random: createRandom('large'),
      });
      if (answer === undefined) throw new Error('the shape could not be made');
      const folded = foldAnswer(dialects[dialect], answer);
      expect(folded.complete).toBe(false);
      expect(folded.faults).not.toEqual([]);
      expect(JSON.stringify(folded).length).toBeLessThan(4_000);
    }
  });
});

describe('counts', () => {
  const stream = (events: Iterable<unknown>): FoldedTurn => {
    const fold = openAiChatDialect.createFold();
    for (const event of events) fold.push({ data: JSON.stringify(event) });
    return fold.end('end');
  };
  const chunk = (delta: unknown, index: unknown = 0): unknown => ({ choices: [{ index, delta }] });
  const many = (count: number, make: (at: number) => unknown): unknown[] =>
    Array.from({ length: count }, (_, at) => make(at));

  test('calls', () => {
    const folded = stream(
      many(5_000, (index) => chunk({ tool_calls: [{ index, id: `c${index}`, function: { name: 'f' } }] })),
    );
    expect(rules(folded)).toContain('chat.too-many-calls');
    expect(folded.parts).toHaveLength(foldLimits.calls);
  });

  test('arguments', () => {
    const text = 'x'.repeat(mebibyte);
    const folded = stream(
      many(20, (at) => chunk({ tool_calls: [{ index: at % 3, function: { name: 'f', arguments: text } }] })),
    );
    expect(rules(folded)).toContain('chat.too-large');
    const sizes = folded.parts.map((part) => (part.kind === 'call' ? (part.argumentsText ?? '').length : 0));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(foldLimits.argumentsChars);
  });

  test('choices, faults and oddities', () => {
    const folded = stream(many(5_000, (at) => chunk({ content: at % 2 === 0 ? 5 : [at] }, at)));
    expect(rules(folded)).toContain('chat.too-many-choices');
    expect(folded.faults.length + folded.oddities.length).toBeLessThanOrEqual(2 * foldLimits.faults);
  });

  test('levels', () => {
    const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const fold = openAiChatDialect.createFold();
    fold.push({
      data: `{"choices":[{"delta":{"content":[{"type":"x","y":${nested}}],"tool_calls":[{"index":0,"function":{"name":"f","arguments":{"a":${nested}}}}]}}]}`,
    });
    expect(rules(fold.end('end'))).toContain('chat.too-deep');
    expect(openAiChatDialect.readRequest(JSON.parse(`{"messages":${nested}}`), {}).faults).not.toEqual([]);
  });
});
