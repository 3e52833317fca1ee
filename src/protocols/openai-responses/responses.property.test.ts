import fc from 'fast-check';
import { expect, test } from 'vitest';
import { askedForAll } from '../../../test/harness/asked-for-all.ts';
import { drawTurn } from '../../../test/harness/generate-turn.ts';
import { sameTurn } from '../../../test/harness/same-turn.ts';
import { createRandom, type Random } from '../../kernel/random.ts';
import { createAnswerFold } from '../shapes/answer-fold.ts';
import type { Shape, WireAnswer } from '../shapes/shape.ts';
import { shapes } from '../shapes/shape-table.ts';
import { answerOfBody, answerOfEvents } from '../shapes/wire-answer.ts';
import type { FoldedTurn, Turn } from '../turn/turn.ts';
import { responsesDialect as dialect } from './responses-dialect.ts';

const numRuns = Number(process.env.SHAKEDOWN_PROPERTY_RUNS ?? 250);
const name = 'openai-responses' as const;

const seeds = fc.integer({ min: 0, max: 0xffffffff });

interface Drawn {
  readonly random: Random;
  readonly turn: Turn;
  readonly about: Parameters<typeof dialect.printBody>[1];
}

function draw(seed: number): Drawn {
  const random = createRandom(`responses/${seed}`);
  const turn = drawTurn(random.fork('turn'), { dialect: name });
  const pieceChars = random.integer(1, 12);
  return { random, turn, about: { id: 'resp_1', model: 'm', createdAt: 1, wantsUsage: true, pieceChars } };
}

/** The bytes of the answer, cut at places that have nothing to do with its pieces. */
function foldCut({ status, headers, pieces, end }: WireAnswer, random: Random): FoldedTurn {
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

/** What the provider did itself is next to the turn. */
function withoutOthers(folded: FoldedTurn): FoldedTurn {
  return { ...folded, parts: folded.parts.filter(({ kind }) => kind !== 'other') };
}

function difference(shape: Shape | undefined, turn: Turn, folded: FoldedTurn): string | undefined {
  const isSame = sameTurn(
    name,
    turn,
    withoutOthers(folded),
    shape?.changes?.includes('stop') ? { stop: false } : {},
  );
  const faults = folded.faults.map(({ rule }) => rule).join(', ');
  return isSame ?? (folded.complete && faults === '' ? undefined : `it is not complete: ${faults}`);
}

test('what is printed is folded to the same turn, cut anywhere', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const { random, turn, about } = draw(seed);
      const streamed = random.next() < 0.7;
      const answer = streamed
        ? answerOfEvents(dialect.printEvents(turn, about))
        : answerOfBody(dialect.printBody(turn, about));
      const folded = foldCut(answer, random);
      expect(difference(undefined, turn, folded)).toBeUndefined();
      expect(folded.oddities).toEqual([]);
    }),
    { numRuns },
  );
});

const responsesShapes = shapes.filter(({ id }) => id.startsWith('R'));
const legal = responsesShapes.filter(({ tier, policy }) => tier === '2' || policy === 'accept');
const illegal = responsesShapes.filter(({ tier, policy }) => tier === '1' || policy === 'reject');

test('every legal shape carries the same turn, cut anywhere', () => {
  fc.assert(
    fc.property(seeds, fc.constantFrom(...legal), fc.boolean(), (seed, shape, streamed) => {
      const { random, turn, about } = draw(seed);
      const answer = shape.make?.({
        dialect: name,
        asked: askedForAll,
        turn,
        about,
        streamed,
        random: random.fork('shape'),
      });
      if (answer === undefined) return;
      const folded = foldCut(answer, random);
      expect(difference(shape, turn, folded)).toBeUndefined();
      if (shape.tier === '2') expect(folded.oddities).toEqual([]);
    }),
    { numRuns },
  );
});

test('no illegal shape is read as a whole turn', () => {
  fc.assert(
    fc.property(seeds, fc.constantFrom(...illegal), fc.boolean(), (seed, shape, streamed) => {
      const { random, turn, about } = draw(seed);
      const answer = shape.make?.({
        dialect: name,
        asked: askedForAll,
        turn,
        about,
        streamed,
        random: random.fork('shape'),
      });
      if (answer === undefined) return;
      const folded = foldCut(answer, random);
      expect(folded.complete).toBe(false);
      expect(folded.error !== undefined || folded.faults.length > 0).toBe(true);
    }),
    { numRuns },
  );
});

test('a stream that was cut short anywhere is not whole, and runs no call that was not', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const { random, turn, about } = draw(seed);
      const { pieces, ...rest } = answerOfEvents(dialect.printEvents(turn, about));
      const bytes = Buffer.concat(pieces.map((piece) => piece.bytes));
      const last = pieces.at(-1)?.bytes.length ?? 0;
      const cut = bytes.subarray(0, random.integer(0, bytes.length - Math.max(last - 10, 10)));
      const folded = foldCut({ ...rest, pieces: [{ bytes: cut }], end: 'fin' }, random);
      expect(folded.complete).toBe(false);
      expect(folded.faults.length).toBeGreaterThan(0);
      const meant = turn.parts.filter(({ kind }) => kind === 'call');
      for (const part of folded.parts) {
        if (part.kind === 'call' && part.arguments !== undefined) expect(meant).toContainEqual(part);
      }
    }),
    { numRuns },
  );
});

/** Values near those of the wire, in places where they do not belong. */
const junk = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(
      null,
      true,
      -1,
      0,
      1,
      1e9,
      '',
      'message',
      'function_call',
      'reasoning',
      '{}',
      '__proto__',
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(
        'type',
        'item',
        'part',
        'output',
        'content',
        'summary',
        'id',
        'call_id',
        'text',
        'error',
        'usage',
        '__proto__',
      ),
      tie('value'),
      { maxKeys: 4 },
    ),
  ),
})).value;

const types = [
  'response.created',
  'response.completed',
  'response.incomplete',
  'response.failed',
  'error',
  'response.output_item.added',
  'response.output_item.done',
  'response.content_part.added',
  'response.output_text.delta',
  'response.output_text.done',
  'response.refusal.delta',
  'response.function_call_arguments.delta',
  'response.function_call_arguments.done',
  'response.reasoning_summary_part.added',
  'response.reasoning_summary_text.delta',
  'response.reasoning_text.delta',
  'keepalive',
  'x',
];

const junkEvent = fc.oneof(
  fc.string().map((data) => ({ data })),
  junk.map((value) => ({ data: JSON.stringify(value) ?? '' })),
  fc
    .record({ type: fc.constantFrom(...types) }, { requiredKeys: ['type'] })
    .chain((event) =>
      fc
        .dictionary(
          fc.constantFrom(
            'item',
            'part',
            'response',
            'delta',
            'text',
            'output_index',
            'content_index',
            'item_id',
            'sequence_number',
            'error',
          ),
          junk,
          { maxKeys: 6 },
        )
        .map((more) => ({ event: event.type, data: JSON.stringify({ ...event, ...more }) })),
    ),
);

test('junk neither throws nor counts as whole with a fault', () => {
  fc.assert(
    fc.property(
      fc.array(junkEvent, { maxLength: 12 }),
      junk,
      fc.integer({ min: 200, max: 599 }),
      (events, body, status) => {
        const fold = dialect.createFold();
        for (const event of events) {
          fold.push(event);
          expect(fold.soFar().dialect).toBe(name);
        }
        const folded = fold.end('end');
        if (folded.complete) expect(folded.faults).toEqual([]);
        expect(dialect.foldBody(body, status).faults).toBeInstanceOf(Array);
        expect(dialect.readRequest(body, {}).messages).toBeInstanceOf(Array);
      },
    ),
    { numRuns },
  );
});
