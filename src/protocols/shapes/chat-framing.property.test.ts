import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CaseSize,
  cutAnswer,
  type DrawnCase,
  decode,
  drawCase,
  foldTwice,
  sizeOf,
} from '../../../test/harness/drawn-answer.ts';
import { type SameTurnOptions, sameTurn } from '../../../test/harness/same-turn.ts';
import { dialects } from '../dialects/dialect-table.ts';
import { openAiChatDialect } from '../openai-chat/chat-dialect.ts';
import { flatTurn } from '../turn/flat-turn.ts';
import { type DialectName, dialectNames, type FoldedTurn } from '../turn/turn.ts';
import type { Shape, WireAnswer } from './shape.ts';
import { shapes } from './shape-table.ts';
import { foldAnswer } from './wire-answer.ts';

const numRuns = Number(process.env.SHAKEDOWN_PROPERTY_RUNS ?? 300);
const seeds = fc.integer({ min: 0, max: 0x7fffffff });

function sameOptions(shape: Shape, { about, streamed }: DrawnCase, answer: WireAnswer): SameTurnOptions {
  const printsUsage = about.wantsUsage || !streamed || ['S18', 'C01', 'C35'].includes(shape.id);
  const hidesUsage = !printsUsage || (answer.headers['content-type']?.startsWith('text/html') ?? false);
  return {
    ...(shape.changes?.includes('ids') ? { ids: false } : {}),
    ...(shape.changes?.includes('stop') ? { stop: false } : {}),
    ...(hidesUsage ? { usage: false } : {}),
  };
}

/** The standard allows them, so that there is nothing odd to name; a provider's own client stumbles over them. */
const unreadByOwnClients = ['S10', 'S14', 'C04', 'C09', 'C10'];

/** Undefined where the answer is what the row of the corpus demands. */
function judge(shape: Shape, drawn: DrawnCase, answer: WireAnswer, folded: FoldedTurn): string | undefined {
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
  // A reason such as `network_error` is kept and reported as a failure.
  const saysFailure = shape.id === 'C20' && error !== undefined;
  if (rules !== '' || (!complete && !saysFailure))
    return `it is not complete: ${rules} ${error?.message ?? ''}`;
  const refused = shape.changes?.includes('ids') ? undefined : nextTurnFault(drawn.dialect, folded);
  if (refused !== undefined) return refused;
  const named = oddities.map((oddity) => oddity.shape);
  const name = shape.id === 'C32' ? 'C30' : shape.id;
  if (shape.policy === 'accept' && !unreadByOwnClients.includes(shape.id))
    return named.includes(name) ? undefined : `no oddity names it: ${named}`;
  const isStrange = named.some((name) => !legalNotes.includes(name));
  return isStrange ? `a legal answer has oddities: ${named}` : undefined;
}

/** What a strict provider says to the next request, in which the turn and the results of its calls are sent back. */
function nextTurnFault(dialect: DialectName, { parts }: FoldedTurn): string | undefined {
  if (dialect !== 'openai-chat') return undefined;
  const { text, reasoning, calls } = flatTurn({ ...empty, parts });
  const made = calls.map(({ id, name, arguments: value }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(value) },
  }));
  const assistant = {
    role: 'assistant',
    content: text,
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(made.length === 0 ? {} : { tool_calls: made }),
  };
  const results = calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'ok' }));
  const messages = [{ role: 'user', content: 'x' }, assistant, ...results];
  const { faults, historyFaults } = openAiChatDialect.readRequest({ model: 'm', messages }, {});
  return [...faults, ...historyFaults][0]?.what;
}

const empty = openAiChatDialect.foldBody({}, 200);

/** Reasoning is outside of the specification of chat completions, and further choices are noted. */
const legalNotes: readonly (string | undefined)[] = ['C30', 'C38'];

function make(shape: Shape, drawn: DrawnCase): WireAnswer | undefined {
  return shape.make?.(drawn);
}

const mostMade = 60;

/** The first seeds with which the shape can be made, so that every shape is really tested. */
function firstCases(
  shape: Shape,
  dialect: DialectName,
  count: number,
  size: CaseSize = {},
): [DrawnCase, WireAnswer][] {
  const found: [DrawnCase, WireAnswer][] = [];
  for (let seed = 0; seed < mostMade * count && found.length < count; seed += 1) {
    const drawn = drawCase(dialect, seed, size);
    const answer = make(shape, drawn);
    if (answer !== undefined) found.push([drawn, answer]);
  }
  return found;
}

const small = { mostCalls: 2, mostPieces: 2, pieceChars: 30 };

const framingShapes = shapes.filter(({ id }) => id.startsWith('S'));
const chatRows = shapes.filter(({ id }) => /^[SC]/.test(id));
const light = (shape: Shape): boolean => shape.id !== 'S28';

describe.each(chatRows.filter(light).map((shape) => [shape.id, shape] as const))('chat in %s', (_, shape) => {
  test(`${shape.tier}: ${shape.title}`, () => {
    const cases = firstCases(shape, 'openai-chat', 12);
    expect(cases).toHaveLength(12);
    for (const [drawn, answer] of cases) {
      expect(judge(shape, drawn, answer, foldTwice(drawn, answer))).toBeUndefined();
    }
  });

  test('cut at every byte', () => {
    const [[drawn, answer] = []] = firstCases(shape, 'openai-chat', 1, small);
    if (drawn === undefined || answer === undefined) throw new Error('the shape could not be made');
    const { dialect, streamed } = drawn;
    const options = { streamAsked: streamed, decode };
    const whole = foldAnswer(dialects[dialect], answer, options);
    const size = Math.min(sizeOf(answer), 1_200);
    for (let at = 0; at <= size; at += 1) {
      const folded = foldAnswer(dialects[dialect], cutAnswer(answer, [at]), options);
      if (!Object.is(JSON.stringify(folded), JSON.stringify(whole)))
        expect(folded, `cut at ${at}`).toEqual(whole);
    }
    const single = cutAnswer(
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
      fc.pre(answer !== undefined);
      counts.set(shape.id, (counts.get(shape.id) ?? 0) + 1);
      expect(judge(shape, drawn, answer, foldTwice(drawn, answer)), shape.id).toBeUndefined();
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
      expect(judge(shape, drawn, answer, foldTwice(drawn, answer))).toBeUndefined();
    }
  });
});
