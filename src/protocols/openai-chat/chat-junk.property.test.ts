import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutAnswer, drawCase, foldTwice, sizeOf } from '../../../test/harness/drawn-answer.ts';
import { sameTurn } from '../../../test/harness/same-turn.ts';
import type { Random } from '../../kernel/random.ts';
import { createAnswerFold } from '../shapes/answer-fold.ts';
import { answerOfBody, answerOfEvents, foldAnswer } from '../shapes/wire-answer.ts';
import { flatTurn } from '../turn/flat-turn.ts';
import { openAiChatDialect } from './chat-dialect.ts';

const numRuns = Number(process.env.SHAKEDOWN_PROPERTY_RUNS ?? 300);
const seeds = fc.integer({ min: 0, max: 0x7fffffff });

describe('what was not finished is never whole', () => {
  test('a stream that stops at any byte, by a broken connection or by a clean end', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { turn, about, random } = drawCase('openai-chat', seed, { mostCalls: 2, mostPieces: 4 });
        const answer = answerOfEvents(openAiChatDialect.printEvents(turn, about));
        const size = sizeOf(answer);
        const at = random.integer(0, size);
        const beginning = cutAnswer(answer, [at]).pieces[0]?.bytes ?? Buffer.alloc(0);
        const pieces = [{ bytes: beginning }];
        const broken = foldAnswer(openAiChatDialect, {
          ...answer,
          pieces,
          end: random.pick(['fin', 'reset', 'hang']),
        });
        expect(broken.complete).toBe(at === size);
        const ended = foldAnswer(openAiChatDialect, { ...answer, pieces });
        if (ended.complete) expect(sameTurn('openai-chat', turn, ended, { usage: false })).toBeUndefined();
        else expect(ended.faults).not.toEqual([]);
      }),
      { numRuns },
    );
  });

  test('so far, it is complete with the end mark alone', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { turn, about } = drawCase('openai-chat', seed);
        const stream = openAiChatDialect.createFold();
        const events = openAiChatDialect.printEvents(turn, about);
        for (const event of events) {
          stream.push(event);
          expect(stream.soFar().complete).toBe(event.data === '[DONE]');
          expect(stream.soFar().faults).toEqual([]);
        }
        expect(stream.end('end')).toEqual(stream.soFar());
      }),
      { numRuns },
    );
  });
});

describe('bad bytes neither throw nor pass', () => {
  const types = ['text/event-stream', 'application/json', 'text/html', ''];

  test('junk', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 400 }),
        fc.constantFrom(...types),
        fc.boolean(),
        (bytes, type, isCut) => {
          const fold_ = createAnswerFold({
            dialect: openAiChatDialect,
            status: 200,
            headers: { 'content-type': type },
          });
          fold_.push(bytes);
          const folded = fold_.end(isCut ? 'cut' : 'end');
          expect(folded.complete).toBe(false);
          expect(folded.faults).not.toEqual([]);
        },
      ),
      { numRuns },
    );
  });

  const pieces = fc.array(
    fc.oneof(
      fc.constantFrom(
        'data: ',
        'data:',
        '\n\n',
        '\r\n',
        '{',
        '}',
        '[',
        ']',
        '"',
        ',',
        ':',
        'null',
        '-1',
        '1e999',
      ),
      fc.constantFrom(
        '"choices":',
        '"delta":',
        '"tool_calls":',
        '"index":',
        '"function":',
        '"arguments":',
        '"usage":',
      ),
      fc.constantFrom(
        'data: {"choices":[{"delta":{"tool_calls":[{',
        'data: [DONE]\n\n',
        '"finish_reason":"stop"',
      ),
      fc.json(),
      fc.string({ unit: 'binary' }),
    ),
  );

  test('almost a stream', () => {
    fc.assert(
      fc.property(pieces, (texts) => {
        const answer = answerOfEvents([]);
        const bytes = Buffer.from(texts.join(''));
        expect(() =>
          flatTurn(foldAnswer(openAiChatDialect, { ...answer, pieces: [{ bytes }] })),
        ).not.toThrow();
      }),
      { numRuns },
    );
  });

  test('a stream in which bytes were changed, taken away, doubled or moved', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const drawn = drawCase('openai-chat', seed, { mostPieces: 4 });
        const { random, turn, about } = drawn;
        const answer = random.pick([
          () => answerOfEvents(openAiChatDialect.printEvents(turn, about)),
          () => answerOfBody(openAiChatDialect.printBody(turn, about)),
        ])();
        const bytes = mutate(Buffer.concat(answer.pieces.map((piece) => piece.bytes)), random);
        const folded = foldTwice(drawn, { ...answer, pieces: [{ bytes }] });
        expect(JSON.stringify(flatTurn(folded)).length).toBeLessThan(100_000);
        if (folded.complete) expect(folded.faults).toEqual([]);
      }),
      { numRuns },
    );
  });

  test('values of any kind where something belongs', () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom(null, '', 0, -1, [], {}, 'stop', [null]),
    );
    fc.assert(
      fc.property(seeds, fc.array(value, { minLength: 1, maxLength: 4 }), (seed, values) => {
        const { random, turn, about } = drawCase('openai-chat', seed);
        const stream = openAiChatDialect.createFold();
        for (const { data } of openAiChatDialect.printEvents(turn, about)) {
          const event: unknown = data === '[DONE]' ? data : JSON.parse(data);
          const spoilt = random.next() < 0.3 ? spoil(event, random, values) : event;
          stream.push({ data: typeof spoilt === 'string' ? spoilt : (JSON.stringify(spoilt) ?? '') });
        }
        expect(() => JSON.stringify([stream.soFar(), stream.end('end')])).not.toThrow();
        const body = spoil(openAiChatDialect.printBody(turn, about), random, values);
        expect(() => JSON.stringify(openAiChatDialect.foldBody(body, random.pick([200, 429])))).not.toThrow();
        expect(() => openAiChatDialect.readRequest(values[0], {})).not.toThrow();
      }),
      { numRuns },
    );
  });
});

function mutate(bytes: Buffer, random: Random): Buffer {
  let mutated = bytes;
  for (let left = random.integer(1, 4); left > 0; left -= 1) {
    const [from, to] = [random.integer(0, mutated.length), random.integer(0, mutated.length)].sort(
      (a, b) => a - b,
    );
    const part = mutated.subarray(from, to);
    const inner = random.pick([
      Buffer.alloc(0),
      Buffer.concat([part, part]),
      Buffer.from(part).reverse(),
      Buffer.from([random.integer(0, 255)]),
    ]);
    mutated = Buffer.concat([mutated.subarray(0, from), inner, mutated.subarray(to)]);
  }
  return mutated;
}

/** One value somewhere inside is another one. */
function spoil(value: unknown, random: Random, values: readonly unknown[]): unknown {
  if (typeof value !== 'object' || value === null || random.next() < 0.1) return random.pick(values);
  const keys = Object.keys(value);
  if (keys.length === 0) return random.pick(values);
  const copy = structuredClone(value) as Record<string, unknown>;
  const key = random.pick(keys);
  copy[key] = spoil(copy[key], random, values);
  return copy;
}
