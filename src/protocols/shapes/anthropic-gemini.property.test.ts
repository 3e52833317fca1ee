import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { askedForAll } from '../../../test/harness/asked-for-all.ts';
import { drawText, drawTurn } from '../../../test/harness/generate-turn.ts';
import { sameTurn } from '../../../test/harness/same-turn.ts';
import { createRandom, type Random } from '../../kernel/random.ts';
import { anthropicDialect } from '../anthropic/anthropic-dialect.ts';
import { geminiDialect } from '../gemini/gemini-dialect.ts';
import type { Dialect, PrintAbout } from '../turn/dialect.ts';
import type { FoldedPart, FoldedTurn, Turn, TurnPart } from '../turn/turn.ts';
import { createAnswerFold } from './answer-fold.ts';
import type { Shape, WireAnswer } from './shape.ts';
import { shapes as corpusShapes } from './shape-table.ts';
import { answerOfBody, answerOfEvents } from './wire-answer.ts';

const numRuns = Number(process.env.SHAKEDOWN_PROPERTY_RUNS ?? 300);

const seeds = fc.integer({ min: 0, max: 0xffffffff });

interface Drawn {
  readonly random: Random;
  readonly turn: Turn;
  readonly about: PrintAbout;
}

function draw(dialect: Dialect, seed: number): Drawn {
  const random = createRandom(`${dialect.name}/${seed}`);
  const plain = drawTurn(random.fork('turn'), { dialect: dialect.name });
  const turn = random.next() < 0.5 ? plain : mixed(dialect, plain, random.fork('mixed'));
  const pieceChars = random.integer(1, 12);
  return { random, turn, about: { id: 'id-1', model: 'm', createdAt: 1, wantsUsage: true, pieceChars } };
}

/** Parts in any order, several thoughts, thoughts that are not shown, parts of other kinds. */
function mixed({ name }: Dialect, turn: Turn, random: Random): Turn {
  const extras: TurnPart[] = [
    { kind: 'reasoning', text: '', signature: random.hex(9) },
    { kind: 'reasoning', text: drawText(random, 3), signature: random.hex(9) },
    { kind: 'text', text: drawText(random, 3) },
    name === 'anthropic'
      ? {
          kind: 'other',
          type: 'container_upload',
          value: { type: 'container_upload', file_id: random.hex(4) },
        }
      : { kind: 'other', type: 'inlineData', value: { mimeType: 'image/png', data: random.hex(4) } },
  ];
  const parts = random.shuffle([...turn.parts, ...extras.filter(() => random.next() < 0.4)]);
  return turn.stop === 'refusal' && random.next() < 0.5
    ? { ...turn, parts: [...parts, { kind: 'refusal', text: `No. ${drawText(random, 3)}` }] }
    : { ...turn, parts };
}

function plainAnswer(dialect: Dialect, { turn, about }: Drawn, streamed: boolean): WireAnswer {
  return streamed
    ? answerOfEvents(dialect.printEvents(turn, about))
    : answerOfBody(dialect.printBody(turn, about));
}

/** The bytes of the answer, cut at places that have nothing to do with its pieces; often at every byte. */
function foldCut(dialect: Dialect, answer: WireAnswer, random: Random): FoldedTurn {
  const { status, headers, pieces, end } = answer;
  const fold = createAnswerFold({ dialect, status, headers });
  const bytes = Buffer.concat(pieces.map((piece) => piece.bytes));
  const most = random.pick([1, 7, 64, 4_096]);
  for (let from = 0; from < bytes.length; ) {
    const size = random.integer(1, most);
    fold.push(bytes.subarray(from, from + size));
    from += size;
  }
  return fold.end(end === 'whole' ? 'end' : 'cut');
}

function difference(dialect: Dialect, turn: Turn, folded: FoldedTurn, shape?: Shape): string | undefined {
  const changes = shape?.changes ?? [];
  const options = {
    ...(changes.includes('ids') ? { ids: false as const } : {}),
    ...(changes.includes('stop') ? { stop: false as const } : {}),
  };
  const isSame = changes.includes('parts')
    ? sameTurn(
        dialect.name,
        { ...turn, parts: flat(turn.parts) },
        { ...folded, parts: flat(folded.parts) },
        options,
      )
    : sameTurn(dialect.name, turn, folded, options);
  const faults = folded.faults.map(({ rule }) => rule).join(', ');
  return isSame ?? (folded.complete && faults === '' ? undefined : `it is not complete: ${faults}`);
}

/** The texts joined, and the calls. */
function flat<Part extends FoldedPart>(parts: readonly Part[]): Part[] {
  const joined = (kinds: readonly string[]): string =>
    parts.map((part) => ('text' in part && kinds.includes(part.kind) ? part.text : '')).join('');
  return [
    { kind: 'reasoning', text: joined(['reasoning']) } as Part,
    { kind: 'text', text: joined(['text', 'refusal']) } as Part,
    ...parts.filter(({ kind }) => kind === 'call'),
  ];
}

function dataOf(events: readonly { readonly data: string }[]): readonly string[] {
  return events.map(({ data }) => data);
}

describe.each([
  { dialect: anthropicDialect, shapes: corpusShapes.filter(({ id }) => id.startsWith('A')) },
  { dialect: geminiDialect, shapes: corpusShapes.filter(({ id }) => id.startsWith('G')) },
])('$dialect.name', ({ dialect, shapes }) => {
  const legal = shapes.filter(({ tier, policy }) => tier === '2' || policy === 'accept');
  const illegal = shapes.filter(({ tier, policy }) => tier === '1' || policy === 'reject');

  test('every row of the corpus is here, and can be made', () => {
    const letter = shapes[0]?.id[0];
    const ids = shapes.map((_, at) => `${letter}${String(at + 1).padStart(2, '0')}`);
    expect(shapes.map(({ id }) => id)).toEqual(ids);
    const drawn = Array.from({ length: 40 }, (_, seed) => draw(dialect, seed));
    for (const { id, tier, policy, seen, make } of shapes) {
      expect(tier === '2c', id).toBe(policy !== undefined);
      for (const thread of seen) expect(thread).toMatch(/^[\w.-]+\/[\w.-]+#\d+$/);
      const inputs = drawn.map((one) => ({
        ...one,
        dialect: dialect.name,
        asked: askedForAll,
        streamed: true,
      }));
      expect(
        inputs.some((input) => make?.(input) !== undefined),
        id,
      ).toBe(true);
    }
  });

  test('what is printed is folded to the same turn, cut anywhere', () => {
    fc.assert(
      fc.property(seeds, fc.boolean(), (seed, streamed) => {
        const drawn = draw(dialect, seed);
        const folded = foldCut(dialect, plainAnswer(dialect, drawn, streamed), drawn.random);
        expect(difference(dialect, drawn.turn, folded)).toBeUndefined();
        expect(folded.oddities).toEqual([]);
        expect(folded.streamed).toBe(streamed);
      }),
      { numRuns },
    );
  });

  test('every legal shape carries the same turn, cut anywhere', () => {
    fc.assert(
      fc.property(seeds, fc.constantFrom(...legal), fc.boolean(), (seed, shape, streamed) => {
        const { random, turn, about } = draw(dialect, seed);
        const answer = shape.make?.({
          dialect: dialect.name,
          asked: askedForAll,
          turn,
          about,
          streamed,
          random: random.fork('shape'),
        });
        if (answer === undefined) return;
        const folded = foldCut(dialect, answer, random);
        expect(difference(dialect, turn, folded, shape)).toBeUndefined();
        const odd = folded.oddities.map((oddity) => oddity.shape);
        expect(odd).toEqual(shape.tier === '2' ? [] : [shape.id]);
      }),
      { numRuns },
    );
  });

  test('neither a cut at every byte changes anything, nor one at any byte', () => {
    for (const shape of legal) {
      const { about, random, turn } = shapeable(shape);
      const answer = shape.make?.({
        dialect: dialect.name,
        asked: askedForAll,
        turn,
        about,
        random,
        streamed: true,
      });
      const bytes = Buffer.concat(answer?.pieces.map((piece) => piece.bytes) ?? []);
      const foldCutAt = (...places: readonly number[]): string => {
        const fold = createAnswerFold({ dialect, status: 200, headers: answer?.headers ?? {} });
        for (const [at, from] of [0, ...places].entries()) fold.push(bytes.subarray(from, places[at]));
        return JSON.stringify(fold.end('end'));
      };
      const whole = foldCutAt();
      const everywhere = Array.from(bytes.keys()).slice(1);
      expect(foldCutAt(...everywhere), shape.id).toBe(whole);
      for (const at of random.shuffle(everywhere).slice(0, 100)) expect(foldCutAt(at), shape.id).toBe(whole);
    }
  });

  /** The shortest of some turns that the shape is about. */
  function shapeable(shape: Shape): Drawn {
    const able = Array.from({ length: 40 }, (_, seed) => draw(dialect, seed)).filter(
      (one) =>
        shape.make?.({ ...one, dialect: dialect.name, asked: askedForAll, streamed: true }) !== undefined,
    );
    const sizes = able.map(({ turn }) => JSON.stringify(turn).length);
    return able[sizes.indexOf(Math.min(...sizes))] as Drawn;
  }

  test('no illegal shape is read as a whole turn', () => {
    fc.assert(
      fc.property(seeds, fc.constantFrom(...illegal), fc.boolean(), (seed, shape, streamed) => {
        const { random, turn, about } = draw(dialect, seed);
        const answer = shape.make?.({
          dialect: dialect.name,
          asked: askedForAll,
          turn,
          about,
          streamed,
          random: random.fork('shape'),
        });
        if (answer === undefined) return;
        const folded = foldCut(dialect, answer, random);
        expect(folded.complete).toBe(false);
        const named = folded.faults.map((fault) => fault.shape);
        if (folded.error === undefined) expect(named).toContain(shape.id);
        else expect(named).toEqual([]);
      }),
      { numRuns },
    );
  });

  test('a stream that was cut short anywhere is not whole, and has no call that was not meant', () => {
    fc.assert(
      fc.property(seeds, fc.constantFrom('fin', 'whole'), (seed, end) => {
        const drawn = draw(dialect, seed);
        const { pieces, ...rest } = plainAnswer(dialect, drawn, true);
        const bytes = Buffer.concat(pieces.map((piece) => piece.bytes));
        const cut = bytes.subarray(0, drawn.random.integer(0, bytes.length - '}\n\n'.length));
        const folded = foldCut(dialect, { ...rest, pieces: [{ bytes: cut }], end }, drawn.random);
        expect(folded.complete).toBe(false);
        expect(folded.faults).not.toEqual([]);
        for (const part of folded.parts)
          if (part.kind === 'call' && part.arguments !== undefined)
            expect(drawn.turn.parts).toContainEqual(part);
      }),
      { numRuns },
    );
  });

  test('what has come so far is the beginning of what comes in the end', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { turn, about } = draw(dialect, seed);
        const fold = dialect.createFold();
        const texts = dialect.printEvents(turn, about).map((event) => {
          fold.push(event);
          return flat(fold.soFar().parts)[1] as { readonly text: string };
        });
        const whole = fold.end('end');
        expect(fold.soFar()).toEqual(whole);
        for (const { text } of texts)
          expect((flat(whole.parts)[1] as { readonly text: string }).text).toContain(text);
      }),
      { numRuns },
    );
  });

  const junk = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(null, '', 0, -1, [], {}, 'text', 'tool_use'),
  );

  test('junk where something belongs never throws', () => {
    fc.assert(
      fc.property(seeds, fc.array(junk, { minLength: 1, maxLength: 4 }), (seed, values) => {
        const { random, turn, about } = draw(dialect, seed);
        const events = dataOf(dialect.printEvents(turn, about)).map((data) => JSON.parse(data) as unknown);
        const spoilt = random.shuffle([...events, ...values]).map((event) => spoil(event, random, values));
        const fold = dialect.createFold();
        for (const event of random.next() < 0.5 ? spoilt : events.map((one) => spoil(one, random, values)))
          fold.push({ data: JSON.stringify(event) ?? '' });
        expect(() => JSON.stringify([fold.soFar(), fold.end(random.pick(['end', 'cut']))])).not.toThrow();
        const body = spoil(dialect.printBody(turn, about), random, values);
        expect(() => JSON.stringify(dialect.foldBody(body, random.pick([200, 400, 529])))).not.toThrow();
        expect(() => dialect.readRequest(values[0], {})).not.toThrow();
      }),
      { numRuns },
    );
  });

  test('bytes of any kind never throw', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constantFrom('data: ', '\n\n', '{', '}', 'event: error'))),
        (texts) => {
          const fold = createAnswerFold({
            dialect,
            status: 200,
            headers: { 'content-type': 'text/event-stream' },
          });
          for (const text of texts) fold.push(Buffer.from(text));
          expect(fold.end('end').complete).toBe(false);
        },
      ),
      { numRuns },
    );
  });
});

/** One value somewhere inside is another one. */
function spoil(value: unknown, random: Random, values: readonly unknown[]): unknown {
  if (typeof value !== 'object' || value === null || random.next() < 0.15) return random.pick(values);
  const keys = Object.keys(value);
  if (keys.length === 0) return random.pick(values);
  const key = random.pick(keys);
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[key] = spoil(copy[key], random, values);
  return copy;
}
