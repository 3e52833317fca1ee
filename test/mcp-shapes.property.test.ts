/** Every shape of a tool server's answer: the legal ones carry the same result, the illegal ones are never accepted as an answer. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkRpcInput } from '../bench/shapes/check-rpc-shape.ts';
import { drawRpcInput } from '../bench/shapes/draw-rpc-input.ts';
import { createRandom } from '../src/kernel/random.ts';
import { shapes } from '../src/protocols/shapes/shape-table.ts';

const numRuns = Number(process.env.SHAKEDOWN_PROPERTY_RUNS ?? 1_000);
const mcpShapes = shapes.filter(({ id }) => id.startsWith('M'));
const made = mcpShapes.filter(({ makeRpc }) => makeRpc !== undefined);

test('the generator produces what the row says', () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffffff }), fc.constantFrom(...made), (seed, shape) => {
      // The longest line of M39 takes a while, and is the same each time.
      if (shape.id === 'M39' && (seen.get('M39') ?? 0) > 20) return;
      const verdict = checkRpcInput(shape, drawRpcInput(createRandom(`mcp/${seed}`)));
      if (verdict === undefined) return;
      seen.set(shape.id, (seen.get(shape.id) ?? 0) + 1);
      expect(verdict, shape.id).toBe(true);
    }),
    { numRuns },
  );
});

test('a row without a generator has a reason, and no other row has one', () => {
  for (const { id, makeRpc, why } of mcpShapes) expect(makeRpc === undefined, id).toBe(why !== undefined);
});
