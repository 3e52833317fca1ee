import { generateKeyPairSync, hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuMs } from '../../test/harness/cpu-time.ts';
import { createRedactor, showSecrets } from './redaction.ts';
import { asBytes } from './secret-forms.ts';

const base62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** As one is generated: each character as often as the others, also in a counterexample. */
const drawn = (alphabet: string, minLength: number) =>
  fc.noShrink(fc.noBias(fc.string({ minLength, maxLength: 200, unit: fc.constantFrom(...alphabet) })));
const key = fc.oneof(
  drawn(base62, 24),
  drawn('0123456789abcdef', 24),
  drawn(`${base62}+/`, 40),
  drawn(`${base62}!$%^*~`, 40),
);
const left = ['', '    ', '│ ', '[11/16/26 15:12:32] INFO     ', '> ', 'svc-1  | '];
const right = ['', ' svc.py:8', ' │', ' \\', '…', `${' '.repeat(60)}main.py:117`];
const wrapped = fc.record({
  key,
  said: fc.constantFrom('', 'key=', 'calling provider with key '),
  width: fc.integer({ min: 20, max: 120 }),
  left: fc.constantFrom(...left),
  right: fc.constantFrom(...right),
});

/** Its base64 after five bytes begins with a sign, which letters are next to. */
const signFirst = {
  key: '~kx~zgzazhHbFy4tx5KbxTEuORR~vcP6MJ0R7uGASwhY*3afGJTa0VYdnEhzaJeX10mM',
  said: 'calling provider with key ',
  width: 112,
  left: '',
  right: ' │',
};

test('pieces of a long key are found however it is wrapped: in a whole text, in bytes that go on, and line by line', () => {
  fc.assert(
    fc.property(wrapped, fc.boolean(), ({ key, said, width, left, right }, isEncoded) => {
      const redactor = createRedactor({ KEY: key });
      const seen = isEncoded ? Buffer.from(`user:${key}`).toString('base64') : key;
      const pieces = wrap(said + seen, width).split('\n');
      const lines = pieces.map((line) => `${left}${line}${right}`);
      const whole = `before\n${lines.join('\n')}\nafter\n`;
      const clean = redactor.redact(whole);
      expect(redactor.redact(clean)).toBe(clean);
      const { clean: first, rest } = redactor.redactBeginning(
        `${'x\n'.repeat(50)}${asBytes(whole)}${' '.repeat(redactor.reachBytes - whole.length / 2)}`,
      );
      // Between signs, a few letters may be a word, which counts only with what is next to it.
      const each = /\W/.test(seen) ? '' : lines.map((line) => redactor.redact(line)).join('\n');
      // Of base64 not what includes the user's name, and not what depends on what follows.
      const [from, to] = isEncoded ? [7, seen.length - 4] : [0, seen.length];
      for (const [text, most] of [
        [clean, 8],
        [first + redactor.redactBytes(rest), 8],
        [each, 20],
      ] as const)
        for (let at = from; at + most <= to; at += 1)
          expect(text.includes(seen.slice(at, at + most)), `${seen.slice(at, to)} in ${text}`).toBe(false);
      const ends = [pieces[0]?.slice(said.length) ?? '', pieces.at(-1) ?? ''];
      for (const end of ends) if (!isEncoded && end.length >= 4) expect(clean).not.toContain(end);
    }),
    { numRuns: 500, examples: [[signFirst, true]] },
  );
});

const openai = `sk-proj-${'Qm7xT2vLr9YpK4wN8cZsD1fGhJ3bV6aE0uXiOqRtWyPlMkNjHgFdSaZxCvBnM5Q2wE4rT6yU8iO0pAsT3BlbkFJp7Kd2Zs'}`;
const jwt = (payload: object, signature: string): string =>
  [{ alg: 'HS256', typ: 'JWT' }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat(signature)
    .join('.');

test('pieces are found in colours, in JSON, in a box and cut at a limit, and can be shown again', () => {
  const redactor = createRedactor({ KEY: openai });
  const [one, two] = [openai.slice(0, 40), openai.slice(40)];
  for (const [seen, clean] of [
    [
      `key ${one}    \x1b[2msvc.py\x1b[0m\n    ${two}`,
      'key ‹first40›    \x1b[2msvc.py\x1b[0m\n    ‹part40-102›',
    ],
    [JSON.stringify(`│ ${one} │\n│ ${two} │`), '"│ ‹first40› │\\n│ ‹part40-102› │"'],
    [`"${openai.slice(0, 24)}" is wrong`, '"‹first24›" is wrong'],
    [`${openai.slice(0, 6)} \\\n  ${openai.slice(6, 60)}`, '‹first6› \\\n  ‹part6-60›'],
    [`it ends with ${openai.slice(-12)}`, 'it ends with ‹part90-102›'],
  ] as const) {
    expect(redactor.redact(seen).replaceAll('secret:KEY:', '')).toBe(clean);
    expect(showSecrets(redactor.redact(seen), () => openai)).toBe(seen);
  }
});

test('a key with other characters, and what is left of it next to words, is found', () => {
  const key = 'sk-live-4f9Qm2Xr8Lt0VbN6cWy3';
  const aws = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYzEXAMPLKEY';
  const { redact } = createRedactor({ KEY: key, AWS: aws, END: 'Pf7Wm4Kr2Lt9VbN3cXy5Hd.live' });
  const other = redact(key.replaceAll('-', '_'));
  for (const [seen, clean] of [
    [`calls{key="${key.replaceAll('-', '_')}"} 1`, `calls{key="${other}"} 1`],
    [`key_${key.slice(8)}`, 'key_‹secret:KEY:part8-28›'],
    [`tenant-${key.slice(8)}`, 'tenant-‹secret:KEY:part8-28›'],
    [`/keys/${key.slice(8)}/orders2`, '/keys/‹secret:KEY:part8-28›/orders2'],
    [`${key.slice(8)}_2026.json`, '‹secret:KEY:part8-28›_2026.json'],
    // What is joined by the sign ends, or begins, like what the key has there.
    [`cache-${key.slice(8)}`, 'cache-‹secret:KEY:part8-28›'],
    [`m-${key.slice(8)}`, 'm-‹secret:KEY:part8-28›'],
    [`store-${key.slice(8)}.json`, 'store-‹secret:KEY:part8-28›.json'],
    [`archive-${key.slice(8)}-lists`, 'archive-‹secret:KEY:part8-28›-lists'],
    ['Pf7Wm4Kr2Lt9VbN3cXy5Hd.liabilities', '‹secret:END:first22›.liabilities'],
  ])
    expect(redact(seen ?? '')).toBe(clean);
  const files = ['_', '-', '.'].map((sign) => redact(`cache ${aws.replaceAll('/', sign)}.json`));
  for (const clean of [other, ...files])
    expect(clean).toMatch(/^(?:cache )?‹secret:[A-Z]+:signs~\w{8}›(?:\.json)?$/);
  expect(new Set(files).size).toBe(3);
});

test('a key is found in base64 of a text, whatever signs are escaped there and how, and so is a piece of it', () => {
  const key = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYzEXAMPLKEY';
  const { redact } = createRedactor({ KEY: key });
  for (const spelled of [
    key.replaceAll('/', '\\/'),
    key.replaceAll('+', '\\u002B'),
    key.replaceAll('/', '&#x2F;').replaceAll('+', '%2b'),
    JSON.stringify(JSON.stringify(key).replaceAll('/', '\\/')),
    key.slice(4, 30),
  ])
    for (const margin of ['', ' ', '  '])
      for (const as of ['base64', 'base64url'] as const) {
        const seen = Buffer.from(`{"k":"${margin}${spelled}"}`).toString(as);
        const clean = redact(`<${seen}.${seen}>`);
        expect(clean).toMatch(/^(?:[<.]eyJrIj\w{1,9}‹secret:KEY:[^›]+›\w{1,9}={0,2}){2}>$/);
        expect(redact(clean)).toBe(clean);
      }
});

/** As `od -tx1`, `xxd` and `hexdump -C` print it: so many bytes on a line, in groups, with what is before, between and behind them. */
function dump(
  bytes: Buffer,
  width: number,
  group: number,
  gap: string,
  [before, behind]: readonly string[],
): string {
  const lines = Array.from({ length: Math.ceil(bytes.length / width) }, (_, index) => {
    const line = bytes.subarray(index * width, (index + 1) * width);
    const groups = line.toString('hex').match(new RegExp(`.{1,${2 * group}}`, 'g')) ?? [];
    const offset = before === '' ? '' : `${(index * width).toString(16).padStart(8, '0')}${before}`;
    return `${offset}${groups.join(gap)}${behind}`;
  });
  return lines.join('\n');
}

test.each([
  ['od -An -tx1', 16, 1, ' ', ['', '']],
  ['od -tx1', 16, 1, ' ', [' ', '']],
  ['od -tx1 -w8', 8, 1, ' ', [' ', '']],
  ['xxd', 16, 2, ' ', [': ', '  ................']],
  ['xxd -c 10', 10, 2, ' ', [': ', '  ..........']],
  ['hexdump -C', 16, 8, '  ', ['  ', '  |................|']],
  ['openssl -text', 15, 1, ':', ['', ':']],
] as const)('a key is found in a dump over several lines: %s', (name, width, group, gap, around) => {
  const key = '7Tq-Lm2Xw9Rt4Vb7Ny3Kc6Hd1Zs8Pf5Gj0Wk';
  const isSplit = name === 'hexdump -C';
  const { redact } = createRedactor({ KEY: key });
  const other = createRedactor({ KEY: '8Uq-Mn3Yv0Su5Wc8Oz4Ld7Ie2At9Qg6Hk1Xl' });
  for (const said of ['', 'x', 'k=']) {
    const plain = dump(Buffer.from(said + key), width, group, gap, around);
    const seen = isSplit
      ? plain.replaceAll(/[0-9a-f]{10,}/g, (all) => all.replaceAll(/..(?=.)/g, '$& '))
      : plain;
    for (const text of [seen, seen.toUpperCase()]) {
      const clean = redact(text);
      const whole = Buffer.from(clean.replaceAll(/‹[^›]*›|^[0-9A-F]{8}:? ?|\W/gim, ''), 'hex').toString();
      expect(whole.replace(said, '').length, clean).toBeLessThan(5);
      expect(showSecrets(clean, () => key)).toBe(text);
      expect(other.redact(text)).toBe(text);
    }
  }
});

test('the body of a PEM is found in the other alphabet of base64, without its lines', () => {
  const der = drawnBytes(190, 'der');
  const pem = `-----BEGIN PRIVATE KEY-----\n${wrap(der.toString('base64'), 64)}\n-----END PRIVATE KEY-----\n`;
  const { redact } = createRedactor({ PEM: pem });
  expect(redact(der.toString('base64url')).replaceAll(/‹secret:PEM:[^›]+›/g, '')).toBe('');
});

test('a key in base64, as a variable has it, is found line by line where it is printed like a PEM', () => {
  const bytes = Array.from({ length: 300 }, (_, index) => (index * index * 7 + index * 31) % 251);
  const base64 = Buffer.from(bytes).toString('base64');
  const lines = wrap(base64, 64).split('\n');
  const { redact } = createRedactor({ KEY: base64 });
  expect(lines.map(redact)).toEqual(
    lines.map((line, index) =>
      index === 0 ? '‹secret:KEY:first64›' : `‹secret:KEY:part${index * 64}-${index * 64 + line.length}›`,
    ),
  );
});

test('no words are hidden, and neither is what others have in common with a key', () => {
  const secrets = {
    KEY: openai,
    URL: 'postgresql://app:Zq8vT3nLw0XyRb71KdPm4sHc@ep-cool-dawn-a1b2c3d4.us-east-2.aws.neon.tech:5432/orders2?sslmode=require',
    HOOK: 'https://a1b2c3d4e5f6g7h8.execute-api.us-east-1.amazonaws.com/production',
    SENTENCE: 'The quick brown fox jumps over 13 lazy dogs, says OrderService at 10.0.0.12:8080',
    SLUG: 'shop-production-eu-central-1-api-key-2026-11-16-f3a9b2c8d7e6',
    AZURE:
      'DefaultEndpointsProtocol=https;AccountName=storage1;AccountKey=q1W2e3R4t5Y6u7I8o9P0aSdFgHjKlZxC==',
    JWT: jwt({ iss: 'supabase', ref: 'abc', role: 'service_role' }, 'Qm7xT2vLr9YpK4wN8cZsD1fGhJ3bV6aE'),
    PEM: `-----BEGIN PRIVATE KEY-----\nMIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQC7VJTUt9Us8cKj\n-----END PRIVATE KEY-----`,
  };
  const redactor = createRedactor(secrets);
  for (const text of [
    'connected to ep-cool-dawn-a1b2c3d4.us-east-2.aws.neon.tech:5432/orders2 as app with sslmode=require',
    'POST https://a1b2c3d4e5f6g7h8.execute-api.us-east-1.amazonaws.com/staging/orders',
    'The quick brown fox jumps over the fence, OrderService at 10.0.0.12:8080 is ready',
    'shop-production-eu-central-1 is up since 2026-11-16, api-key-2026-11-16 is used',
    'DefaultEndpointsProtocol=https AccountName=storage1 is used',
    'keys begin with sk-proj-, those of others with sk-',
    'sk-proj-Rn8yU3wMs0ZqL5xO9dAtE2gHiK4cW7bF1vYjPrSuXzQmNlOkIhGeTbAyDwCoN6R3T3BlbkFJzzzz',
    jwt({ iss: 'supabase', ref: 'abc', role: 'anon' }, 'Rn8yU3wMs0ZqL5xO9dAtE2gHiK4cW7bF'),
    'MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQDZz2yJwq0m6dVQ',
  ])
    expect(redactor.redact(text)).toBe(text);
  fc.assert(
    fc.property(fc.uuid(), fc.uint8Array({ minLength: 32, maxLength: 99 }), (uuid, bytes) => {
      const text = [
        uuid,
        ...(['hex', 'base64', 'base64url'] as const).map((as) => Buffer.from(bytes).toString(as)),
      ].join(' ');
      expect(redactor.redact(text)).toBe(text);
    }),
  );
});

const drawnBytes = (count: number, seed: string): Buffer =>
  Buffer.concat(
    Array.from({ length: Math.ceil(count / 32) }, (_, index) => hash('sha256', `${seed}${index}`, 'buffer')),
  ).subarray(0, count);
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const uuids = ['6fa1b2c4-83de-11ef-9a4b-0242ac120002', '6fa1b9f0-83de-11ef-9a4b-0242ac120002'] as const;
/** As they are in examples, in use, and made by programs. */
const manyKeys: readonly string[] = [
  'sk-1234567890abcdef1234567890abcdef',
  '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  '00000000000000000000000000000a01',
  `sk-ant-api03-${'a'.repeat(80)}1A`,
  'a1b2c3d4e5f6a1b2c3d4e5f6a1b2c3d4e5f6',
  'abcd1234abcd1234abcd1234abcd1234',
  'deadbeefdeadbeefdeadbeefdeadbeef',
  'password123password123password123',
  'test-key-for-integration-tests-12345678',
  '11223344556677889900aabbccddeeff',
  uuids[0],
  jwt({ sub: 'orders' }, drawnBytes(32, 'jwt').toString('base64url')),
  'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  'DATABASE_HOST=ep-cool-dawn-a1b2c3d4.us-east-2.aws.neon.tech\nDATABASE_PASSWORD=Zq8vT3nLw0XyRb71\nREGION=eu-central-1',
  'postgresql+asyncpg://orders_service:Vq7mZ2pL9xKd4Rt8wBn3@orders-db.internal:5432/orders',
  `${drawnBytes(30, 'z').toString('base64')}${'A'.repeat(400)}${drawnBytes(30, 'zz').toString('base64')}`,
  ...Array.from({ length: 11 }, (_, index) => [
    drawnBytes(16 + 3 * index, `a${index}`).toString('hex'),
    drawnBytes(24 + 9 * index, `b${index}`).toString('base64'),
    `sk_live_${drawnBytes(24 + 3 * index, `c${index}`).toString('base64url')}`,
  ]).flat(),
];

test('what is not a secret stays as it is, whatever the keys are', () => {
  const redactors = manyKeys.map((key) => createRedactor({ KEY: key }));
  expect(redactors).toHaveLength(50);
  const stays = (text: string): void => {
    for (const [index, { redact }] of redactors.entries())
      if (redact(text) !== text)
        expect.fail(`${manyKeys[index]?.slice(0, 40)} in ${redact(text).match(/.{0,40}‹.{0,60}/)?.[0]}`);
  };
  const spki = String(publicKey.export({ type: 'spki', format: 'pem' }));
  for (const text of [
    'order 1234567890 and phone 12345678, {"id":12345678}, 0123456789abcdef, 00000000000000000000',
    'AAAAAAAA, aaaaaaaaaaaaaaaaaaaa, abcdef, a1b2c3d4, a1b2c3d4e5f6, abcd1234, deadbeef, password123',
    `${uuids[1]} ${uuids[1].slice(9)} 83de-11ef-9a4b-0242ac120002`,
    jwt({}, '').split('.')[0] ?? '',
    `${jwt({}, '').split('.')[0]}.${drawnBytes(60, 'other').toString('base64url')}`,
    spki,
    spki.replaceAll('\n', '\\n'),
    'connected to ep-cool-dawn-a1b2c3d4.us-east-2.aws.neon.tech in eu-central-1',
    'postgresql+asyncpg://orders_service:***@orders-db.internal:5432/orders',
    'postgresql+asyncpg://orders_service\n  GET orders-db.internal:5432/orders',
    ...['src/journal/redaction.ts', 'CHANGELOG.md'].map((file) =>
      readFileSync(path.join(import.meta.dirname, '../..', file), 'latin1'),
    ),
    ...manyKeys
      .slice(17)
      .flatMap((key) => [
        `x${key.slice(12, 29)} ${key.slice(0, 20)}Zz ${key.slice(0, 14)}+Zz ${key.slice(0, 10)}`,
        `id-${key.slice(9, 26)} ${key.slice(9, 26)}_orders id-x${key.slice(9, 27)}`,
      ]),
  ])
    stays(text);
  fc.assert(
    fc.property(
      fc.uuid(),
      fc.noBias(fc.uint8Array({ minLength: 32, maxLength: 99 })),
      fc.integer(),
      (id, drawn, number) => {
        const bytes = Buffer.from(drawn);
        const spelled = (['hex', 'base64', 'base64url'] as const).map((as) => bytes.toString(as));
        stays(`${id} ${number} ${spelled.join('\n')} ${jwt({ id, number }, bytes.toString('base64url'))}`);
      },
    ),
    { numRuns: 30 },
  );
});

test('a text takes the time of its length, whatever key and text are', () => {
  const zeros = (before: number) =>
    Buffer.concat([drawnBytes(before, 'x'), Buffer.alloc(300), drawnBytes(600, 'y')]).toString('base64');
  const key = drawnBytes(600, 'x').toString('base64');
  const url = 'postgresql://app:Zq8vT3nLw0Xy@db.internal:5432/orders';
  for (const [secret, piece] of [
    [zeros(600), 'A'],
    [zeros(0), 'A'],
    [key, `${key.slice(20, 44)}\n`],
    [key, `${key.slice(20, 44)} x`],
    [key, Buffer.from(key).toString('base64').slice(20, 44)],
    [key, `${Buffer.from(key).toString('base64').slice(20, 44)}/0`],
    [key, `${key.slice(0, 5)}...`],
    [key, '.'],
    [url, 'postgresql://app\n'],
    [url, url.replaceAll(/.{18}/g, '$&\n')],
  ] as const) {
    const { redactBytes } = createRedactor({ KEY: secret });
    const text = piece.repeat(700_000 / piece.length);
    // Ten times what it takes, and a twentieth of what it took where every place was compared with all of the key.
    expect(
      cpuMs(() => redactBytes(text)),
      piece,
    ).toBeLessThan(4_000);
  }
});

test('what overlaps with something else that is hidden is hidden up to there', () => {
  expect(createRedactor({ KEY: 'abc9abc9abc9' }).redact('<abc9abc9abc9abc9>')).toBe(
    '<‹secret:KEY›‹secret:KEY:part8-12›>',
  );
  const two = createRedactor({ A: 'first-Zq81Lm', B: 'Zq81LmNopXyz', C: 'NopXyz77KdR4' });
  expect(two.redact('first-Zq81LmNopXyz77KdR4.')).toBe('‹secret:A:part0-6›‹secret:B›‹secret:C:part6-12›.');
});

test.each([12, 20, 29])(
  'an address that is wrapped is hidden with all of its password, of %i characters',
  (length) => {
    const password = 'Vq7mZ2pL9xKd4Rt8wBn3Hc5Yg1Fj6'.slice(0, length);
    const url = `postgresql+asyncpg://orders_service:${password}@orders-db.internal:5432/orders`;
    const redactor = createRedactor({ URL: url });
    for (const margin of ['', ' '.repeat(29), '│ ', 'svc-1  | '])
      for (let width = 38; width < url.length; width += 1) {
        const lines = wrap(url, width).split('\n');
        const seen = `${margin}to ${lines.join(`    svc.py:7\n${margin}`)}\nthen`;
        const clean = redactor.redact(seen);
        for (const line of lines) if (line.length > 3) expect(clean).not.toContain(line);
        expect(showSecrets(clean, () => url)).toBe(seen);
        const alone = lines.map(redactor.redact).join('');
        expect(alone).not.toContain(password);
      }
  },
);

function wrap(text: string, width: number): string {
  return (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join('\n');
}
