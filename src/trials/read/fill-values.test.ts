import { expect, test } from 'vitest';
import { fillValues } from './fill-values.ts';

const values = { name: 'a.b*', pattern: '^a.b$', own: '${login.json.name}.x' };
const fill = (part: object): unknown => fillValues(part, 'case', values);

test('in an expression or a glob, a value is data; as the whole of it, it is one', () => {
  expect(fill({ logs: 'a', match: '^${case.name}$' })).toEqual({ logs: 'a', match: '^a\\.b\\*$' });
  expect(fill({ logs: 'a', match: '${case.pattern}' })).toEqual({ logs: 'a', match: '^a.b$' });
  expect(fill({ files: 'a', path: '*/${case.name}' })).toEqual({ files: 'a', path: '*/a.b\\*' });
  expect(fill({ spans: 'a', name: '* ${case.name}' })).toEqual({ spans: 'a', name: '* a.b\\*' });
  expect(fill({ until: { logs: 'a', match: '^${case.name}' } })).toEqual({
    until: { logs: 'a', match: '^a\\.b\\*' },
  });
  const through = (path: string) => ({ correlate: { id: 1, through: [{ files: 'a', path }] } });
  expect(fill(through('x/${case.name}'))).toEqual(through('x/a.b\\*'));
});

test.each(['expect', 'where', 'never', 'when'])('a $regex below %s is an operator', (key) => {
  expect(fill({ [key]: [{ a: { $regex: '^${case.name}' } }] })).toEqual({
    [key]: [{ a: { $regex: '^a\\.b\\*' } }],
  });
  expect(fill({ [key]: { $eq: { $regex: '^${case.name}' } } })).toEqual({
    [key]: { $eq: { $regex: '^a.b*' } },
  });
});

test('what is sent stays as it is', () => {
  for (const part of [
    { json: { $regex: '^' } },
    { mcp: 'a', path: '/x/' },
    { http: 'GET a/', query: { match: '.' } },
  ]) {
    const sent = JSON.stringify(part).replaceAll(/"([/^.])/g, '"$1${case.name}');
    expect(fill(JSON.parse(sent))).toEqual(JSON.parse(sent.replaceAll('${case.name}', 'a.b*')));
  }
});

test('references in a value are filled in later', () => {
  expect(fill({ logs: 'a', match: '^${case.own}$' })).toEqual({
    logs: 'a',
    match: '^${login.json.name}\\.x$',
  });
  expect(fill({ logs: 'a', match: '^${case.none}$' })).toEqual({ logs: 'a', match: '^${case.none}$' });
});
