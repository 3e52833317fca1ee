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
const broken = {
  ...whole,
  response: { ...whole.response, unfinished: true },
  incomplete: 'cut',
  faults,
};
const text = { ...broken, response: { status: 200, headers: {}, text: '1,Ada', bytes: 5, unfinished: true } };
const rpc = { ...text, protocol: 'json-rpc' };
const left = { faults: undefined };
const leftText = { ...text, ...left };
const request = {
  ...whole,
  response: undefined,
  incomplete: 'cut',
  request: { headers: {}, text: 'item=tea', bytes: 8, unfinished: true },
};

const stream = {
  ...broken,
  response: { status: 200, headers: {}, events: [{ data: 1 }], bytes: 9, unfinished: true },
};
const turn = { complete: false, text: 'a' };
const upload = {
  ...whole,
  incomplete: 'too-large',
  request: { headers: { 'content-type': 'application/pdf' }, text: 'xx', bytes: 100_000, truncated: true },
};
const noError = { events: { $not: { $some: { event: 'error' } } } };

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
  ['what is not in that stream', [{ response: without('ERROR') }], [leftText], 'unknown'],
  ['what is in it', [{ response: { text: { $contains: 'Ada' } } }], [leftText], 'held'],
  ['all of it', [{ response: { text: '1,Ada' } }], [leftText], 'unknown'],
  ['its being cut', [{ response: { text: '1,Ada' }, incomplete: 'cut' }], [leftText], 'held'],
  [
    'what is not in it yet',
    [{ response: without('ERROR') }],
    [{ ...leftText, incomplete: 'in-flight' }],
    'unknown',
  ],
  [
    'a whole answer beside a lost stream',
    [{ response: without('ERROR') }],
    [{ ...leftText, response: { text: '1', bytes: 1 } }],
    'held',
  ],
  ['events', [{ response: { events: [1] } }], [{ ...leftText, response: { events: [1] } }], 'held'],
  ['no event in a stream that broke off', [{ response: noError }], [stream], 'unknown'],
  ['all events of it', [{ response: { events: [{ data: 1 }] } }], [stream], 'unknown'],
  ['each event of it', [{ response: { events: { $each: { data: 1 } } } }], [stream], 'unknown'],
  ['an event of it', [{ response: { events: { $some: { data: 1 } } } }], [stream], 'held'],
  ['its breaking off', [{ response: noError, incomplete: 'cut' }], [stream], 'held'],
  [
    'the turn that broke off',
    [{ turn: { text: { $not: { $contains: 'b' } } } }],
    [{ ...stream, turn }],
    'unknown',
  ],
  ['that it did', [{ turn: { complete: false, text: 'a' } }], [{ ...stream, turn }], 'held'],
  ['what an event of it said', [{ result: 1 }], [{ ...stream, protocol: 'json-rpc', result: 1 }], 'held'],
  [
    'the turn of a stream that lacks a blank line',
    [{ turn: { text: 'a' } }],
    [{ ...stream, turn, incomplete: undefined, faults: undefined }],
    'held',
  ],
  ['the answer to an upload that is too large', [paid], [upload], 'held'],
  [
    'what is beside its body',
    [{ status: 200, request: { bytes: 100_000, headers: { 'content-type': 'application/pdf' } } }],
    [upload],
    'held',
  ],
  ['what is not in its body', [{ request: without('ERROR') }], [upload], 'unknown'],
  ['another answer to it', [{ response: { json: { paid: false } } }], [upload], 'not held'],
  [
    'what is in an answer that is too large',
    [{ response: { text: { $contains: 'a' } } }],
    [{ ...upload, request: whole.request, response: { text: 'a', bytes: 99_999, truncated: true } }],
    'unknown',
  ],
  ['a request that broke off', [ordered], [request], 'unknown'],
  ['what is not in that request', [{ request: without('card=') }], [request], 'unknown'],
  ['no json in that request', [{ request: { json: { $absent: true } } }], [request], 'unknown'],
  [
    'no body in that request',
    [{ request: { text: { $absent: true } } }],
    [{ ...request, request: { headers: {}, bytes: 0, unfinished: true } }],
    'unknown',
  ],
  ['a request on its way', [ordered], [{ ...request, incomplete: 'in-flight' }], 'held'],
  ['the answer to that request', [paid], [{ ...request, response: whole.response }], 'held'],
  ['beside that request', [{ method: 'POST' }], [request], 'held'],
  ['a request that is meant to', [{ ...ordered, incomplete: 'cut' }], [request], 'held'],
])('%s', (_, pattern, calls, verdict) => {
  const { held, undecided } = holdCalls({ expect: pattern }, calls, undefined);
  expect(held ? 'held' : undecided === undefined ? 'not held' : 'unknown').toBe(verdict);
});

test.each<[string, unknown, object, string]>([
  ['what it may have had', { text: { $contains: 'ERROR' } }, leftText, 'unsure'],
  [
    'json that it may have had',
    { json: { error: 1 } },
    { ...text, response: { ...text.response, text: '{"err' } },
    'unsure',
  ],
  ['what it cannot have had', { text: { $startsWith: 'ERROR' } }, leftText, 'not held'],
  ['what it had', { text: { $contains: 'Ada' } }, leftText, 'held'],
  ['what is beside it', { status: 500 }, leftText, 'not held'],
  ['an event that may have come', { events: { $some: { event: 'error' } } }, stream, 'unsure'],
  ['what it may get', { text: { $contains: 'ERROR' } }, { ...leftText, incomplete: 'in-flight' }, 'not held'],
])('never %s', (_, response, call, verdict) => {
  const { held, unsure } = holdCalls({ expect: { $some: { response } } }, [call], undefined, true);
  expect(held ? 'held' : unsure === undefined ? 'not held' : 'unsure').toBe(verdict);
});
