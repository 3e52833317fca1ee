import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactEvent } from './redact-event.ts';
import { redactValues } from './redact-values.ts';
import { createRedactor } from './redaction.ts';
import { inForm, spellings } from './secret-forms.ts';

const value = 'sk-9f"x/é+ k&é~3?>zQ';

type Encode = (text: string) => string;

/** Everything that a program may do to a value before it prints it. */
const encoders: Readonly<Record<string, Encode>> = {
  raw: (text) => text,
  ...Object.fromEntries(spellings.map(([label, , spell]) => [label, spell])),
  'url-search': (text) => new URLSearchParams({ a: text }).toString().slice(2),
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  bare: (text) => Buffer.from(text).toString('base64').replaceAll('=', ''),
  basic: (text) => Buffer.from(`user:${text}`).toString('base64'),
  shifted: (text) => Buffer.from(`x${text}y`).toString('base64'),
  hex: (text) => Buffer.from(text).toString('hex'),
  'hex-upper': (text) => Buffer.from(text).toString('hex').toUpperCase(),
};
const outermost: Readonly<Record<string, Encode>> = {
  'hex-colon': (text) => (Buffer.from(text).toString('hex').match(/../g) ?? []).join(':'),
  'wrapped-64': (text) => wrap(Buffer.from(`${'a'.repeat(50)}${text}`).toString('base64'), 64),
  'wrapped-76': (text) => wrap(Buffer.from(`${'a'.repeat(70)}${text}`).toString('base64'), 76),
};

function wrap(text: string, width: number): string {
  return (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join('\n');
}

describe('each form is found', () => {
  const redactor = createRedactor({ KEY: value });
  test.each(Object.entries({ ...encoders, ...outermost }))('%s', (label, encode) => {
    const clean = redactor.redact(`<<${encode(value)}>>`);
    expect(clean).toContain('‹secret:KEY');
    if (label === 'raw') expect(clean).toBe('<<‹secret:KEY›>>');
    else expect(clean).not.toContain('‹secret:KEY›');
    expect(redactor.redact(clean)).toBe(clean);
    const bytes = Buffer.from(`<<${encode(value)}>>`).toString('latin1');
    expect(Buffer.from(redactor.redactBytes(bytes), 'latin1').toString()).toBe(clean);
  });
});

test('no form survives, nested twice, and different texts stay different', () => {
  const secret = fc
    .oneof(
      fc.string({ minLength: 6, maxLength: 40 }),
      fc.string({ minLength: 6, maxLength: 40, unit: 'grapheme' }),
      fc.string({ minLength: 6, maxLength: 30, unit: fc.constantFrom(...'aZ09%4\\u+/&;= "\'') }),
    )
    .filter(
      (text) => text.trim() === text && text.length >= 6 && new Set(text).size > 3 && text.isWellFormed(),
    );
  const names = Object.keys(encoders);
  fc.assert(
    fc.property(
      secret,
      fc.constantFrom(...names),
      fc.constantFrom(...names),
      fc.constantFrom(...names),
      (text, a, b, c) => {
        const redactor = createRedactor({ KEY: text });
        const clean = (...path: readonly string[]): readonly [string, string] => {
          const seen = path.reduce((inner, name) => (encoders[name] as Encode)(inner), text);
          return [seen, redactor.redact(`[${seen}]`)];
        };
        const [seen, token] = clean(a, b);
        expect(token, `${a} then ${b}: ${seen}`).toContain('‹secret:KEY');
        expect(redactor.redact(token)).toBe(token);
        const [other, otherToken] = clean(c);
        expect(token === otherToken, `${token} and ${otherToken}, of ${seen} and ${other}`).toBe(
          seen === other,
        );
      },
    ),
    { numRuns: 600 },
  );
});

test('a value of several lines is found line by line, wrapped, and whole', () => {
  const pem = `-----BEGIN KEY-----\n${'MIIEvAIBADANBgkqhki'.repeat(3)}\nG9w0BAQEFAASCBKYwggSiAgEAAoIBAQC7\n-----END KEY-----\n`;
  const redactor = createRedactor({ PEM: pem });
  expect(redactor.redact(pem)).toBe('‹secret:PEM›');
  expect(redactor.redact(pem.trim()).match(/‹secret:PEM:line[1-4]›/g)).toHaveLength(4);
  expect(redactor.redact('  > G9w0BAQEFAASCBKYwggSiAgEAAoIBAQC7')).toBe('  > ‹secret:PEM:line3›');
  const wrapped = wrap(Buffer.from(pem).toString('base64'), 76);
  expect(redactor.redact(wrapped)).toMatch(/^‹secret:PEM:base64\.wrapped~[0-9a-f]{8}›$/);
  expect(
    wrapped
      .split('\n')
      .map((line) => redactor.redact(line))
      .join(),
  ).toMatch(/^‹secret:PEM:base64-76-1›,‹secret:PEM:base64-76-2›/);
});

test('keys and numbers of the system are redacted, those of ours stay', () => {
  const redactor = createRedactor({ PIN: '482913', WORD: 'status', KEY: 'k-secret-1' });
  const event = {
    type: 'step.ended',
    sentBytes: 482913,
    evidence: { status: 482913, body: { 'k-secret-1': 1, status: [482913, '482913', 4829131, 482913n] } },
  };
  expect(redactValues(event, redactor)).toEqual({
    type: 'step.ended',
    sentBytes: 482913,
    evidence: {
      status: '‹secret:PIN:number›',
      body: {
        '‹secret:KEY›': 1,
        '‹secret:WORD›': ['‹secret:PIN:number›', '‹secret:PIN›', 4829131, '‹secret:PIN:number›'],
      },
    },
  });
});

test('a token is not redacted again, whatever the secrets are; what only looks like one is', () => {
  const redactor = createRedactor({ secret: 'secret', FORM: 'base64', KEY: 'KEY:' });
  const once = redactor.redact('a secret in base64');
  expect(once).toBe('a ‹secret:secret› in ‹secret:FORM›');
  expect(redactor.redact(once)).toBe(once);
  expect(createRedactor({ KEY: 'sk-12345' }).redact('‹secret:KEY:sk-12345›')).not.toContain('sk-12345');
});

test('what a label names can be made again', () => {
  for (const label of [
    'base64',
    'json.base64',
    'percent',
    'base64.percent',
    'json.json',
    'hex-upper',
    'html',
  ])
    expect(createRedactor({ KEY: value }).redact(inForm(value, label) ?? '')).toBe(`‹secret:KEY:${label}›`);
});

test('of headers that let somebody in only the scheme and tokens are kept', () => {
  const redactor = createRedactor({ KEY: 'sk-declared-key' });
  const headers = {
    authorization: 'Bearer sk-declared-key',
    'proxy-authorization': `Basic ${Buffer.from('user:sk-declared-key').toString('base64')}`,
    'x-api-key': 'short',
    cookie: 'session=abcdefghijkl',
    accept: 'everything',
  };
  const clean = redactEvent({ type: 'call', request: { headers, bytes: 0 } }, redactor);
  expect(clean.request.headers).toEqual({
    authorization: 'Bearer ‹secret:KEY›',
    'proxy-authorization': 'Basic …‹secret:KEY:base64+2›…',
    'x-api-key': '…',
    cookie: '…',
    accept: 'everything',
  });
  expect(redactEvent(clean, redactor)).toEqual(clean);
});

test('a value that was cut short is found too', () => {
  const redactor = createRedactor({ KEY: 'sk-declared-key' });
  expect(redactor.redact('it was "sk-declar…" and sk-pink…')).toBe(
    'it was "‹secret:KEY:first9›…" and sk-pink…',
  );
  expect(redactor.redact(`${'x'.repeat(2000)}sk-declared-`)).toMatch(/x‹secret:KEY:first12›$/);
});
