import { expect, test } from 'vitest';
import { systemClock } from '../kernel/clock.ts';
import { openLine, ScriptValues } from './script-values.ts';

const request = {
  query: { page: '2' },
  headers: { 'x-request-id': 'r-1' },
  json: { chat: { id: 7 }, list: ['a', { b: true }], 'odd-key': null, evil: '${request.json.chat.id}' },
};
const values = new ScriptValues(systemClock);
values.learn({ step: 'ticket', values: { 'ticket.json.id': 12, 'ticket.json.odd': { $gt: 1 } } });

test('a text that is one reference becomes the value, any other text stays a text', () => {
  const template = {
    id: '${request.json.chat.id}',
    both: ['n° ${request.json.chat.id} of ${request.query.page}', '${request.json.list.1}'],
    header: '${request.headers.x-request-id}',
    none: '${request.json.odd-key}',
    list: 'all: ${request.json.list}',
    ticket: '${ticket.json.id}',
    number: 5,
    nothing: null,
  };
  expect(values.fill(template, request)).toEqual({
    id: 7,
    both: ['n° 7 of 2', { b: true }],
    header: 'r-1',
    none: null,
    list: 'all: ["a",{"b":true}]',
    ticket: 12,
    number: 5,
    nothing: null,
  });
});

test('what came in the request is not filled in a second time, and other dollars stay', () => {
  expect(values.fill('${request.json.evil} $${other.thing} $5', request)).toBe(
    '${request.json.chat.id} ${other.thing} $5',
  );
  expect(openLine({ text: 'plain $${other.thing}' })).toEqual({
    line: { text: 'plain ${other.thing}' },
    isTemplate: false,
  });
});

test('what a step gave is data in a pattern, never an operator', () => {
  expect(values.match({ json: { chat: { id: '${ticket.json.odd}' } } }, request).matched).toBe(false);
  expect(values.match({ json: { chat: { id: { $lt: '${ticket.json.id}' } } } }, request).matched).toBe(true);
});

test.each(['json.chat.name', 'json.list.9', 'json.chat.id.toString', 'json.constructor', 'cookies.a'])(
  'what the request does not have is named: %s',
  (path) => {
    expect(() => values.fill({ text: `\${request.${path}}` }, request)).toThrow(
      `\${request.${path}} has no value: the request has no ${path}`,
    );
  },
);

test('a pattern that is invalid with its values does not match, and says why', () => {
  const { matched, mismatches } = values.match({ text: { $regex: '${request.json.chat}' } }, request);
  expect(matched).toBe(false);
  expect(mismatches[0]?.observed).toContain('$regex');
});
