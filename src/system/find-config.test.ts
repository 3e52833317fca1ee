import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Files, projectFolder } from '../../test/harness/config-project.ts';
import { formatProblem, problemsIn } from '../kernel/problem.ts';
import { configNames, findConfig } from './find-config.ts';

async function messageAbout(files: Files): Promise<string> {
  const folder = await projectFolder(files);
  try {
    return findConfig(folder);
  } catch (error) {
    return problemsIn(error).map(formatProblem).join('\n').replaceAll(folder, '~');
  }
}

test.each(configNames)('%s is found', async (name) => {
  const folder = await projectFolder({ [name]: '', 'other.yaml': '' });
  expect(findConfig(folder)).toBe(join(folder, name));
});

test('none: how to make one', async () => {
  expect(await messageAbout({ 'readme.md': '' })).toMatchInlineSnapshot(`
    "error[config.not-found] ~
      what     there is no config in this folder
      allowed  shakedown.config.ts, shakedown.config.mts, shakedown.config.js, shakedown.config.mjs, shakedown.yaml, shakedown.yml
      next     shakedown init, or give the path of a config: --config <file>"
  `);
});

test('a name that is almost right', async () => {
  expect(await messageAbout({ 'shakedown.config.yaml': '' })).toMatchInlineSnapshot(`
    "error[config.not-found] ~
      what     there is no config in this folder; shakedown.config.yaml is not the name of a config
      allowed  shakedown.config.ts, shakedown.config.mts, shakedown.config.js, shakedown.config.mjs, shakedown.yaml, shakedown.yml
      next     mv shakedown.config.yaml shakedown.yaml"
  `);
});

test('two of them', async () => {
  expect(await messageAbout({ 'shakedown.yaml': '', 'shakedown.config.ts': '' })).toMatchInlineSnapshot(`
    "error[config.duplicate-name] ~
      what     there are two configs in this folder: shakedown.config.ts and shakedown.yaml
      allowed  one config per folder
      next     remove one, or name the one you mean: --config shakedown.config.ts"
  `);
});

test('no such folder', () => {
  expect(() => findConfig('/nowhere/at/all')).toThrow('/nowhere/at/all: the folder cannot be read: ENOENT');
});
