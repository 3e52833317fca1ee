import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createRedactor, type Redactor, showSecrets } from './redaction.ts';

const base62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const keyOf = (length: number): string =>
  [...hash('sha512', `key of ${length}`, 'buffer'), ...hash('sha512', `more of ${length}`, 'buffer')]
    .slice(0, length)
    .map((byte) => base62[byte % 62])
    .join('');
const lengths = Array.from({ length: 59 }, (_, index) => index + 12);
const columns = [16, 17, 18, 19, 20, 21, 22, 23, 24, 30, 32, 40, 48, 60, 64, 76];
/** In front of the key, so that it begins at every place of a group, and of a line. */
const fronts = ['', 'u', 'u:', 'me:', 'user:', 'user1:', 'ab'];

/** More of a key than this many characters may not stay. */
const notations = { plain: 16, base64: 16, base64url: 16, hex: 24, HEX: 24 } as const;
type Notation = keyof typeof notations;

function written(text: string, as: Notation): string {
  if (as === 'plain') return text;
  return as === 'HEX' ? Buffer.from(text).toString('hex').toUpperCase() : Buffer.from(text).toString(as);
}

/** Where the key is in what is written, without characters that it shares with its neighbours. */
function placeOf(front: string, key: string, as: Notation): readonly [from: number, to: number] {
  const per = { plain: 1, base64: 4 / 3, base64url: 4 / 3, hex: 2, HEX: 2 }[as];
  return [Math.ceil(front.length * per), Math.floor((front.length + key.length) * per)];
}

/** A log in columns, its lines by themselves, and what is left where something was cut. */
function waysToSee(seen: string, from: number): readonly string[] {
  const wraps = columns.map((width) => seen.match(new RegExp(`.{1,${width}}`, 'g')) ?? []);
  const half = seen.length >> 1;
  return [
    ...wraps.map((lines) => `before\n${lines.join('\n')}\nafter`),
    ...wraps.flat(),
    `tail ${seen.slice(from + 5)}`,
    `half ${seen.slice(half)}`,
    `${seen.slice(from + 4, -4)} is the middle`,
    `"${seen.slice(0, half)}"\n"${seen.slice(half)}"`,
  ];
}

function expectNothing(redactor: Redactor, key: string): void {
  for (const [as, most] of Object.entries(notations) as [Notation, number][])
    for (const front of fronts) {
      const seen = written(front + key, as);
      const [from, to] = placeOf(front, key, as);
      for (const text of waysToSee(seen, from)) {
        const clean = redactor.redact(text);
        for (let at = from; at + most <= to; at += 1)
          if (clean.includes(seen.slice(at, at + most)))
            expect.fail(`${as} of ${key} after "${front}" in ${text} is ${clean}`);
      }
    }
}

describe('no piece of a key stays, in any notation, at any place, in columns or cut', () => {
  test.each(lengths)('of %i characters', (length) => {
    const key = keyOf(length);
    expectNothing(createRedactor({ KEY: key }), key);
  });

  test.each([24, 31])('of %i characters, among other secrets and in one that is its base64', (length) => {
    const key = keyOf(length);
    const others = Object.fromEntries(lengths.slice(-4).map((other) => [`OTHER${other}`, keyOf(other)]));
    expectNothing(createRedactor({ CODED: written(key, 'base64'), KEY: key, ...others }), key);
    expectNothing(createRedactor({ ...others, KEY: key, DIGITS: written(key, 'hex') }), key);
    expectNothing(createRedactor({ SETTINGS: JSON.stringify({ user: 'me', api_key: key }) }), key);
  });
});

test('a piece of base64 that needs no padding, and of digits, can be shown again', () => {
  const key = keyOf(24);
  const { redact } = createRedactor({ KEY: key });
  const base64 = `tail ${written(key, 'base64').slice(4)}`;
  expect(redact(base64)).toBe('tail ‹secret:KEY:base64+0.part4-32›');
  const digits = `tail ${written(key, 'hex').slice(10)}`;
  expect(redact(digits)).toBe('tail ‹secret:KEY:hex.part10-48›');
  for (const seen of [base64, digits]) expect(showSecrets(redact(seen), () => key)).toBe(seen);
  expect(redact(`<${written(key, 'base64')}>`)).toBe('<‹secret:KEY:base64›>');
});

test('digits that a key has in common with others stay: what its words spell, and what goes on', () => {
  const { redact } = createRedactor({ KEY: `sk-live-orders-${keyOf(24)}` });
  for (const text of [
    Buffer.from('sk-live-orders-').toString('hex'),
    Buffer.from(`sk-live-orders-${keyOf(25)}`).toString('hex'),
    `${hash('sha256', 'x')} ${hash('sha512', 'y')}`,
  ])
    expect(redact(text)).toBe(text);
});
