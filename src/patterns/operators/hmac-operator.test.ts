import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { checkPattern } from '../check-pattern.ts';
import { matchPattern } from '../match-pattern.ts';
import { applyMutant } from '../mutants/mutant.ts';
import { mutantsAbout } from '../mutants/mutants-about.ts';
import { parsePath } from '../value-path.ts';

const key = 'a-key-for-tests';
const raw = '{"id": 7, "to": "Jörg"}';
const mac = (text: string, form: 'hex' | 'base64' = 'hex', algorithm = 'sha256') =>
  createHmac(algorithm, key).update(text).digest(form);
const message = (headers: object, more: object = {}) => ({
  headers,
  json: { id: 7, to: 'Jörg' },
  rawBody: raw,
  bytes: Buffer.byteLength(raw),
  ...more,
});

const github = { key, in: 'headers.x-hub-signature-256', prefix: 'sha256=' };
const signed = message({ 'x-hub-signature-256': `sha256=${mac(raw)}` });

describe('the ways in which webhooks are signed', () => {
  test.each<[string, object, object]>([
    ['GitHub', github, signed],
    [
      'Stripe',
      { key, in: 'headers.stripe-signature', field: 'v1', of: '{t}.{body}' },
      message({ 'stripe-signature': `t=17,v1=${mac('other')}, v1=${mac(`17.${raw}`)},v0=x` }),
    ],
    [
      'Slack',
      {
        key,
        in: 'headers.x-slack-signature',
        prefix: 'v0=',
        of: 'v0:{headers.x-slack-request-timestamp}:{body}',
      },
      message({
        'x-slack-request-timestamp': '17',
        'x-slack-signature': `v0=${mac(`v0:17:${raw}`)}`,
      }),
    ],
    [
      'Svix',
      {
        key: Buffer.from(key).toString('base64'),
        keyEncoding: 'base64',
        in: 'headers.svix-signature',
        prefix: 'v1,',
        encoding: 'base64',
        of: '{headers.svix-id}.{body}',
      },
      message({ 'svix-id': 'm', 'svix-signature': `v1,old v1,${mac(`m.${raw}`, 'base64')}` }),
    ],
    [
      'Mailgun',
      { key, in: 'json.signature', of: '{json.timestamp}{json.token}', algorithm: 'sha512' },
      { json: { timestamp: 17, token: 'x', signature: mac('17x', 'hex', 'sha512') } },
    ],
  ])('%s', (_, $hmac, value) => {
    expect(matchPattern({ $hmac }, value)).toMatchObject({ matched: true });
    expect(matchPattern({ $hmac: { ...$hmac, key: 'bm9uZQ==' } }, value)).toMatchObject({ matched: false });
    expect(matchPattern({ $not: { $hmac: { ...$hmac, key: 'bm9uZQ==' } } }, value).matched).toBe(true);
  });
});

test('what it says has the right signature and the observed one, and not the key', () => {
  const wrong = message({ 'x-hub-signature-256': 'sha256=0123' });
  const result = matchPattern({ $hmac: github }, wrong);
  expect(result.mismatches).toEqual([
    {
      path: '$.headers.x-hub-signature-256',
      expected: expect.stringMatching(/^sha256=.*the HMAC-SHA256 of \{body\} in headers/),
      observed: '"sha256=0123"',
    },
  ]);
  expect(JSON.stringify(result)).not.toContain(key);
  expect(JSON.stringify(checkPattern({ $hmac: { ...github, keys: 1 } }))).toContain('has the key keys');
});

test('every mutant of what it reads is found: of the signature, of the bytes, and of the JSON that they are', () => {
  const { reads, matched } = matchPattern({ $hmac: github }, signed);
  expect(matched).toBe(true);
  expect(reads).toContain('$.rawBody');
  expect(reads).toContain('$.json.to');
  for (const path of reads.filter((one) => one !== '$.json')) {
    const keys = parsePath(path) ?? [];
    const value = keys.reduce<unknown>((inner, one) => Reflect.get(inner as object, one), signed);
    for (const mutant of mutantsAbout(value, keys))
      expect(matchPattern({ $hmac: github }, applyMutant(signed, mutant)).matched, mutant.what).toBe(false);
  }
});

test.each<[string, object, RegExp]>([
  ['JSON without its text', { rawBody: undefined }, /is not there as exact text; .*header whose name has/],
  ['a beginning', { truncated: true }, /not kept as a whole/],
  [
    'a text in another encoding',
    { rawBody: undefined, json: undefined, text: 'x' },
    /not there as exact text/,
  ],
  [
    'a packed body',
    { headers: { ...signed.headers, 'content-encoding': 'gzip' } },
    /packed, and its bytes as they were sent/,
  ],
  ['a secret in it', { rawBody: raw.replace('Jörg', '‹secret:NAME›') }, /contains the secret NAME/],
])('%s is neither right nor wrong', (_, more, open) => {
  const result = matchPattern({ $hmac: github }, { ...signed, ...more });
  expect(result).toMatchObject({ matched: false, open: expect.stringMatching(open) });
});

test('a signature over a part that is missing is wrong', () => {
  const of = 'v0:{headers.x-timestamp}:{body}';
  const $hmac = { key, in: 'headers.x-signature', prefix: 'v0=', of };
  const without = message({ 'x-signature': `v0=${mac(`v0::${raw}`)}` });
  expect(matchPattern({ $hmac }, without)).toMatchObject({ matched: false });
  expect(matchPattern({ $not: { $hmac } }, without).matched).toBe(true);
  const stripe = { key, in: 'headers.stripe-signature', field: 'v1', of: '{t}.{body}' };
  const undated = message({ 'stripe-signature': `v1=${mac(`.${raw}`)}` });
  expect(matchPattern({ $hmac: stripe }, undated)).toMatchObject({ matched: false });
});

test('a key of which only a token is kept leaves it open', () => {
  const result = matchPattern({ $hmac: { ...github, key: '‹secret:HOOK›' } }, signed);
  expect(result.open).toMatch(/secret HOOK, of which only a token is kept: give the check a key of the test/);
});

test.each<[object, RegExp]>([
  [{ key }, /has no `in`/],
  [{ in: 'headers.x' }, /has no `key`/],
  [{ ...github, key: '' }, /has no text as `key`/],
  [{ ...github, of: 'constant' }, /signs the same text whatever was sent/],
  [{ ...github, of: '{t}.{body}' }, /signs \{t\}, and has no `field`/],
  [{ ...github, algorithm: 'md5' }, /the algorithm "md5", which may be sha256/],
  [{ ...github, in: 'a..b' }, /not a path/],
])('%j is refused', ($hmac, what) => {
  const [fault] = checkPattern({ $hmac });
  expect(fault?.what).toMatch(what);
  expect(checkPattern({ $hmac: { ...github, key: '${env.KEY}' } })).toEqual([]);
});
