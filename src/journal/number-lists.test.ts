import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuMs } from '../../test/harness/cpu-time.ts';
import { createRedactor, showSecrets } from './redaction.ts';
import { inForm, listSpellings } from './secret-forms.ts';

const key = 'sk-live-4f9Qm2Xr8Lt0VbN6cWy3';
const bytes = Buffer.from(key);
const { redact } = createRedactor({ KEY: key });

const layouts: Readonly<Record<string, (bytes: Buffer) => string>> = {
  'a typed array of Node, in columns': (list) => inspect(new Uint8Array(list)),
  'a typed array of Node, in columns inside JSON': (list) => JSON.stringify(inspect(new Uint8Array(list))),
  'a buffer in JSON over lines': (list) => JSON.stringify({ a: { key: list } }, null, 2),
  'JSON over lines inside JSON': (list) => JSON.stringify(JSON.stringify({ key: list }, null, 4)),
  'a typed array in JSON over lines': (list) => JSON.stringify(new Uint8Array(list), null, 4),
  'texts of JSON': (list) => JSON.stringify([...list].map(String)),
  'texts of JSON inside JSON': (list) => JSON.stringify(JSON.stringify([...list].map(String))),
  'Go source': (list) => `[]byte{${[...list].map((byte) => `0x${byte.toString(16)}`).join(', ')}}`,
  'C source over lines': (list) =>
    `{\n${[...list].map((byte) => `\t0x${byte.toString(16).toUpperCase()},\n`).join('')}};`,
  PHP: (list) => `(\n${[...list].map((byte, index) => `    [${index}] => ${byte}\n`).join('')})`,
  'one to a line': (list) => [...list].join('\n'),
  'deep in a document': (list) => [...list].join(`,\n${' '.repeat(11)}`),
};

test.each(Object.entries(layouts))('bytes as numbers are found in any layout: %s', (_, print) => {
  for (const value of [key, 'PIN-24680', `${key}\nÄ€${key}\n`.repeat(9)]) {
    const redactor = createRedactor({ KEY: value });
    for (let margin = 0; margin < 9; margin += 1) {
      const seen = `${'.'.repeat(margin)}<${print(Buffer.from(value))}>`;
      const clean = redactor.redact(seen);
      expect(clean).toMatch(/‹secret:KEY:(?:bytes|hex-list|line|first)/);
      expect(clean.match(/\d+/g)?.length ?? 0).toBeLessThan(12);
      expect(redactor.redact(clean)).toBe(clean);
    }
  }
});

test('usual layouts have a name, and can be restored; others have a mark that does not reveal the numbers', () => {
  for (const [name, spell] of listSpellings) {
    const seen = spell(bytes.toString('latin1'));
    expect(showSecrets(redact(`[${seen}]`), () => key)).toBe(`[${seen}]`);
    expect(inForm(key, name)).toBe(seen);
  }
  const other = Buffer.from('Ab-LIVE-4f9Qm2Xr8Lt0VbN6cWy3');
  const marks = [bytes, other].map((list) =>
    createRedactor({ KEY: list.toString() }).redact([...list].join(';\n')),
  );
  expect(marks[0]).toMatch(/^‹secret:KEY:bytes~[0-9a-f]{8}›$/);
  expect(marks[1]).toBe(marks[0]);
});

test('a list that is cut, and one that is seen line by line, are found', () => {
  const long = Buffer.from(`x${key.repeat(5)}`);
  expect(createRedactor({ KEY: long.toString() }).redact(inspect(new Uint8Array(long)))).toMatch(
    /^Uint8Array\(141\) \[\s+‹secret:KEY:first100\.bytes~\w+›,\s+\.\.\. 41 more items\s+\]$/,
  );
  const lines = inspect(new Uint8Array(bytes)).split('\n').map(redact);
  expect(lines.filter((line) => line.includes('‹secret:KEY:part'))).toHaveLength(2);
});

test('ordinary numbers stay as they are', () => {
  for (const text of [
    '115, 107, 45, 108',
    '2026-11-16 05:45:48,123 115 107 45 108 105.118 101 45 52',
    '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 115, 107, 45, 1080, 105, 118]',
    '{"a":115,"b":107,"c":45,"d":108}',
  ])
    expect(redact(text)).toBe(text);
  const byte = fc.integer({ min: -300, max: 300 });
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 200 }), fc.constantFrom(',', ', ', ' ', '\n'), (list, gap) => {
      const text = list.join(gap);
      expect(redact(text)).toBe(text);
    }),
  );
});

test('lists take the time of their length', () => {
  for (const tail of ['\\', '\\n', ',\\', '"\\'])
    expect(redact(`1, 2, 3, 4, 5, 6, 7${tail.repeat(200)}]8`)).toContain('7');
  for (const piece of ['115, ', ' ', '\\n', '"0":115,', '0x73, ', '0x', '-1 ', `${[...bytes].join()},`]) {
    const text = piece.repeat(700_000 / piece.length);
    expect(
      cpuMs(() => redact(text)),
      piece,
    ).toBeLessThan(4_000);
  }
});
