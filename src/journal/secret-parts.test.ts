import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { redactValues } from './redact-values.ts';
import { createRedactor, showSecrets } from './redaction.ts';
import { partsOf } from './secret-parts.ts';

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

test('what is a secret by itself in a JSON document or a URL is found without the rest of it', () => {
  const pem = '-----BEGIN PRIVATE KEY-----\nMIIGk3Wd8Xs1Qz6Lb0\nPo8Ik3Ug6Ea1Né\n-----END PRIVATE KEY-----\n';
  const account = {
    type: 'service_account',
    private_key_id: '0f9e8d7c6b5a49382716',
    private_key: pem,
    token_uri: 'https://oauth2.example.com/v1/token',
    token_type: 'Bearer',
    more: [{ password: 'horses' }, { db: 'postgres://me:p%40ss-word@db.example.com/x' }],
  };
  const value = JSON.stringify(account).replace('é', '\\u00e9');
  const redactor = createRedactor({ SA: value });
  expect(redactor.redact(value)).toBe('‹secret:SA›');
  const clean = redactValues({ json: account }, redactor);
  expect(clean.json).toEqual({
    type: 'service_account',
    private_key_id: '‹secret:SA:field1›',
    private_key: '‹secret:SA:field2›',
    token_uri: 'https://oauth2.example.com/v1/token',
    token_type: 'Bearer',
    more: [{ password: '‹secret:SA:field3›' }, { db: '‹secret:SA:field4›' }],
  });
  expect(redactValues(clean, redactor)).toEqual(clean);
  for (const [text, token] of [
    [JSON.stringify({ a: '0f9e8d7c6b5a49382716' }, null, 1), '{\n "a": "‹secret:SA:field1›"\n}'],
    ['x MIIGk3Wd8Xs1Qz6Lb0 y', 'x ‹secret:SA:field2.line2› y'],
    [Buffer.from(pem).toString('base64'), '‹secret:SA:field2.base64›'],
    ['me, p@ss-word', 'me, ‹secret:SA:field4.password›'],
    ['me:p%40ss-word', 'me:‹secret:SA:field4.password.percent›'],
  ] as const) {
    expect(redactor.redact(text)).toBe(token);
    expect(showSecrets(token, () => value)).toBe(text);
  }
  expect(redactor.redact(JSON.stringify(pem))).not.toMatch(/MIIG|Po8I/);
  const plain = createRedactor({ URL: 'postgres://postgres:postgres@localhost/x', BROKEN: '{"password": "' });
  expect(plain.redact('postgres password')).toBe('postgres password');
});

test('the password of a pair is hidden by itself, unless it may be a word', () => {
  const redactor = createRedactor({
    LOGIN: 'somebody:hunter2!',
    LONG: 'me:correcthorses',
    NAME: 'queue:orders',
  });
  expect(redactor.redact('login with hunter2! failed')).toBe('login with ‹secret:LOGIN:field1› failed');
  expect(redactor.redact('correcthorses, orders')).toBe('‹secret:LONG:field1›, orders');
  expect(redactor.redact('queue:orders')).toBe('‹secret:NAME›');
});

test.each([
  ['a JSON document', '{"id":"app-1","client_secret":"GOCSPX-Zk81mQp0Rt55"}', 'GOCSPX-Zk81mQp0Rt55'],
  ['a document over lines', `a: ${'b '.repeat(40)}\nkey: Zk81mQp0Rt55vW`, 'Zk81mQp0Rt55vW'],
  ['a text', 'correct horse battery staple', 'correct horse battery staple'],
  ['a pair', 'somebody:Hj5Nc8Vd1Ls3', 'Hj5Nc8Vd1Ls3'],
])('what is in %s is found when the value is base64 of it', (_, text, part) => {
  const whole = Buffer.from(text).toString('base64');
  for (const value of [whole, whole.replaceAll('=', ''), whole.replaceAll(/.{76}/g, '$&\n')]) {
    const redactor = createRedactor({ KEY: value });
    expect(redactor.redact(value)).toBe('‹secret:KEY›');
    expect(redactor.redact(`<<${part}>>`)).toMatch(/^<<‹secret:KEY:field1[^›]*›>>$/);
    expect(redactor.redact(text)).toBe('‹secret:KEY:field1›');
    expect(redactor.redact('app-1, somebody, id, key, a: b')).toBe('app-1, somebody, id, key, a: b');
  }
});

test.each([
  ['as in a .env file', '\\n'],
  ['escaped twice', '\\\\n'],
  ['as Windows ends lines', '\\r\\n'],
])('a value in which line ends are written with letters is found line by line: %s', (_, lineEnd) => {
  const lines = ['-----BEGIN KEY-----', 'MIIEvAIBADANBgkqhki', 'G9w0BAQEFAASCBKYwgg+', '-----END KEY-----'];
  const value = lines.join(lineEnd);
  const redactor = createRedactor({ PEM: value });
  expect(redactor.redact(value)).toBe('‹secret:PEM›');
  expect(redactor.redact(lines.join('\n'))).toBe('‹secret:PEM:field1›');
  for (const [index, line] of lines.entries())
    expect(redactor.redact(`  > ${line}`)).toBe(`  > ‹secret:PEM:field1.line${index + 1}›`);
  expect(redactor.redact(Buffer.from(lines.join('\n')).toString('base64'))).toBe(
    '‹secret:PEM:field1.base64›',
  );
});

test.each([
  ['base64', 'n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg='],
  ['base64 for addresses', 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg'],
  ['hexadecimal', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  ['a UUID', '9f86d081-884c-7d65-9a2f-eaa0c55ad015'],
])('bytes that a value spells in %s are found in other forms', (_, value) => {
  const redactor = createRedactor({ KEY: value });
  const key = /^[0-9a-f-]+$/.test(value)
    ? Buffer.from(value.replaceAll('-', ''), 'hex')
    : Buffer.from(value, 'base64');
  for (const seen of [
    key.toString('base64'),
    key.toString('hex'),
    (key.toString('hex').match(/../g) ?? []).join(':'),
    `[${[...key].join(', ')}]`,
  ])
    expect(redactor.redact(`<<${seen}>>`)).toMatch(/^<<\[?‹secret:KEY(?::[^›]*)?›\]?>>$/);
  expect(redactor.redactBytes(key.toString('latin1'))).toContain('secret:KEY');
});

test.each([
  ['RSA', generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ['EC', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
])('the numbers of a private key are found in a JWK, and its public key stays: %s', (_, keys) => {
  const pem = String(keys.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const jwk = keys.privateKey.export({ format: 'jwk' });
  const known = keys.publicKey.export({ format: 'jwk' });
  for (const value of [pem, JSON.stringify({ private_key: pem })]) {
    const clean = redactValues({ json: jwk }, createRedactor({ PEM: value })).json;
    for (const [name, number] of Object.entries(clean))
      if (name in known) expect(number).toBe(jwk[name]);
      else expect(number, name).toMatch(/^‹secret:PEM:(?:field\d+\.)?field\d+›$/);
    expect(createRedactor({ PEM: value }).redact(JSON.stringify(known))).toBe(JSON.stringify(known));
  }
});

test('an ordinary value is not base64 of anything', () => {
  for (const value of [
    'postgres',
    'service_account',
    'Xk29vQ81LmNop',
    '0f9e8d7c6b5a4938',
    '7172737475767778',
  ])
    expect(partsOf(value)).toEqual([]);
});

test.each([
  ['a dummy key', Buffer.alloc(32).toString('base64'), '\0'.repeat(32)],
  ['no UUID', '00000000-0000-0000-0000-000000000000', '\0'.repeat(40)],
  ['digits', '7172737475767778', 'qrstuvwx'],
  ['a document', base64('apiVersion: v1\nkind: Config\nusers:\n- name: me\n'), 'kind: Config\nusers:\n'],
  ['a path', 'C:\\service\\notes\\new', 'C:\\service otes ew'],
])('of %s, nothing else is hidden', (_, value, other) => {
  const redactor = createRedactor({ KEY: value });
  expect(redactor.redact(`<<${value}>>`)).toBe('<<‹secret:KEY›>>');
  expect(redactor.redact(other)).toBe(other);
});

test('the password of Basic credentials is a secret by itself', () => {
  const redactor = createRedactor({ BASIC: base64('somebody:hunter two') });
  expect(redactor.redact('somebody: hunter two')).toBe('somebody: ‹secret:BASIC:field1.field1›');
});

test.each([
  ['YAML', 'apiVersion: v1\nusers:\n- name: adm\n  user: {token: Yk7Qm2Xw9Rt4Zb6}\n', 'Yk7Qm2Xw9Rt4Zb6'],
  ['a form', 'grant=pw&password=secretive', 'secretive'],
  ['XML', '<key id="7"><v>Wb3Gt6Ky9Uz2Ma5</v></key>', 'Wb3Gt6Ky9Uz2Ma5'],
  ['settings', 'Server=db;User=me;AccountKey=aGVsbG8gd29ybGQ=;Retry=5', 'aGVsbG8gd29ybGQ'],
  ['a pair', 'somebody:Hj5Nc8Vd1Ls3', 'Hj5Nc8Vd1Ls3'],
  ['the way of an address', 'https://hooks.example.com/services/T01/Zq8vT3nLw0XyRb71', 'Zq8vT3nLw0XyRb71'],
])('what is in %s is a secret by itself, and its other words are not', (_, value, part) => {
  const redactor = createRedactor({ KEY: value });
  expect(redactor.redact(`<<${part}>>`)).toBe('<<‹secret:KEY:field1›>>');
  expect(redactor.redact(value)).toBe('‹secret:KEY›');
  const words = value
    .replace(part, '')
    .split(/[^A-Za-z0-9]+/)
    .join(' - ');
  expect(redactor.redact(words)).toBe(words);
});

test('the user of an address without a password is a secret by itself', () => {
  for (const value of ['http://plainuser@localhost:8317', 'http://plainuser:@localhost:8317'])
    expect(createRedactor({ U: value }).redact('x plainuser y')).toBe('x ‹secret:U:password› y');
});
