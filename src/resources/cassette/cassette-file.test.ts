import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Problem } from '../../kernel/problem.ts';
import { type ModelCassette, modelCallForm } from '../model/cassette/cassette.ts';
import {
  cassetteFile,
  readCassette,
  refuseForeign,
  refuseToReplace,
  writeCassette,
} from './cassette-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cassettes-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cassette: ModelCassette = {
  cassette: 1,
  resource: 'model',
  trial: 'a/b',
  recordedAt: '2026-01-02T03:04:05.000Z',
  calls: [
    {
      caller: 'agent',
      call: 1,
      dialect: 'anthropic',
      streamed: false,
      request: {
        path: '/v1/messages',
        model: 'm',
        prompt: { hash: '', text: '' },
        tools: {},
        messages: [],
        parameters: {},
      },
      response: { status: 200, headers: {}, pieces: [{ afterMs: 1, text: '{}' }], end: 'whole' },
      usage: null,
    },
  ],
};

test('what was written is read, in folders as the id has them, and nothing else is left there', async () => {
  const file = cassetteFile(folder, 'a/b');
  writeCassette(folder, file, cassette);
  expect(file).toBe(path.join(folder, 'a/b.json'));
  expect(await readCassette(file, 'a/b', modelCallForm)).toEqual(cassette);
  expect(readdirSync(path.dirname(file))).toEqual(['b.json']);
  expect(readFileSync(file, 'utf8').split('\n').length).toBeGreaterThan(10);
});

test.each([
  ['daemon/junk[not-hex]', 'daemon/junk.not-hex.json'],
  ['../../etc/passwd', '_/_/etc/passwd.json'],
  ['/absolute', 'absolute.json'],
  ['a b\0c', 'a-b-c.json'],
  ['', '_.json'],
])('the trial %j has a file in the folder', (trial, file) => {
  expect(path.relative(folder, cassetteFile(folder, trial))).toBe(file);
});

describe('what cannot be played is a problem with four parts', () => {
  async function problemOf(text: string): Promise<Problem> {
    const file = path.join(folder, 'one.json');
    writeFileSync(file, text);
    const error: unknown = await readCassette(file, 'a/b', modelCallForm).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Problem);
    return error as Problem;
  }

  test.each([
    ['half a file', JSON.stringify(cassette).slice(0, 200), /^it is not JSON: /],
    ['an empty file', '', /^it is not JSON: /],
    ['something else', '{"name":"x"}', /^it is not a recording$/],
    ['a list', '[]', /^it is not a recording$/],
    [
      'another version',
      '{"cassette":2,"calls":[]}',
      /^its version is 2, and this Shakedown reads version 1$/,
    ],
    ['a recording of another kind', '{"cassette":1,"kind":"http"}', /^it is a recording of a third party$/],
    ['no calls', '{"cassette":1}', /`calls` is not a list/],
    ['an invalid call', '{"cassette":1,"calls":[7]}', /^calls\[0\]: it is not a map$/],
    ['an unknown dialect', change({ dialect: 'morse' }), /^calls\[0\]: "morse" is not a dialect$/],
    ['no request', change({ request: null }), /^calls\[0\]: `request` is incomplete$/],
    ['no response', change({ response: { status: 'ok' } }), /^calls\[0\]: `response` is incomplete$/],
    [
      'pieces of nothing',
      change({ response: { status: 200, headers: {}, pieces: [{}] } }),
      /`response.pieces`/,
    ],
    [
      'an invalid status',
      change({ response: { status: 99999, headers: {}, pieces: [], end: 'whole' } }),
      /^calls\[0\]: `response.status` is 99999$/,
    ],
    [
      'a header that cannot be sent',
      change({ response: { status: 200, headers: { 'x-a': 'b\r\nc' }, pieces: [], end: 'whole' } }),
      /^calls\[0\]: `response.headers` has "x-a: b/,
    ],
    [
      'an unknown end',
      change({ response: { status: 200, headers: {}, pieces: [], end: 'soon' } }),
      /^calls\[0\]: `response.end` is "soon"$/,
    ],
  ])('%s', async (_, text, what) => {
    const problem = await problemOf(text);
    expect(problem.code).toBe('cassette.unreadable');
    expect(problem.what).toMatch(what);
    expect(problem.next).toBe('record it again: shakedown record a/b');
    expect(problem.allowed).toContain('version 1');
  });

  test('a recording of another trial, or of another model', () => {
    const owner = { resource: 'model', trial: 'a/b' };
    expect(() => refuseForeign(cassette, 'f', owner)).not.toThrow();
    expect(() => refuseForeign(cassette, 'f', { ...owner, trial: 'a.b' })).toThrow(
      /recording of the trial a\/b/,
    );
    expect(() => refuseForeign(cassette, 'f', { ...owner, resource: 'second' })).toThrow(
      /recording of the resource model, and not of second/,
    );
  });

  test('what is there is replaced only by a recording of the same, unless it is broken', async () => {
    const file = cassetteFile(folder, 'a/b');
    const owner = { resource: 'model', trial: 'a/b' };
    await refuseToReplace(file, owner);
    writeCassette(folder, file, cassette);
    await refuseToReplace(file, owner);
    await expect(refuseToReplace(file, { ...owner, resource: 'bank' })).rejects.toThrow(
      /resource model, and not of bank/,
    );
    writeFileSync(file, JSON.stringify(cassette).slice(0, 200));
    await refuseToReplace(file, { ...owner, resource: 'bank' });
  });

  test('a folder in its place', async () => {
    mkdirSync(path.join(folder, 'two.json'));
    await expect(readCassette(path.join(folder, 'two.json'), 'a/b', modelCallForm)).rejects.toMatchObject({
      code: 'cassette.unreadable',
      what: 'it is not a file',
    });
  });

  test('a file that is not there gives undefined', async () => {
    expect(await readCassette(path.join(folder, 'no/such.json'), 'a/b', modelCallForm)).toBeUndefined();
  });
});

test('a folder that cannot be written to is named', async () => {
  writeFileSync(path.join(folder, 'a'), 'a file');
  expect(() => writeCassette(folder, cassetteFile(folder, 'a/b'), cassette)).toThrow(
    expect.objectContaining({ code: 'world.not-writable', next: expect.stringContaining('`cassettes`') }),
  );
});

function change(call: object): string {
  return JSON.stringify({ ...cassette, calls: [{ ...cassette.calls[0], ...call }] });
}
