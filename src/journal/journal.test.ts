import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../kernel/clock.ts';
import { type JournalHeader, journalVersion } from './event.ts';
import { parseJournal, readJournal } from './reader.ts';
import { redactFile } from './redact-file.ts';
import { redactValues } from './redact-values.ts';
import { createRedactor } from './redaction.ts';
import { openJournal } from './writer.ts';

const header: JournalHeader = {
  journal: journalVersion,
  run: 'r',
  environment: 'e',
  system: 's',
  seed: '1',
  tool: 'test',
  startedAt: '2026-01-01T00:00:00.000Z',
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'journal-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(secrets: Record<string, string> = {}): string {
  const file = path.join(folder, 'events.ndjson');
  const failures: unknown[] = [];
  const journal = openJournal({
    file,
    header,
    clock: systemClock,
    redactor: createRedactor(secrets),
    onFailure: (error) => failures.push(error),
  });
  journal.emit({ type: 'environment.booting', nodes: 2, containment: 'namespace' });
  journal.emit({ type: 'environment.stopping', cause: 'asked', because: 'the key is s3cr"et/key' });
  journal.close();
  expect(failures).toEqual([]);
  return file;
}

test('what was written is read back, numbered and in order of time', async () => {
  const journal = await readJournal(write());
  expect(journal.header).toEqual(header);
  expect(journal.torn).toBe(false);
  expect(journal.events.map(({ seq, type }) => [seq, type])).toEqual([
    [1, 'environment.booting'],
    [2, 'environment.stopping'],
  ]);
  expect(journal.events[1]?.at).toBeGreaterThanOrEqual(journal.events[0]?.at ?? Number.POSITIVE_INFINITY);
});

test('a journal cut at any byte gives its complete lines and says that it is torn', () => {
  const text = readFileSync(write(), 'utf8');
  const firstLine = text.indexOf('\n') + 1;
  for (let cut = firstLine; cut <= text.length; cut += 1) {
    const journal = parseJournal('j', Buffer.from(text.slice(0, cut)));
    expect(journal.events.length).toBe(text.slice(firstLine, cut).split('\n').length - 1);
    expect(journal.torn).toBe(text[cut - 1] !== '\n');
  }
});

test('a broken line that is not the last is an error with its place', async () => {
  const file = write();
  appendFileSync(file, 'not json\n{"seq":3,"at":1,"type":"environment.ready","bootMs":1}\n');
  await expect(readJournal(file)).rejects.toMatchObject({ code: 'journal.unreadable', where: { line: 4 } });
});

test('another version is refused', async () => {
  const file = path.join(folder, 'old.ndjson');
  writeFileSync(file, '{"journal":99}\n');
  await expect(readJournal(file)).rejects.toThrow(/version 99/);
});

test('a word of the vocabulary stays, even where it is a secret; the same word in a body does not', () => {
  const message = { headers: {}, json: { code: 'swordfish', type: 'call' }, bytes: 1 };
  const body = { type: 'call', from: 'a', to: 'b', request: message, because: 'swordfish' };
  const redactor = createRedactor({ WORD: 'swordfish', CALL: 'call' });
  expect(redactValues(body, redactor)).toEqual({
    ...body,
    request: { ...message, json: { code: '‹secret:WORD›', type: '‹secret:CALL›' } },
  });
  const failed = { type: 'node.failed', problem: { code: 'swordfish', what: 'swordfish' } };
  expect(redactValues(failed, redactor).problem).toEqual({ code: 'swordfish', what: '‹secret:WORD›' });
});

test('a key inside a payload is redacted, whatever letters it has; words of the record of a trial stay', () => {
  const redactor = createRedactor({ WORD: 'swordfish', S1: 'quiet', S2: 'exchange', S3: 'http', S4: 'done' });
  const token = '‹secret:WORD›';
  const seen = (value: unknown): unknown =>
    redactValues({ type: 'probe.sampled', probe: 'p', value, from: 0, to: 0, samples: 1 }, redactor).value;
  expect(seen([{ swordfish: 1 }])).toEqual([{ [token]: 1 }]);
  expect(seen({ status: 200, headers: { swordfish: 'x' } })).toEqual({
    status: 200,
    headers: { [token]: 'x' },
  });
  expect(seen({ doc: { swordfish: { b: 1 } } })).toEqual({ doc: { [token]: { b: 1 } } });
  const check = {
    id: 'c',
    kind: 'exchange',
    mode: 'quiet',
    query: { exchange: 'it' },
    expect: { swordfish: 1 },
  };
  const trial = { id: 't', steps: [{ name: 'it', driver: 'http' }], checks: [check] };
  expect(redactValues({ type: 'attempt.started', uid: 'u', trial, scope: {} }, redactor).trial).toEqual({
    ...trial,
    checks: [{ ...check, expect: { [token]: 1 } }],
  });
  expect(redactValues({ type: 'step.ended', step: 'it', outcome: 'done' }, redactor).outcome).toBe('done');
});

test('a secret is written as its token, also where JSON escapes it', async () => {
  const text = readFileSync(write({ KEY: 's3cr"et/key' }), 'utf8');
  expect(text).toContain('‹secret:KEY›');
  expect(text).not.toContain('s3cr');
});

test('no form of any secret survives redaction of a file, wherever it is', async () => {
  const secret = fc.string({ minLength: 6, maxLength: 40 }).filter((text) => text.trim().length >= 6);
  await fc.assert(
    fc.asyncProperty(secret, fc.nat(600_000), async (value, offset) => {
      const redactor = createRedactor({ TOKEN: value });
      const file = path.join(folder, 'service.log');
      const base64 = Buffer.from(value).toString('base64');
      writeFileSync(file, `${'\u0001'.repeat(offset)}${value}\n${encodeURIComponent(value)}\n${base64}\n`);
      expect(await redactFile(file, redactor)).toBe(true);
      const after = readFileSync(file, 'utf8');
      expect(after).not.toContain(base64);
      expect(after).not.toContain(value);
      expect(after).toContain('‹secret:TOKEN›');
      expect(await redactFile(file, redactor)).toBe(false);
    }),
    { numRuns: 30 },
  );
});
