import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeProject } from './harness/project.ts';

const project = () =>
  makeProject({
    'shakedown.yaml': `name: varied
matrix: { cache: [disk, memory], workers: [1, 4] }
services:
  web:
    run: [sh, -c, 'cat "$0"; sleep 60', "\${self.dir}/app.toml"]
    ready: { log: workers }
    files: { app.toml: { text: "cache = '\${matrix.cache}'\\nworkers = \${matrix.workers}\\n" } }
`,
  });

test.each([
  [[], "cache = 'disk'\nworkers = 1\n"],
  [['--variant', 'cache=memory,workers=4'], "cache = 'memory'\nworkers = 4\n"],
])('up %j renders its config with the chosen values', async (args, expected) => {
  const varied = project();
  const result = await varied.run(['up', ...args, '--', 'true']);
  expect(result.code, result.output).toBe(0);
  expect(readFileSync(path.join(varied.folder, '.shakedown/latest/services/web.log'), 'utf8')).toContain(
    `\n${expected}`,
  );
});

test.each([
  ['cache=memroy', '`cache` has no value "memroy"', 'did you mean `cache=memory`?'],
  ['cache=memory,cache=disk', '`cache` is given twice: memory and disk', 'keep one of them'],
  ['cach=disk', 'the matrix has no `cach`', 'did you mean `cache`?'],
])('a variant that does not exist, or a second one, is refused: %s', async (variant, what, next) => {
  const result = await project().run(['up', '--variant', variant]);
  expect(result.code).toBe(2);
  expect(result.stderr).toContain(what);
  expect(result.stderr).toContain(next);
});
