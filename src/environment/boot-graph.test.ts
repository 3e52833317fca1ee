import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemClock } from '../kernel/clock.ts';
import { Problem, type Problems } from '../kernel/problem.ts';
import { bootGraph, type GraphNode } from './boot-graph.ts';
import { stopGraph } from './stop-graph.ts';

/** Graphs without cycles: each node waits for some of those before it. */
const graphs: fc.Arbitrary<GraphNode[]> = fc
  .array(fc.array(fc.nat(20), { maxLength: 3 }), { minLength: 1, maxLength: 12 })
  .map((lists) =>
    lists.map((list, index) => ({
      name: `n${index}`,
      after: [...new Set(list.filter((other) => other < index).map((other) => `n${other}`))],
    })),
  )
  .chain((nodes) => fc.shuffledSubarray(nodes, { minLength: nodes.length }));

function problem(where: string): Problem {
  return new Problem({ code: 'boot.never-ready', where, what: 'w', allowed: 'a', next: 'n' });
}

test('every node starts once, after its dependencies, and stops once, after its dependents', async () => {
  await fc.assert(
    fc.asyncProperty(graphs, async (nodes) => {
      const up: string[] = [];
      await bootGraph(nodes, systemClock, new AbortController(), async (node) => {
        expect(up).toEqual(expect.arrayContaining([...node.after]));
        await Promise.resolve();
        up.push(node.name);
      });
      expect([...up].sort()).toEqual(nodes.map(({ name }) => name).sort());
      const down: string[] = [];
      await stopGraph(nodes, async (node) => {
        const leaning = nodes.filter(({ after }) => after.includes(node.name)).map(({ name }) => name);
        expect(down).toEqual(expect.arrayContaining(leaning));
        await Promise.resolve();
        down.push(node.name);
      });
      expect([...down].sort()).toEqual([...up].sort());
    }),
    { numRuns: 60 },
  );
});

test('dependents of a failed node never start, and nodes that fail together are all reported', async () => {
  const started: string[] = [];
  const nodes = [
    { name: 'a', after: [] },
    { name: 'b', after: [] },
    { name: 'c', after: ['a'] },
  ];
  const outcome = await bootGraph(nodes, systemClock, new AbortController(), async (node) => {
    started.push(node.name);
    throw problem(node.name);
  }).catch((error: unknown) => error);
  expect(started).toEqual(['a', 'b']);
  expect((outcome as Problems).problems.map(({ where }) => where)).toEqual(['a', 'b']);
});

test('a boot that is aborted from outside rejects with the reason', async () => {
  const abort = new AbortController();
  const booting = bootGraph([{ name: 'a', after: [] }], systemClock, abort, (_, signal) =>
    systemClock.sleep(60_000, signal),
  );
  const reason = problem('outside');
  abort.abort(reason);
  await expect(booting).rejects.toBe(reason);
});

test('a failed stop does not prevent the others', async () => {
  const stopped: string[] = [];
  const nodes = [
    { name: 'a', after: [] },
    { name: 'b', after: ['a'] },
  ];
  const stopping = stopGraph(nodes, async ({ name }) => {
    stopped.push(name);
    if (name === 'b') throw problem('b');
  });
  await expect(stopping).rejects.toMatchObject({ where: 'b' });
  expect(stopped).toEqual(['b', 'a']);
});
