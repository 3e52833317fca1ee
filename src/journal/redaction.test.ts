import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExactJson } from '../kernel/exact-json.ts';
import { redactEvent } from './redact-event.ts';
import { redactExpectation, redactOurs, redactValues } from './redact-values.ts';
import { createRedactor, showSecrets } from './redaction.ts';
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
  xxd: (text) =>
    (
      Buffer.from(text)
        .toString('hex')
        .match(/.{1,4}/g) ?? []
    ).join(' '),
  'xxd, begun before': (text) =>
    (
      Buffer.from(`x${text}`)
        .toString('hex')
        .match(/.{1,4}/g) ?? []
    ).join(' '),
  'bytes of Node': (text) => JSON.stringify(Buffer.from(text)),
  'bytes of Go': (text) => `[${[...Buffer.from(text)].join(' ')}]`,
  'bytes of Node, over lines': (text) => JSON.stringify(Buffer.from(text), null, 2),
  'bytes of Go source': (text) =>
    `[]byte{${[...Buffer.from(text)].map((byte) => `0x${byte.toString(16).padStart(2, '0')}`).join(', ')}}`,
  'bytes of Python': (text) => `[${[...Buffer.from(text)].join(', ')}]`,
  'bytes of Java': (text) => `[${[...new Int8Array(Buffer.from(text))].join(', ')}]`,
  upper: (text) => text.toUpperCase(),
  csv: (text) => text.replaceAll('"', '""'),
  'shell, sign by sign': (text) => text.replaceAll(/[^A-Za-z0-9_.-]/g, '\\$&'),
  'digits in colours': (text) => text.replaceAll(/\d/g, '\x1b[38;5;36m$&\x1b[0m'),
  'digits in colours, inside JSON': (text) =>
    JSON.stringify(text.replaceAll(/\d/g, '\x1b[36m$&\x1b(B\x1b[m')),
  'a link in a terminal': (text) => text.replace('x', '\x1b]8;;http://a/\x07x\x1b]8;;\x1b\\'),
  'a typed array of Node': (text) => JSON.stringify(new Uint8Array(Buffer.from(text))),
  'octal, as git and psql print it': (text) =>
    [...Buffer.from(text)]
      .map((byte) => (byte < 127 ? String.fromCharCode(byte) : `\\${byte.toString(8)}`))
      .join(''),
  'letters and accents apart': (text) => text.normalize('NFD'),
  'letters and accents apart, percent': (text) => encodeURIComponent(text.normalize('NFD')),
  'letters and accents apart, escaped': (text) =>
    text
      .normalize('NFD')
      .replaceAll(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'UTF-8 read as latin1': (text) => Buffer.from(text).toString('latin1'),
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

test.each([
  ['Python', 'Grün-Häuser-€-2026', "'Gr\\xfcn-H\\xe4user-\\u20ac-2026'"],
  ['escape() of browsers', 'Grün-Häuser-2026', 'Gr%FCn-H%E4user-2026'],
  ['git', 'Grün-Häuser-2026', 'Gr\\374n-H\\344user-2026'],
  ['Python, of a field', '{"password":"Grün-Häuser"}', "'Gr\\xfcn-H\\xe4user'"],
])('code points as %s escapes them', (_, secret, seen) => {
  expect(createRedactor({ KEY: secret }).redact(seen)).toMatch(/^'?‹secret:KEY:[^›]*latin1\.[^›]+›'?$/);
});

test('a password of Basic credentials in latin1 is found', () => {
  const basic = Buffer.from('me:Zk9wqTT7uéLp2mQzHs4v', 'latin1').toString('base64');
  expect(createRedactor({ KEY: 'Zk9wqTT7uéLp2mQzHs4v' }).redact(`Basic ${basic}`)).toBe(
    'Basic bWU6‹secret:KEY:latin1.base64›',
  );
});

test.each([
  ['SQL', "it's-Zq81", "it''s-Zq81", 'quoted'],
  ['a shell', "it's-Zq81", `it'"'"'s-Zq81`, 'quoted-shell'],
  ['another shell', "it's-Zq81", "it'\\''s-Zq81", 'quoted-sh'],
])('quotes as %s doubles them', (_, secret, seen, label) => {
  expect(createRedactor({ KEY: secret }).redact(`<${seen}>`)).toBe(`<‹secret:KEY:${label}›>`);
});

test('what broke off in the middle of a value is found, and less than half of it is not', () => {
  const key = 'sk-Zq8vT3nLw0XyRb71KdPm';
  const redactor = createRedactor({ KEY: key, HOOK: 'https://hooks.example.com/T01/abcd' });
  for (const text of [
    `{"token":"${key.slice(0, 22)}`,
    `broke off after "${key.slice(0, 14)}"\n`,
    Buffer.from(key).toString('base64').slice(0, 18),
  ]) {
    const clean = redactor.redact(text);
    expect(clean).toMatch(/‹secret:KEY:(?:base64\.)?first\d\d›/);
    expect(showSecrets(clean, () => key)).toBe(text);
    expect(redactor.redact(clean)).toBe(clean);
  }
  for (const text of [
    key.slice(0, 11),
    `${key.slice(0, 14)}else`,
    'https://hooks.example.com/T02',
    'https://hooks.example.com/',
  ])
    expect(redactor.redact(text)).toBe(text);
});

test('a plain word in another case is another word', () => {
  expect(createRedactor({ KEY: 'Password' }).redact('PASSWORD password')).toBe('PASSWORD password');
});

test.each(['hex', 'percent-all-lower', 'unicode', 'html-hex', 'base64'])(
  'a form that was cut short leaves nothing: %s',
  (label) => {
    const redactor = createRedactor({ KEY: 'sk-live-Zq81LmNopXyz77Kd' });
    const form = inForm('sk-live-Zq81LmNopXyz77Kd', label) ?? '';
    for (let cut = 1; cut < 12; cut += 1) {
      const seen = form.slice(0, -cut);
      expect(redactor.redact(`${' '.repeat(1100)}${seen}`)).toMatch(/^ *‹secret:KEY:[^›]+›$/);
      expect(redactor.redact(`it said ${seen}… and more`)).toMatch(/^it said ‹secret:KEY:[^›]+›… and more$/);
    }
  },
);

test('a secret inside another, or across its end, has a token of its own, and all can be undone', () => {
  const values = { URL: 'postgres://u:hunter2xyz9@db/app', WORD: 'hunter2xyz9', TAIL: 'app?ssl=1' };
  const redactor = createRedactor(values);
  for (const seen of [`<${values.URL}>`, `<${values.URL}?ssl=1>`, encodeURIComponent(values.URL)]) {
    const clean = redactor.redact(seen);
    expect(clean).toContain('‹secret:WORD›');
    expect(redactor.redact(clean)).toBe(clean);
    expect(showSecrets(clean, (name) => values[name as keyof typeof values])).toBe(seen);
    // Wherever the bytes are cut, no part stays.
    const long = `${seen}${' '.repeat(redactor.reachBytes - 9)}`;
    const { clean: first, rest } = redactor.redactBeginning(long);
    expect(Buffer.from(first + redactor.redactBytes(rest), 'latin1').toString()).toBe(redactor.redact(long));
  }
  expect(redactor.redact(`<${values.URL}?ssl=1>`)).toBe(
    '<‹secret:URL:part0-13›‹secret:WORD›‹secret:URL:part24-28›‹secret:TAIL›>',
  );
});

test('few digits inside a longer number are not a secret', () => {
  const redactor = createRedactor({ PIN: '2026' });
  expect(redactor.redact('run 20261116-054548 of 2026-11-16, 12026, a2026b')).toBe(
    'run 20261116-054548 of ‹secret:PIN›-11-16, 12026, a‹secret:PIN›b',
  );
  const event = { type: 'run.started', startedAt: '2026-11-16T05:45:48.000Z', because: 'it is 2026' };
  expect(redactValues(event, redactor)).toEqual({ ...event, because: 'it is ‹secret:PIN›' });
  expect(redactValues({ json: [2026, 12026, 7] }, redactor).json).toEqual(['‹secret:PIN:number›', 12026, 7]);
});

test('bytes that came as numbers of JSON are a secret, too', () => {
  const redactor = createRedactor({ KEY: 'sk-Zq8vT3nLw0' });
  const bytes = Buffer.from('sk-Zq8vT3nLw0');
  const json = {
    key: bytes.toJSON(),
    typed: { ...bytes },
    more: [1, ...bytes, 2],
    message: { ...Buffer.from('\x01sk-Zq8vT3nLw0\x02') },
    foreign: [300, -1, ...bytes],
    other: [115, 107, 45, 90],
  };
  const clean = redactValues({ type: 'x', bytes: [...bytes], evidence: { json } }, redactor);
  expect(clean).toEqual({
    type: 'x',
    bytes: [...bytes],
    evidence: {
      json: {
        key: { type: 'Buffer', data: '[‹secret:KEY:bytes›]' },
        typed: '{‹secret:KEY:bytes›}',
        more: '[1,‹secret:KEY:bytes›,2]',
        message: '{1,‹secret:KEY:bytes›,2}',
        foreign: '[300,-1,‹secret:KEY:bytes›]',
        other: [115, 107, 45, 90],
      },
    },
  });
  expect(redactExpectation({ expect: { json } }, redactor)).toEqual({ expect: clean.evidence });
});

test('a secret that is the name of a part does not hide the caller and the provider', () => {
  const redactor = createRedactor({ KEY: 'shop2', OTHER: 'hunter2' }, ['outside', 'shop2']);
  const call = { type: 'call', from: 'outside', to: 'shop2', path: '/shop2' };
  expect(redactValues(call, redactor)).toEqual({ ...call, path: '/‹secret:KEY›' });
  const quiet = { type: 'quiet', busy: ['outside -> shop2', 'shop2'], unwatched: ['shop2 -> shop2'] };
  expect(redactValues(quiet, redactor)).toEqual(quiet);
  const forged = { type: 'quiet', busy: ['shop2 and shop2'] };
  expect(redactValues(forged, redactor).busy).toEqual(['‹secret:KEY› and ‹secret:KEY›']);
  const relay = { incoming: 'outside -> shop2', outgoing: 'shop2 -> hunter2' };
  const seen = [{ service: 'shop2', row: { text: 'shop2' }, request: { json: { to: 'shop2' } } }];
  expect(redactValues({ type: 'x', relays: [relay], value: seen }, redactor)).toEqual({
    type: 'x',
    relays: [{ ...relay, outgoing: '‹secret:KEY› -> ‹secret:OTHER›' }],
    value: [{ service: 'shop2', row: { text: '‹secret:KEY›' }, request: { json: { to: '‹secret:KEY›' } } }],
  });
});

test('a number is the same in every writing, and its negative is another', () => {
  const redactor = createRedactor({ PIN: '98765432109876543210' });
  const seen = parseExactJson(
    '{"type":"x","evidence":[98765432109876543210,98765432109876543210.00,-98765432109876543210,9.8765432109876543210e19]}',
  );
  expect(redactValues(seen, redactor)).toEqual({
    type: 'x',
    evidence: [
      '‹secret:PIN:number›',
      '‹secret:PIN:number›',
      '‹secret:PIN:number-minus›',
      '‹secret:PIN:number›',
    ],
  });
});

test('a number that lost the zeros before it is the same', () => {
  const redactor = createRedactor({ PIN: '0073519284066', SHORT: '00012' });
  expect(redactValues({ json: { pin: 73519284066, n: 12, list: [73519284066, 7] } }, redactor)).toEqual({
    json: { pin: '‹secret:PIN:number›', n: 12, list: ['‹secret:PIN:number›', 7] },
  });
});

test('a number that something is measured by stays in a pattern', () => {
  const redactor = createRedactor({ PIN: '1000' });
  const wanted = { json: { n: { $not: { $gt: 1000 } }, list: { $length: 1000 }, pin: 1000, $lt: [1000] } };
  expect(redactExpectation({ expect: wanted, count: 1000 }, redactor)).toEqual({
    expect: { json: { ...wanted.json, pin: '‹secret:PIN:number›' } },
    count: 1000,
  });
  expect(redactValues({ type: 'x', evidence: { json: { $lt: 1000 } } }, redactor)).toEqual({
    type: 'x',
    evidence: { json: { $lt: '‹secret:PIN:number›' } },
  });
});

test('in a plan, names stay, and whatever fills a map does not', () => {
  const redactor = createRedactor({ KEY: 'postgres' });
  const plan = { kind: 'postgres', name: 'postgres', env: { id: 'postgres', name: 'x-postgres' } };
  expect(redactOurs(plan, redactor, 'hidden')).toEqual({
    ...plan,
    env: { id: '‹secret:KEY›', name: 'x-‹secret:KEY›' },
  });
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

test('keys and numbers of the system are redacted, our own stay', () => {
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

test('of headers with credentials only the scheme and tokens are kept', () => {
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
