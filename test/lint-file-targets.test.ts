/** Names in `files` that no disk takes are found by lint; the longest that one takes is written. */
import { expect, test } from 'vitest';
import { makeProject } from './harness/project.ts';

const config = (files: object): string =>
  `name: a\nservices: { web: { run: [node, services/answers.mjs], listen: { env: PORT }, files: ${JSON.stringify(files)} } }\n`;
const text = { text: 'hi' };

test.each([
  ['a NUL', { 'a\0b': text }],
  ['300 characters', { ['a'.repeat(300)]: text }],
  ['the folder itself', { '.': text }],
  ['a file as a folder', { a: text, 'a/b': text }],
])('%s is refused', async (_, files) => {
  const { code, output } = await makeProject({ 'shakedown.yaml': config(files) }).run(['lint']);
  expect(code, output).toBe(2);
  expect(output).toContain('files');
});

test('a name of 255 bytes is written', async () => {
  const project = makeProject({ 'shakedown.yaml': config({ ['a'.repeat(255)]: text }) });
  const { code, output } = await project.run(['up', '--', 'true']);
  expect(code, output).toBe(0);
});
