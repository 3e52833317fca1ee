import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fencedBlocks } from '../../../test/docs/fenced-blocks.ts';
import { readProjectFile } from '../../../test/harness/project-files.ts';
import { makeTemporaryFolder } from '../../../test/harness/temporary-folder.ts';
import { formatProblem, Problem } from '../../kernel/problem.ts';
import { newlineJson } from '../../protocols/codecs/newline-json.ts';
import { loadCodec } from './load-codec.ts';

/** The one that the guide says to copy. */
const guide = fencedBlocks(readProjectFile('docs/guides/write-your-own.md'));
const lines = guide.find(({ text }) => text.includes('// lines.ts'))?.text ?? '';

function folderWith(name: string, text: string): string {
  const folder = makeTemporaryFolder('codec');
  onTestFinished(() => folder.remove());
  writeFileSync(path.join(folder.path, name), text);
  return folder.path;
}

async function shown(name: string, folder: string): Promise<string> {
  const error = await loadCodec(name, folder).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Problem);
  return formatProblem(error as Problem);
}

test('a built-in one by name', async () => {
  expect(await loadCodec('newline-json', '/')).toBe(newlineJson);
});

test('a module of the user, in TypeScript; reloaded when it was changed', async () => {
  const folder = folderWith('lines.ts', lines);
  const codec = await loadCodec('./lines.ts', folder);
  expect(codec.createDecoder().push(codec.encode('à'))).toEqual(['à']);
  writeFileSync(path.join(folder, 'lines.ts'), lines.replace('${message}', '${message}!'));
  expect(Buffer.from((await loadCodec('lines.ts', folder)).encode('a')).toString()).toBe('a!\n');
});

test('a named export will do', async () => {
  const folder = folderWith(
    'lines.mjs',
    'export const codec = { encode: () => Buffer.from("x"), createDecoder: () => ({ push: () => [], end() {} }) };',
  );
  expect(Buffer.from((await loadCodec('./lines.mjs', folder)).encode(1)).toString()).toBe('x');
});

test('an unknown name, with the nearest', async () => {
  const text = await shown('newline-jsn', '/');
  expect(text).toMatch(/there is no codec `newline-jsn`/);
  expect(text).toMatch(/allowed .*hex6-sexp, newline-json, content-length-json, or the path/);
  expect(text).toMatch(/did you mean `newline-json`\?/);
});

test('a file that is not there', async () => {
  expect(await shown('./none.ts', '/')).toMatch(/config\.not-found[\s\S]*there is no file/);
});

test('a module that exports no codec says what it exports', async () => {
  const folder = folderWith('half.ts', 'export default { encode: () => 1 };\nexport const other = 1;\n');
  const text = await shown('./half.ts', folder);
  expect(text).toMatch(
    /exports no codec: it has neither a function `createDecoder` nor a function `createCutter`/,
  );
  expect(text).toMatch(/allowed .*default export/);
  expect(text).toMatch(/it exports: default, other/);
});

test.each([
  ['throws', 'throw new Error("on purpose");'],
  ['is not JavaScript', 'export default {{'],
])('a module that %s', async (_, text) => {
  expect(await shown('./broken.mjs', folderWith('broken.mjs', text))).toMatch(/does not load/);
});
