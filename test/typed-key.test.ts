/** A key that is written where the name of its variable belongs appears neither in the output nor in what is left behind. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { trialsProject } from './harness/trials-project.ts';

const key = 'sk-live-0123456789abcdef';
const trial = { talk: 'steps: [{ http: GET web/, expect: { status: 200 } }]' };
const config = (written: string): string => `resources:
  model:
    kind: model
    mode: live
    because: it costs money
    upstreams: { openai: { url: "http://127.0.0.1:9", ${written} } }
services:
  web:
    run: [node, services/answers.mjs]
    listen: { env: PORT }
    ready: { tcp: true }
    env: { MODEL: "\${model.url}" }`;

test.each([
  ['alone', `key: ${key}`],
  ['quoted, and longer than what is shown', `key: "${key}${'x'.repeat(80)}"`],
  ['beside another mistake', `key: ${key}, typo: 1`],
])('a key in place of a name, %s', async (_, written) => {
  const project = trialsProject(config(written), trial);
  for (const words of [['lint'], ['lint', '--json']]) {
    const { code, output } = await project.run(words);
    expect(code, output).toBe(2);
    expect(output).toContain('upstreams.openai.key` is no name; it is not shown');
    expect(output).toContain('put the key into an environment variable');
    expect(output).not.toContain(key);
  }
});

test('a key that could be a name is not repeated when there is no such variable', async () => {
  const named = key.replaceAll('-', '_');
  const project = trialsProject(config(`key: ${named}`), trial);
  const { code, output } = await project.run(['run']);
  expect(code, output).toBe(2);
  expect(output).toContain('the environment variable sk_l… is not set');
  expect(output).not.toContain(named);
  const texts = ['junit.xml', 'verdict.json'].map((file) =>
    path.join(project.folder, '.shakedown/latest', file),
  );
  expect(readdirSync(path.dirname(texts[0] ?? ''))).toContain('verdict.json');
  for (const file of texts) expect(readFileSync(file, 'utf8')).not.toContain(named);
});
