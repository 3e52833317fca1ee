/** An error in a teardown step is reported, and never prevents the other steps. */
import { expect, test } from 'vitest';
import { systemClock } from '../kernel/clock.ts';
import { Problem, Problems } from '../kernel/problem.ts';
import { stopGraph } from './stop-graph.ts';
import { createTeardown } from './teardown.ts';

function refused(what: string): Problem {
  return new Problem({ code: 'left.behind', where: 'a test', what, allowed: 'nothing', next: 'look' });
}

test('every error of every step is returned, sync or async, single or several; every step runs', async () => {
  const teardown = createTeardown(systemClock);
  const ran: string[] = [];
  teardown.register('first', () => void ran.push('first'));
  teardown.register('slow', () => new Promise(() => ran.push('slow')));
  teardown.register('several', async () => {
    ran.push('several');
    throw new Problems([refused('one'), refused('two')]);
  });
  teardown.register('at once', () => {
    ran.push('at once');
    throw new Error('a plain error');
  });
  const failures = await teardown.run(30);
  expect(ran).toEqual(['at once', 'several', 'slow', 'first']);
  expect(failures.map(({ step, problem }) => [step, problem.what])).toEqual([
    ['at once', 'a plain error'],
    ['several', 'one'],
    ['several', 'two'],
    ['slow', 'it did not end within 30 ms'],
  ]);
  expect(await teardown.run(30)).toBe(failures);
});

test('nodes that cannot be stopped are all reported, and the others are stopped', async () => {
  const stopped: string[] = [];
  const nodes = ['db', 'one', 'two'].map((name) => ({ name, after: name === 'db' ? [] : ['db'] }));
  const stopping = stopGraph(nodes, async ({ name }) => {
    stopped.push(name);
    if (name !== 'db') throw refused(name);
  });
  await expect(stopping).rejects.toMatchObject({ problems: [{ what: 'one' }, { what: 'two' }] });
  expect(stopped).toEqual(['one', 'two', 'db']);
});
