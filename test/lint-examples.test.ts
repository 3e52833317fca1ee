/** The suites of the examples have no `lint` findings. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { binary } from './harness/project.ts';
import { projectFolder } from './harness/project-files.ts';
import { runCommand } from './harness/run-command.ts';

const examples = path.join(projectFolder, 'examples');
const names = readdirSync(examples).filter((name) =>
  existsSync(path.join(examples, name, 'shakedown.config.ts')),
);

test('there are examples', () => {
  expect(names).toEqual(expect.arrayContaining(['butlers', 'daemon', 'gateway']));
});

test.each(names)('%s', async (name) => {
  const cwd = path.join(examples, name);
  const { code, stdout, output } = await runCommand([process.execPath, binary, 'lint', '--json'], { cwd });
  expect(code, output).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ findings: [], errors: [] });
});
