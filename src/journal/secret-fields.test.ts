import { expect, test } from 'vitest';
import { isSecretField, redactSecretFields, secretsInFields, withoutSecretFields } from './secret-fields.ts';

test.each([
  ['password', true],
  ['Access_Token', true],
  ['clientSecret', true],
  ['X-Api-Key', true],
  ['next_page_token', false],
  ['tokens', false],
  ['key', false],
])('%s: %s', (name, isSecret) => {
  expect(isSecretField(name)).toBe(isSecret);
});

test('what such fields hold is taken out at every depth, and nothing else', () => {
  const value = {
    user: 'ann',
    password: 'hunter2',
    list: [{ api_key: 'k-1' }, 7, null],
    token: { kind: 'bearer', secret: '' },
    authorization: 'Bearer ‹secret:KEY›',
  };
  expect(redactSecretFields(value)).toEqual({
    ...value,
    password: '‹secret:password›',
    list: [{ api_key: '‹secret:api_key›' }, 7, null],
  });
  expect(withoutSecretFields(value)).toEqual({
    user: 'ann',
    list: [{}, 7, null],
    token: { kind: 'bearer' },
  });
  expect(secretsInFields(value)).toEqual([
    ['password', 'hunter2'],
    ['api_key', 'k-1'],
  ]);
  expect(secretsInFields('text')).toEqual([]);
});
