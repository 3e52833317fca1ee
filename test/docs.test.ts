/** The pages are correct: their commands run, their output is printed, their links work, nothing is missing. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { commonOptions } from '../src/cli/call/verb.ts';
import { findVerb, verbNames } from '../src/cli/verbs.ts';
import { exitCodes } from '../src/kernel/exit-codes.ts';
import { problemCodes } from '../src/kernel/problem-codes.ts';
import { systemSchemaText } from '../src/system/json-schema.ts';
import { missingLines } from './docs/fenced-blocks.ts';
import { performPage } from './docs/perform-page.ts';
import { pages } from './docs/test-pages.ts';
import { projectFolder, readProjectFile } from './harness/project-files.ts';
import { makeTemporaryFolder } from './harness/temporary-folder.ts';

test('every link to another file points to an existing file', () => {
  const dead = pages.flatMap((page) =>
    [...readProjectFile(page).matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(path.join(projectFolder, path.dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  );
  expect(dead).toEqual([]);
});

describe('nothing is missing in the reference', () => {
  const lacking = (page: string, words: readonly string[]): readonly string[] => {
    const text = readProjectFile(`docs/reference/${page}.md`);
    return [...new Set(words)].filter((word) => !text.includes(`\`${word}\``));
  };

  test('errors: every code', () => {
    expect(lacking('errors', Object.keys(problemCodes))).toEqual([]);
  });

  test('exit codes: every one', () => {
    expect(lacking('exit-codes', Object.values(exitCodes).map(String))).toEqual([]);
  });

  test('cli: every verb and every option', async () => {
    const verbs = await Promise.all(verbNames.map(findVerb));
    const options = verbs.flatMap((verb) => Object.keys({ ...commonOptions, ...verb?.options }));
    expect(
      lacking('cli', [
        ...verbNames.map((name) => `shakedown ${name}`),
        ...options.map((name) => `--${name}`),
      ]),
    ).toEqual([]);
  });

  test('config: every key', () => {
    // Lines of scripts are the same in a config and in a trial, and are documented there.
    const missing = lacking('config', keysOf(JSON.parse(systemSchemaText())));
    expect(lacking('trials', missing)).toEqual([]);
  });

  test('journal: every event', () => {
    const types = [...readProjectFile('src/journal/event.ts').matchAll(/readonly type: '([a-z.]+)'/g)];
    expect(types.length).toBeGreaterThan(20);
    expect(
      lacking(
        'journal',
        types.map(([, type = '']) => type),
      ),
    ).toEqual([]);
  });
});

describe('the check can fail', () => {
  const perform = async (page: string): Promise<readonly string[]> => {
    const folder = makeTemporaryFolder('docs');
    try {
      return await performPage(page, folder.path);
    } finally {
      folder.remove();
    }
  };

  test('a command whose exit code is not the one of the page', async () => {
    expect(await perform('```sh\nexit 3\n```\n')).toHaveLength(1);
    expect(await perform('```sh exit=3\nexit 3\n```\n')).toEqual([]);
    expect(await perform('```sh norun="a test"\nexit 3\n```\n')).toEqual([]);
  });

  test('output that was not printed', async () => {
    expect(await perform('```sh\necho one; echo two\n```\n\n```text output\none\n…\ntw…\n```\n')).toEqual([]);
    expect(await perform('```sh\necho one; echo two\n```\n\n```text output\ntwo\none\n```\n')).toHaveLength(
      1,
    );
    expect(missingLines('a…c (x)', 'abc (x)\n')).toEqual([]);
  });

  test('a fragment that is not a config, and a block that is not tested', async () => {
    expect(await perform('```yaml fragment=service\nready: { http: /health }\nlisten: auto\n```\n')).toEqual(
      [],
    );
    expect(await perform('```yaml fragment=service\nreddy: { http: /health }\n```\n')).toHaveLength(1);
    expect(await perform('```yaml\nname: nobody\n```\n')).toHaveLength(1);
  });

  test('a file of the page is there for its commands', async () => {
    expect(await perform('```js title=a/b.mjs\nconsole.log(1)\n```\n\n```sh\nnode a/b.mjs\n```\n')).toEqual(
      [],
    );
  });
});

function keysOf(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(keysOf);
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'properties' in schema ? Object.keys(schema.properties as object) : [];
  return [...own, ...Object.values(schema).flatMap(keysOf)];
}
