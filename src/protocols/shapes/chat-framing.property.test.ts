import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom, type Random } from '../../kernel/random.ts';
import { openAiChatDialect } from '../openai-chat/chat-dialect.ts';
import type { PrintAbout } from '../turn/dialect.ts';
import { dialects } from '../turn/dialect-table.ts';
import { flatTurn } from '../turn/flat-turn.ts';
import { drawTurn } from '../turn/generate-turn.ts';
import { type SameTurnOptions, sameTurn } from '../turn/same-turn.ts';
import { type DialectName, dialectNames, type FoldedTurn, type Turn } from '../turn/turn.ts';
import { createAnswerFold } from './answer-fold.ts';
import { chatShapes } from './chat-shapes.ts';
import { framingShapes } from './framing-shapes.ts';
import type { Shape, WireAnswer } from './shape.ts';
import { answerOfBody, answerOfEvents, foldAnswer } from './wire-answer.ts';

const numRuns = Number(process.env.SHAKEDOWN_PROPERTY_RUNS ?? 300);
const seeds = fc.integer({ min: 0, max: 0x7fffffff });

interface Case {
  readonly dialect: DialectName;
  readonly turn: Turn;
  readonly about: PrintAbout;
  readonly streamed: boolean;
  readonly random: Random;
}

interface CaseSize {
  readonly mostCalls?: number;
  readonly mostPieces?: number;
  readonly pieceChars?: number;
}

function drawCase(dialect: DialectName, seed: number, size: CaseSize = {}): Case {
  const random = createRandom(`${dialect}/${seed}`);
  return {
    dialect,
    turn: drawTurn(random.fork('turn'), { dialect, ...size }),
    about: {
      id: 'chatcmpl-1',
      model: 'some-model',
      createdAt: 1_700_000_000,
      wantsUsage: random.next() < 0.7,
      pieceChars: size.pieceChars ?? random.integer(1, 12),
    },
    streamed: random.next() < 0.85,
    random: random.fork('shape'),
  };
}

const decode = (encoding: string, bytes: Uint8Array): Uint8Array =>
  encoding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes);

/** The same bytes in other pieces. */
function cut(answer: WireAnswer, places: readonly number[]): WireAnswer {
  const bytes = Buffer.concat(answer.pieces.map((piece) => piece.bytes));
  const bounds = [0, ...places.toSorted((a, b) => a - b), bytes.length];
  const pieces = bounds.slice(1).map((end, at) => ({ bytes: bytes.subarray(bounds[at], end) }));
  return { ...answer, pieces };
}

function sizeOf(answer: WireAnswer): number {
  return answer.pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** Folds in the pieces of the answer and in drawn ones, which must come to the same. */
function fold({ dialect, streamed, random }: Case, answer: WireAnswer): FoldedTurn {
  const folded = foldAnswer(dialects[dialect], answer, { streamAsked: streamed, decode });
  const size = sizeOf(answer);
  const places = Array.from({ length: random.integer(1, 8) }, () => random.integer(0, size));
  const other = foldAnswer(dialects[dialect], cut(answer, places), { streamAsked: streamed, decode });
  expect(other).toEqual(folded);
  return folded;
}

function sameOptions(shape: Shape, { about, streamed }: Case, answer: WireAnswer): SameTurnOptions {
  const printsUsage = about.wantsUsage || !streamed || ['S18', 'C01', 'C35'].includes(shape.id);
  const hidesUsage = !printsUsage || (answer.headers['content-type']?.startsWith('text/html') ?? false);
  return {
    ...(shape.changes?.includes('ids') ? { ids: false } : {}),
    ...(shape.changes?.includes('stop') ? { stop: false } : {}),
    ...(hidesUsage ? { usage: false } : {}),
  };
}

/** Undefined where the answer is what the row of the corpus demands. */
function judge(shape: Shape, drawn: Case, answer: WireAnswer, folded: FoldedTurn): string | undefined {
  const { faults, oddities, complete, error } = folded;
  const rules = faults.map(({ rule }) => rule).join(', ');
  if (shape.tier === '1' || shape.policy === 'reject') {
    if (complete) return 'an illegal answer is complete';
    return faults.length === 0 && error === undefined
      ? 'an illegal answer has neither fault nor error'
      : undefined;
  }
  const difference = sameTurn(drawn.dialect, drawn.turn, folded, sameOptions(shape, drawn, answer));
  if (difference !== undefined) return difference;
  // A word such as `network_error` is kept and told as a failure.
  const saysFailure = shape.id === 'C20' && error !== undefined;
  if (rules !== '' || (!complete && !saysFailure))
    return `it is not complete: ${rules} ${error?.message ?? ''}`;
  const named = oddities.map((oddity) => oddity.shape);
  const name = shape.id === 'C32' ? 'C30' : shape.id;
  if (shape.policy === 'accept') return named.includes(name) ? undefined : `no oddity names it: ${named}`;
  const isStrange = named.some((name) => !legalNotes.includes(name));
  return isStrange ? `a legal answer has oddities: ${named}` : undefined;
}

/** Reasoning is outside of the specification of chat completions, and further choices are noted. */
const legalNotes: readonly (string | undefined)[] = ['C30', 'C38'];

function make(shape: Shape, drawn: Case): WireAnswer | undefined {
  return shape.make?.(drawn);
}

const mostMade = 60;

/** The first seeds with which the shape can be made, so that no shape is held in vain. */
function firstCases(
  shape: Shape,
  dialect: DialectName,
  count: number,
  size: CaseSize = {},
): [Case, WireAnswer][] {
  const found: [Case, WireAnswer][] = [];
  for (let seed = 0; seed < mostMade * count && found.length < count; seed += 1) {
    const drawn = drawCase(dialect, seed, size);
    const answer = make(shape, drawn);
    if (answer !== undefined) found.push([drawn, answer]);
  }
  return found;
}

const small = { mostCalls: 2, mostPieces: 2, pieceChars: 30 };

const chatRows = [...framingShapes, ...chatShapes];
const light = (shape: Shape): boolean => shape.id !== 'S28';

describe.each(chatRows.filter(light).map((shape) => [shape.id, shape] as const))('chat in %s', (_, shape) => {
  test(`${shape.tier}: ${shape.title}`, () => {
    const cases = firstCases(shape, 'openai-chat', 12);
    expect(cases).toHaveLength(12);
    for (const [drawn, answer] of cases) {
      expect(judge(shape, drawn, answer, fold(drawn, answer))).toBeUndefined();
    }
  });

  test('cut at every byte', () => {
    const [[drawn, answer] = []] = firstCases(shape, 'openai-chat', 1, small);
    if (drawn === undefined || answer === undefined) throw new Error('the shape could not be made');
    const { dialect, streamed } = drawn;
    const options = { streamAsked: streamed, decode };
    const whole = foldAnswer(dialects[dialect], answer, options);
    const size = Math.min(sizeOf(answer), 2_000);
    for (let at = 0; at <= size; at += 1) {
      const folded = foldAnswer(dialects[dialect], cut(answer, [at]), options);
      if (!Object.is(JSON.stringify(folded), JSON.stringify(whole)))
        expect(folded, `cut at ${at}`).toEqual(whole);
    }
    const single = cut(
      answer,
      Array.from({ length: sizeOf(answer) }, (__, at) => at),
    );
    expect(foldAnswer(dialects[dialect], single, options)).toEqual(whole);
  });
});

test('drawn turns, shapes and cuts of chat completions', () => {
  const rows = chatRows.filter(light);
  const counts = new Map<string, number>();
  fc.assert(
    fc.property(seeds, fc.constantFrom(...rows), (seed, shape) => {
      const drawn = drawCase('openai-chat', seed);
      const answer = make(shape, drawn);
      if (answer === undefined) return;
      counts.set(shape.id, (counts.get(shape.id) ?? 0) + 1);
      expect(judge(shape, drawn, answer, fold(drawn, answer)), shape.id).toBeUndefined();
    }),
    { numRuns },
  );
  if (numRuns >= 10_000)
    console.log(
      [...counts]
        .map(([id, count]) => `${id} ${count}`)
        .sort()
        .join(', '),
    );
}, 3_600_000);

describe.each(dialectNames.filter((name) => name !== 'openai-chat'))('framing of %s', (dialect) => {
  test.each(framingShapes.filter(light).map((shape) => [shape.id, shape] as const))('%s', (_, shape) => {
    const cases = firstCases(shape, dialect, 6);
    expect(cases).toHaveLength(6);
    for (const [drawn, answer] of cases) {
      expect(judge(shape, drawn, answer, fold(drawn, answer))).toBeUndefined();
    }
  });
});

describe('what was not finished is never whole', () => {
  test('a stream that stops at any byte, by a broken connection or by a clean end', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { turn, about, random } = drawCase('openai-chat', seed, { mostCalls: 2, mostPieces: 4 });
        const answer = answerOfEvents(openAiChatDialect.printEvents(turn, about));
        const size = sizeOf(answer);
        const at = random.integer(0, size);
        const beginning = cut(answer, [at]).pieces[0]?.bytes ?? Buffer.alloc(0);
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
        const folded = fold(drawn, { ...answer, pieces: [{ bytes }] });
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
