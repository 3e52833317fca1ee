import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findCycles } from './find-cycles.ts';

const names = ['a', 'b', 'c', 'd', 'e'];
const graphs = fc
  .array(fc.subarray(names), { minLength: names.length, maxLength: names.length })
  .map((lists) => new Map(names.map((name, index) => [name, lists[index] ?? []])));

test('each cycle found is a path along the graph back to its start', () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      for (const cycle of findCycles(graph)) {
        expect(cycle.at(0)).toBe(cycle.at(-1));
        for (const [index, name] of cycle.slice(1).entries())
          expect(graph.get(cycle[index] as string)).toContain(name);
      }
    }),
  );
});

test('none is found exactly when the nodes can be put in order', () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const left = new Map(graph);
      for (let free = true; free; ) {
        const next = [...left].find(([, needs]) => needs.every((need) => !left.has(need)));
        free = next !== undefined;
        if (next) left.delete(next[0]);
      }
      expect(findCycles(graph).length === 0).toBe(left.size === 0);
    }),
  );
});
