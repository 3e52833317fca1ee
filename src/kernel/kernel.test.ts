import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemClock } from './clock.ts';
import { lastOf } from './cut-text.ts';
import { waitFor, within } from './deadline.ts';
import { formatDuration, parseDuration } from './duration.ts';
import { exitCodes, worstExitCode } from './exit-codes.ts';
import { nearest } from './nearest.ts';
import { formatProblem, Problem, problemFromData, problemsIn, problemToData } from './problem.ts';
import { createRandom } from './random.ts';
import { formatSize, parseSize } from './size.ts';
import { formatExcerpt, positionAt } from './source-position.ts';
import { runId, uniqueLabel } from './unique-id.ts';

test('durations and sizes are parsed with their units, and other texts are rejected', () => {
  expect(['250ms', '15s', '1.5m', '2h'].map(parseDuration)).toEqual([250, 15_000, 90_000, 7_200_000]);
  expect(['15', 's', '-1s', '1 s', '1d', ''].map(parseDuration)).toEqual(Array(6).fill(undefined));
  expect(['512B', '16KB', '1.5 MB', '2gb'].map(parseSize)).toEqual([512, 16_384, 1_572_864, 2_147_483_648]);
  expect(['16', 'KB', '1TB'].map(parseSize)).toEqual([undefined, undefined, undefined]);
});

test('durations and sizes are formatted for display', () => {
  expect([84.4, 1_250, 12_300, 125_000].map(formatDuration)).toEqual([
    '84 ms',
    '1.25 s',
    '12.3 s',
    '2 m 05 s',
  ]);
  expect([312, 4_096, 18_140_000].map(formatSize)).toEqual(['312 B', '4.0 KB', '17.3 MB']);
});

test('the same seed gives the same choices, and forks are independent of each other', () => {
  const draw = (seed: string) => {
    const random = createRandom(seed);
    return [random.integer(1, 1e9), random.fork('a').hex(16), random.shuffle([1, 2, 3, 4, 5, 6, 7, 8])];
  };
  expect(draw('x')).toEqual(draw('x'));
  expect(draw('x')).not.toEqual(draw('y'));
  expect(createRandom('x').fork('a').hex(16)).not.toBe(createRandom('x').fork('b').hex(16));
});

test('random integers stay in their range and reach both ends', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: -50, max: 50 }), fc.nat(5), (seed, from, span) => {
      const random = createRandom(seed);
      const drawn = Array.from({ length: 200 }, () => random.integer(from, from + span));
      expect(Math.min(...drawn)).toBe(from);
      expect(Math.max(...drawn)).toBe(from + span);
    }),
  );
  expect(() => createRandom('x').pick([])).toThrow(/empty/);
});

test('the nearest word is found for a typo, and none for a different word', () => {
  const keys = ['ready', 'listen', 'after', 'env'];
  expect(['redy', 'raedy', 'listne', 'Env'].map((word) => nearest(word, keys))).toEqual([
    'ready',
    'ready',
    'listen',
    'env',
  ]);
  expect(nearest('database', keys)).toBeUndefined();
});

test('when several outcomes apply, the more severe code wins', () => {
  expect(worstExitCode([])).toBe(exitCodes.held);
  expect(worstExitCode([0, 7, 1])).toBe(1);
  expect(worstExitCode([1, 3, 2])).toBe(2);
  expect(worstExitCode([5, 6, 7, 4])).toBe(4);
  expect(worstExitCode([2, 70])).toBe(70);
});

test('a position is shown with its line and a caret under the place', () => {
  const text = 'name: a\nservices:\n  web: { rn: 1 }\n';
  const position = positionAt('x.yaml', text, text.indexOf('rn'), 2);
  expect([position.line, position.column]).toEqual([3, 10]);
  expect(formatExcerpt(position)).toBe('  2 | services:\n  3 |   web: { rn: 1 }\n    |          ^^');
});

test('a problem keeps its four parts when converted to data and back', () => {
  const problem = new Problem({
    code: 'config.bad-value',
    where: 'here',
    what: 'w',
    allowed: 'a',
    next: 'n',
    evidence: ['e'],
  });
  const again = problemFromData(JSON.parse(JSON.stringify(problemToData(problem))));
  expect(formatProblem(again)).toBe(formatProblem(problem));
  expect(formatProblem(problem)).toBe(
    'error[config.bad-value] here\n  what     w\n  allowed  a\n  next     n\n  | e',
  );
  expect(problemsIn(new TypeError('oops'))[0]).toMatchObject({
    code: 'shakedown.bug',
    exitCode: 70,
    what: 'oops',
  });
});

test('waiting ends with the result, or with undefined when time is up', async () => {
  const answers = [undefined, undefined, 'there'];
  expect(await waitFor(systemClock, { withinMs: 5_000, firstMs: 1 }, () => answers.shift())).toBe('there');
  expect(await waitFor(systemClock, { withinMs: 5, firstMs: 1 }, () => undefined)).toBeUndefined();
  expect(await within(systemClock, 5_000, Promise.resolve('done'))).toBe('done');
  const never = new Promise<string>(() => 'nobody settles this');
  const keepAlive = systemClock.sleep(200);
  expect(await within(systemClock, 5, never)).toBeUndefined();
  await keepAlive;
});

test('ids are unique, safe in names, and sort by time', () => {
  const labels = Array.from({ length: 1_000 }, uniqueLabel);
  expect(new Set(labels).size).toBe(1_000);
  for (const label of labels) expect(label).toMatch(/^[a-z][a-z2-9]{7}$/);
  expect(runId(Date.UTC(2026, 10, 15, 3, 4, 5))).toMatch(/^20261115-030405-[a-z0-9]{4}$/);
});

test('a text that was shortened never shows part of a word as the whole', () => {
  expect(lastOf('the key is sk-very-secret-123 it seems', 20)).toBe('… it seems');
  expect(lastOf('short', 20)).toBe('short');
  expect(lastOf('x'.repeat(30), 20)).toBe('…');
});
