import path from 'node:path';
import { expect, test } from 'vitest';
import { parseYamlDocument } from '../../system/source/yaml-document.ts';
import type { System } from '../../system/system.ts';
import { buildStep } from './build-step.ts';
import { fileProblems } from './file-problems.ts';

const folder = import.meta.dirname;
const service = (cwd: string): unknown => ({ name: 'web', cwd });

test.each<[string, { readonly jobs?: unknown[]; readonly services?: unknown[] }, boolean]>([
  ['./nope.bin', {}, true],
  ['./nope.bin', { services: [service(path.join(folder, 'web')), service('${self.dir}')] }, true],
  ['./nope.bin', { services: [service(path.dirname(folder))] }, false],
  ['./nope.bin', { jobs: [{ name: 'prepare' }] }, false],
  ['./build-step.ts/nope.bin', {}, true],
  ['../read', { jobs: [{ name: 'prepare' }] }, true],
  ['/dev/urandom', {}, false],
  ['x'.repeat(300), {}, false],
  ['./build-step.ts', {}, false],
])('%s is refused only where nothing can create it: %o', (file, made, isRefused) => {
  const { value, source } = parseYamlDocument(
    'a.trial.yaml',
    `http: POST web/\nbody: { file: ${file} }\n`,
    'trial.syntax',
  );
  const { step } = buildStep({ value: value as Record<string, unknown>, source, path: [], folder }, 1);
  const system = { jobs: [], services: [], ...made } as unknown as System;
  const found = step && fileProblems(step, [], system);
  expect(found?.map(({ what }) => what)).toEqual(
    isRefused ? [`there is no file \`${file}\` in ${folder}`] : [],
  );
});
