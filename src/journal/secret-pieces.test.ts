import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor, showSecrets } from './redaction.ts';
import { asBytes } from './secret-forms.ts';

const base62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** As somebody draws one: each sign as often as the others, also in a counterexample. */
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
      // Between signs, a few letters may be a word, which tells only with what is beside it.
      const each = /\W/.test(seen) ? '' : lines.map((line) => redactor.redact(line)).join('\n');
      // Of base64 not what the user's name is a part of, nor what depends on what follows.
      const [from, to] = isEncoded ? [7, seen.length - 4] : [0, seen.length];
      for (const text of [clean, first + redactor.redactBytes(rest), each])
        for (let at = from; at + 8 <= to; at += 1)
          expect(text.includes(seen.slice(at, at + 8)), `${seen.slice(at, to)} in ${text}`).toBe(false);
      const ends = [pieces[0]?.slice(said.length) ?? '', pieces.at(-1) ?? ''];
      for (const end of ends) if (!isEncoded && end.length >= 4) expect(clean).not.toContain(end);
    }),
    { numRuns: 500 },
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

test('no words are hidden, nor what others have in common with a key', () => {
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

function wrap(text: string, width: number): string {
  return (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join('\n');
}
