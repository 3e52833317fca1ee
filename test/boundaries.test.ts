/** The rooms of the design, enforced by a test: which may import which, and no cycles. */
import { describe, expect, test } from 'vitest';
import { checkImports } from './boundaries/check-imports.ts';
import { findImportCycles } from './boundaries/find-import-cycles.ts';
import { type ImportTable, importTable } from './boundaries/import-table.ts';
import { projectFiles, readProjectFile } from './harness/project-files.ts';

const files = new Map(
  projectFiles('src')
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .map((file) => [file, readProjectFile(file)]),
);

test('every import of the source is allowed by the table', () => {
  expect(files.size).toBeGreaterThan(100);
  expect(checkImports(files, importTable)).toEqual([]);
});

test('no file imports itself through others', () => {
  expect(findImportCycles(files)).toEqual([]);
});

describe('the check can fail', () => {
  const table: ImportTable = {
    ...importTable,
    rooms: { kernel: [], system: ['kernel'], resources: ['kernel', 'system:types'], patterns: ['kernel'] },
    exceptions: [],
  };
  const check = (file: string, text: string, changes: Partial<ImportTable> = {}): readonly string[] =>
    checkImports(new Map([[file, text]]), { ...table, ...changes });

  test('a room that imports upwards', () => {
    expect(check('src/kernel/clock.ts', "\nimport { a } from '../system/a.ts';\n")).toEqual([
      'src/kernel/clock.ts:2: `kernel` imports from `system` (../system/a.ts); allowed: nothing',
    ]);
  });

  test('even types are refused where the row does not name them', () => {
    expect(check('src/kernel/clock.ts', "import type { A } from '../system/a.ts';")).toHaveLength(1);
    expect(check('src/kernel/clock.ts', "export type { A } from '../system/a.ts';")).toHaveLength(1);
    expect(check('src/kernel/clock.ts', "type A = import('../system/a.ts').A;")).toHaveLength(1);
  });

  test('values where only types are allowed', () => {
    expect(check('src/resources/a.ts', "import type { A } from '../system/a.ts';")).toEqual([]);
    expect(check('src/resources/a.ts', "import { type A, b } from '../system/a.ts';")).toEqual([
      'src/resources/a.ts:1: `resources` imports values of `system` (../system/a.ts); allowed: kernel, system:types',
    ]);
  });

  test('a dynamic import and a re-export count as well', () => {
    expect(check('src/kernel/a.ts', "export const a = () => import('../system/a.ts');")).toHaveLength(1);
    expect(check('src/kernel/a.ts', "export * from '../system/a.ts';")).toHaveLength(1);
  });

  test('a package outside of its place, and one that is not listed', () => {
    expect(check('src/kernel/a.ts', "import { z } from 'zod';")).toEqual([
      'src/kernel/a.ts:1: imports the package `zod`; it is for src/kinds, src/system, src/plugins, src/trials, src/requirements, src/agents',
    ]);
    expect(check('src/kernel/a.ts', "import x from '@scope/name/part';")).toEqual([
      'src/kernel/a.ts:1: imports the package `@scope/name`; it is in no row of the table',
    ]);
  });

  test('a pure room that reads the disk', () => {
    expect(check('src/patterns/a.ts', "import { readFileSync } from 'node:fs';")).toEqual([
      'src/patterns/a.ts:1: `patterns` is pure and imports `node:fs`; allowed: node:buffer, node:util',
    ]);
  });

  test('a file outside of src, and a room that is not declared', () => {
    expect(check('src/kernel/a.ts', "import { b } from '../../test/b.ts';")).toHaveLength(1);
    expect(check('src/cellar/a.ts', '')).toEqual([
      'src/cellar/a.ts:1: the room `cellar` is not in the table',
    ]);
  });

  test('an exception is allowed while it is needed', () => {
    const exceptions = [{ file: 'src/kernel/a.ts', imports: 'system', because: 'a test' }];
    expect(check('src/kernel/a.ts', "import { a } from '../system/a.ts';", { exceptions })).toEqual([]);
    expect(check('src/kernel/a.ts', '', { exceptions })).toEqual([
      'src/kernel/a.ts: the exception for `system` is not needed',
    ]);
  });

  test('a cycle of values, but not one of types', () => {
    const circle = (types: string) =>
      new Map([
        ['src/a.ts', "import { b } from './b.ts';"],
        ['src/b.ts', "import { c } from './c/c.ts';"],
        ['src/c/c.ts', `import ${types}{ a } from '../a.ts';`],
      ]);
    expect(findImportCycles(circle(''))).toEqual(['src/a.ts → src/b.ts → src/c/c.ts → src/a.ts']);
    expect(findImportCycles(circle('type '))).toEqual([]);
  });
});
