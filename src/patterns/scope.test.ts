import { describe, expect, test } from 'vitest';
import { globExpression } from './glob-expression.ts';
import { matchPattern } from './match-pattern.ts';
import { resolvePattern, resolveQuery } from './scope.ts';

const odd = 'q8+Zk/1==.*^$?()[]{}|\\-a';
const scope = {
  login: { json: { token: odd, name: 'a.b', empty: '', list: ['x'], n: 5 } },
  case: { pattern: '^a.b$' },
  trial: { uid: 'u-1' },
};

function holds(pattern: unknown, value: unknown): boolean {
  const { value: resolved, missing } = resolvePattern(pattern, scope);
  return missing.length === 0 && matchPattern(resolved, value).matched;
}

describe('the value of a reference in a regular expression is data', () => {
  test.each([
    ['${login.json.token}', odd, true],
    ['^token=${login.json.token};$', `token=${odd};`, true],
    ['^stored ${login.json.name}$', 'stored a.b', true],
    ['^stored ${login.json.name}$', 'stored axb', false],
    ['^[${login.json.token}]+$', odd, true],
    ['^[${login.json.token}]+$', ':', false],
    ['^[^${login.json.name}]$', 'x', true],
    ['^${case.pattern}$', '^a.b$', true],
    ['${case.pattern}', 'axb', true],
  ])('%s in %s: %s', ($regex, text, held) => {
    for (const $flags of ['', 'i', 'u', 'v'])
      expect([$flags, holds({ $regex, $flags }, text)]).toEqual([$flags, held]);
  });

  test('a value without special characters stays as it is, and so do tokens of secrets', () => {
    const tokens = { step: { secret: '‹secret:API.KEY:base64.json~0123abcd›', id: '4a5e-383a' } };
    const pattern = { $regex: 'session ${step.id} ${step.secret}' };
    expect(resolvePattern(pattern, tokens).value).toEqual({
      $regex: 'session 4a5e-383a ‹secret:API.KEY:base64.json~0123abcd›',
    });
  });

  test('under a key of the data, and in what is compared as it is, nothing is escaped', () => {
    expect(
      resolvePattern({ name: '${login.json.name}', $eq: { $regex: '${login.json.name}' } }, scope).value,
    ).toEqual({
      name: 'a.b',
      $eq: { $regex: 'a.b' },
    });
  });

  test('a key of the data that is called literal', () => {
    expect(resolvePattern({ literal: '${login.json.list}' }, scope).value).toEqual({
      literal: { $eq: ['x'] },
    });
  });
});

describe('a query of an observer', () => {
  const resolve = (query: Record<string, unknown>) =>
    resolveQuery(query, scope, { match: 'expression', path: 'glob', name: 'stars' });

  test('its texts are escaped for how they are read', () => {
    const files = { file: { json: { name: 'a\\[1]{b,c}?*.md' } } };
    const { value } = resolveQuery({ service: '${file.json.name}', path: 'out/*/${file.json.name}' }, files, {
      path: 'glob',
    });
    const { service, path } = value as { service: string; path: string };
    expect(service).toBe('a\\[1]{b,c}?*.md');
    const glob = new RegExp(globExpression(path) ?? '');
    expect(glob.test('out/x/a\\[1]{b,c}?*.md')).toBe(true);
    expect(glob.test('out/x/a\\1b?*.md')).toBe(false);
    expect(resolve({ match: '^${login.json.name}$', name: '${login.json.token} *' }).value).toEqual({
      match: '^a\\.b$',
      name: `${odd.replaceAll(/[\\*]/g, '\\$&')} *`,
    });
  });

  test('its condition is a pattern, and an expression must not be empty', () => {
    expect(resolve({ where: { a: '${login.json.list}' } }).value).toEqual({ where: { a: { $eq: ['x'] } } });
    expect(resolve({ match: '${login.json.empty}' }).missing).toEqual(['login.json.empty']);
    expect(resolve({ match: '${login.json.no}', where: '${nobody}' }).missing).toEqual([
      'login.json.no',
      'nobody',
    ]);
  });
});

test('a part that is empty has no value', () => {
  const empty = '${login.json.empty}';
  for (const key of ['$contains', '$startsWith', '$endsWith', '$regex'])
    expect([key, resolvePattern({ a: { [key]: empty } }, scope).missing]).toEqual([
      key,
      ['login.json.empty'],
    ]);
  expect(resolvePattern({ $contains: ['a', empty] }, scope).missing).toEqual(['login.json.empty']);
  for (const fine of [
    empty,
    { $eq: empty },
    { $contains: `order ${empty}` },
    { $contains: { a: empty } },
    [empty],
  ])
    expect([fine, resolvePattern(fine, scope).missing]).toEqual([fine, []]);
});
