import { expect, test } from 'vitest';
import type { RunVerdict } from '../../checks/verdict.ts';
import { githubAnnotations } from './github-annotations.ts';

function run(texts: readonly string[]): RunVerdict {
  return { reasons: texts.map((text) => ({ exitCode: 6, text })), trials: [] } as unknown as RunVerdict;
}

test('nothing in a message begins a command or a line of its own', () => {
  const [line] = githubAnnotations(run(['50%\n::error::mine\u001b[31m']), () => '');
  expect(line).toBe('::error title=shakedown::50%25%0A::error::mine');
});

test('ten at most, and the last says how many are not shown', () => {
  const many = githubAnnotations(run(Array.from({ length: 12 }, (_, index) => `reason ${index}`)), () => '');
  expect(many).toHaveLength(10);
  expect(many.at(-1)).toContain('and 3 further reasons');
  expect(githubAnnotations(run(Array(10).fill('reason')), () => '').at(-1)).toContain('reason');
});
