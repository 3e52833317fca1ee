/** Errors in a script are reported when the attempt begins, or when the model is provisioned, all at once. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { problemsIn } from '../../src/kernel/problem.ts';
import type { ModelScript } from '../../src/resources/model/script-line.ts';
import { asking, openModel } from './open-model.ts';

async function problems(script: unknown): Promise<readonly string[]> {
  const model = await openModel();
  const error: unknown = await model.begin(script as ModelScript).catch((thrown: unknown) => thrown);
  return problemsIn(error).map(({ where, what, next }) => `${String(where)}: ${what} -> ${next}`);
}

const at = 'trial a/trial, script of model';

test.each<[string, unknown, RegExp]>([
  ['no map', 7, /^trial a\/trial, script of model: the script of a model is 7/],
  ['no list', { agent: { says: 'x' } }, /script of agent: the lines are \{ says: "x" \}/],
  ['no line', { agent: ['hello'] }, /script of agent, line 1: it is "hello"/],
  [
    'a caller who never calls',
    { agnet: [] },
    /there is a script for agnet, which never calls this model -> write agent/,
  ],
  [
    'a pattern that is none',
    { agent: [{ says: 'x', when: { text: { $regx: 'a' } } }] },
    /`when` at .*unknown operator \$regx -> write \$regex/,
  ],
  [
    'an expectation that is none',
    { agent: [{ says: 'x', expect: { text: { $regex: '(' } } }] },
    /`expect` at .*is not a regular expression/,
  ],
  ['a shape that is none', { agent: [{ says: 'x', shape: 'S999' }] }, /there is no shape "S999"/],
  [
    'a shape of the tool protocol',
    { agent: [{ says: 'x', shape: 'M01' }] },
    /(?:cannot send the shape M01|no shape "M01")/,
  ],
  ['a shape and an error', { agent: [{ error: { status: 500 }, shape: 'S05' }] }, /has no shape/],
  [
    'a kind of error',
    { agent: [{ error: { status: 429, kind: 'rate-limits' } }] },
    /unknown kind of error rate-limits -> write rate-limit/,
  ],
  [
    'a line that is never told',
    { agent: [{ says: 'x', times: 'any' }, { says: 'y' }] },
    /line 2: it can never be used, because line 1/,
  ],
  ['too many lines', { agent: Array(10_001).fill({ says: 'x' }) }, /there are 10001 lines/],
])('%s', async (_, script, message) => {
  const [first, ...others] = await problems(script);
  expect(first).toMatch(message);
  expect(first?.startsWith(at)).toBe(true);
  expect(others).toEqual([]);
});

test('all problems at once', async () => {
  const script = {
    agent: [
      { says: 'x', shape: 'no' },
      { says: 'y', when: { $nope: 1 } },
    ],
    nobody: [],
  };
  expect(await problems(script)).toHaveLength(3);
});

test('an attempt that cannot be played leaves the one before as it is', async () => {
  const model = await openModel();
  await model.begin({ agent: [{ says: 'still here' }] });
  await expect(model.begin({ agent: [{ says: 'x', shape: 'no' }] })).rejects.toThrow();
  const { path: target, body } = asking['openai-chat']();
  expect((await model.ask(target, body)).text).toContain('still here');
});

describe('before anything runs', () => {
  test('standing lines', async () => {
    const standing = { '*': [{ says: 'x', shape: 'no' }] };
    await expect(openModel({ standing })).rejects.toThrow(
      /resource model, standing lines, script of \*, line 1/,
    );
  });

  test('files of aimock fixtures', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'fixtures-'));
    const file = path.join(folder, 'chat.json');
    try {
      await expect(openModel({ fixtures: [file] })).rejects.toThrow(/chat\.json: there is no such file/);
      writeFileSync(file, '{"fixtures":');
      await expect(openModel({ fixtures: [file] })).rejects.toThrow(/chat\.json: .*JSON/);
      writeFileSync(
        file,
        JSON.stringify({
          fixtures: [{ match: { userMessage: 'notes' }, response: { content: 'from a fixture' } }],
        }),
      );
      const model = await openModel({ fixtures: [file] });
      const { path: target, body } = asking.anthropic();
      expect((await model.ask(target, body)).text).toContain('from a fixture');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
