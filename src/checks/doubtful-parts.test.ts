import { expect, test } from 'vitest';
import { holdCalls } from './doubtful-parts.ts';

const whole = {
  crossing: 1,
  method: 'POST',
  status: 200,
  request: { headers: {}, bytes: 0 },
  response: { status: 200, json: { paid: true } },
};
const faults = [{ by: 'provider', rule: 'http.no-last-chunk', what: 'the connection ended' }];
const broken = { ...whole, incomplete: 'cut', faults };
const text = { ...broken, response: { status: 200, headers: {}, text: '1,Ada', bytes: 5 } };
const rpc = { ...text, protocol: 'json-rpc' };
const left = { faults: undefined };
const request = {
  ...whole,
  response: undefined,
  incomplete: 'cut',
  request: { headers: {}, text: 'item=tea', bytes: 8, unfinished: true },
};

const paid = { response: { json: { paid: true } } };
const without = (word: string): object => ({ text: { $not: { $contains: word } } });
const ordered = { request: { text: { $contains: 'item=tea' } } };

test.each<[string, unknown, readonly unknown[], string]>([
  ['an answer that broke off', [paid], [broken], 'unknown'],
  ['what is not in it', [{ response: without('ERROR') }], [text], 'unknown'],
  ['no error in it', [{ error: { $absent: true } }], [rpc], 'unknown'],
  ['no error where there can be none', [{ error: { $absent: true } }], [text], 'held'],
  ['beside that answer', [{ status: 200 }], [broken], 'held'],
  ['another answer than that', [{ response: { json: 1 } }], [broken], 'not held'],
  ['one that is meant to', [{ ...paid, incomplete: 'cut' }], [broken], 'held'],
  ['one that came again', { $some: paid }, [broken, whole], 'held'],
  ['a stream that its reader left', [paid], [{ ...broken, ...left }], 'held'],
  ['what is not in that stream', [{ response: without('ERROR') }], [{ ...text, ...left }], 'unknown'],
  ['a request that broke off', [ordered], [request], 'unknown'],
  ['what is not in that request', [{ request: without('card=') }], [request], 'unknown'],
  ['beside that request', [{ method: 'POST' }], [request], 'held'],
  ['a request that is meant to', [{ ...ordered, incomplete: 'cut' }], [request], 'held'],
])('%s', (_, pattern, calls, verdict) => {
  const { held, undecided } = holdCalls({ expect: pattern }, calls, undefined);
  expect(held ? 'held' : undecided === undefined ? 'not held' : 'unknown').toBe(verdict);
});
