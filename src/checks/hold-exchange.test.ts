import { expect, test } from 'vitest';
import { holdExchange, holdInExchange } from './hold-exchange.ts';

const late = { error: { kind: 'timeout', message: 'no answer within 300 ms' }, durationMs: 300 };
const cut = { status: 200, text: '{"notes":', bytes: 2_000_000, truncated: true };

test('without an answer, that is what was observed', () => {
  expect(holdExchange({ expect: { status: 200 } }, late)).toMatchObject({
    held: false,
    observed: 'timeout: no answer within 300 ms',
  });
  expect(holdExchange({ expect: { error: { kind: 'refused' } } }, late)).toMatchObject({
    expected: '"refused"',
    observed: '"timeout"',
  });
  expect(holdExchange({ expect: { error: { kind: 'timeout' } } }, late).held).toBe(true);
});

test('a step that was never sent is neither for nor against the system', () => {
  const never = { error: { kind: 'not-started', message: 'no such file' } };
  for (const pattern of [{ status: 200 }, { $not: { status: 500 } }])
    expect(holdExchange({ expect: pattern }, never)).toMatchObject({
      held: false,
      undecided: 'not-started: no such file',
    });
  expect(holdExchange({ expect: { error: { kind: 'not-started' } } }, never).held).toBe(true);
});

test('an answer that is not what it claims is reported as such', () => {
  const broken = { status: 200, text: '{"half": ', broken: 'the body is no JSON' };
  expect(holdExchange({ expect: { json: { half: 1 } } }, broken).observed).toBe('the body is no JSON');
  expect(holdExchange({ expect: { status: 201 } }, broken).observed).toBe('200');
});

test('a condition on what was not kept is undecided', () => {
  const because = expect.stringContaining('longer than the 1 MB that are kept');
  expect(holdExchange({ expect: { json: { notes: [] } } }, cut).undecided).toEqual(because);
  expect(holdExchange({ expect: { text: { $not: { $contains: 'password' } } } }, cut)).toMatchObject({
    held: false,
    undecided: because,
  });
  expect(holdExchange({ expect: { text: { $startsWith: '{"notes"' } } }, cut).undecided).toEqual(because);
  expect(holdExchange({ expect: { text: { $regex: '^(?!.*corrupt)' } } }, cut).undecided).toEqual(because);
  expect(holdExchange({ expect: { $not: { text: { $contains: 'x' } } } }, cut).undecided).toEqual(because);
  expect(holdExchange({ expect: { status: 200, bytes: 2_000_000 } }, cut).held).toBe(true);
  expect(holdExchange({ expect: { status: 201, text: 'x' } }, cut).undecided).toBeUndefined();
  expect(holdExchange({ expect: { status: 201 } }, cut).undecided).toBeUndefined();
});

test('of a burst, the answer that differs is reported', () => {
  const burst = { answers: [{ status: 200 }, late, cut] };
  const all = { answers: { $each: { status: 200 } } };
  expect(holdExchange({ expect: all }, burst).observed).toBe('timeout: no answer within 300 ms');
  const third = { answers: [{}, {}, { json: { notes: [] } }] };
  expect(holdExchange({ expect: third }, burst).undecided).toContain('longer than');
});

test('a pattern that became invalid by a reference does not hold', () => {
  expect(holdExchange({ expect: { status: { $gte: { ok: true } } } }, { status: 200 })).toMatchObject({
    held: false,
    observed: 'in the pattern, after its references were resolved: $gte has no order: { ok: true }',
  });
});

test('a pattern that does not mention the error does not hold if there was one', () => {
  const shown = { held: false, observed: 'timeout: no answer within 300 ms', at: '$.error' };
  for (const expected of [{ durationMs: { $gt: 1 } }, { $not: { status: 500 } }])
    expect(holdExchange({ expect: expected }, late)).toMatchObject(shown);
  expect(holdExchange({ expect: { $any: [{ status: 200 }, { error: {} }] } }, late).held).toBe(true);
  const burst = { answers: [{ status: 200 }, late] };
  expect(holdExchange({ expect: { answers: { $length: 2 } } }, burst)).toMatchObject({
    held: false,
    at: '$.answers[1].error',
  });
  const either = { $each: { $any: [{ status: 200 }, { error: { kind: 'timeout' } }] } };
  expect(holdExchange({ expect: { answers: either } }, burst).held).toBe(true);
});

test('what a peer sent before it broke the rules is not all that it sent', () => {
  const tcp = { connected: true, received: ['hello'], broken: 'no length', bytesReceived: 9 };
  expect(holdExchange({ expect: { received: { $not: { $contains: 'x' } } } }, tcp).undecided).toContain(
    'no length',
  );
  expect(holdExchange({ expect: { received: ['hello'], broken: 'no length' } }, tcp).held).toBe(true);
  expect(holdExchange({ expect: { connected: true } }, tcp).held).toBe(true);
  expect(holdExchange({ expect: { received: ['hello', 'you'] } }, tcp)).toMatchObject({
    held: false,
    observed: 'no length',
    unsure: 'no length',
  });
});

test('what a stream sent before it broke is not all that it would have sent', () => {
  const broken = 'the stream ended inside an event';
  const stream = { status: 200, events: [{ data: 1 }], endedBy: 'peer', bytes: 30, broken };
  const denial = { $not: { $some: { event: 'error' } } };
  for (const events of [denial, [{ data: 1 }], { $length: 1 }, { $each: { data: 1 } }]) {
    expect(holdExchange({ expect: { events } }, stream).undecided).toContain(broken);
    expect(holdExchange({ expect: { events, broken } }, stream).held).toBe(true);
    expect(holdExchange({ expect: { answers: [{ events }] } }, { answers: [stream] }).undecided).toContain(
      broken,
    );
  }
  for (const events of [{ $some: { data: 1 } }, { $length: { $gte: 1 } }])
    expect(holdExchange({ expect: { status: 200, events } }, stream).held).toBe(true);
  expect(holdExchange({ expect: { status: 200 } }, stream).held).toBe(true);
  const { undecided, held } = holdExchange({ expect: { events: [{ data: 2 }] } }, stream);
  expect({ undecided, held }).toEqual({ undecided: undefined, held: false });
});

test('what looks like JSON and cannot be parsed is not denied', () => {
  const torn = ['{"ok":false,"ok":true}', '{"ok":fal', 'sage":"ok"}'];
  const denials = [{ $not: { ok: false } }, { ok: { $absent: true } }, { $path: { 'a.b': { $ne: 1 } } }];
  for (const $broken of torn)
    for (const data of [...denials, { $ne: 1 }, { $not: { $contains: { ok: false } } }])
      expect(
        holdExchange({ expect: { events: [{ data }] } }, { events: [{ data: { $broken } }] }),
      ).toMatchObject({ held: false, undecided: expect.stringContaining('cannot be read as JSON') });
  const text = { events: [{ data: { $broken: 'server started {ok}' } }] };
  for (const data of denials.slice(0, 2))
    expect(holdExchange({ expect: { events: [{ data }] } }, text).held).toBe(true);
  const shown = { events: [{ data: { $eq: { $broken: torn[1] } } }] };
  expect(holdExchange({ expect: shown }, { events: [{ data: { $broken: torn[1] } }] }).held).toBe(true);
});

test('a condition on what was too large for the journal is undecided', () => {
  for (const expected of [{ status: 200 }, { status: { $ne: 500 } }, { $type: 'object' }])
    expect(holdExchange({ expect: expected }, { $dropped: { bytes: 9 } }).undecided).toContain('too large');
});

test('a body that is kept as JSON does not prove the absence of a text', () => {
  const answer = { status: 200, bytes: 20, json: { path: '/orders' } };
  const because = 'the body is there as `json`, not as `text`';
  for (const pattern of [{ text: { $not: { $contains: 'orders' } } }, { text: { $ne: 'x' } }])
    expect(holdExchange({ expect: pattern }, answer)).toMatchObject({ held: false, undecided: because });
  expect(holdExchange({ expect: { text: 'x' } }, answer).undecided).toBeUndefined();
  expect(holdExchange({ expect: { text: { $absent: true } } }, answer).held).toBe(true);
  const call = { path: '/orders', request: answer };
  const spoken = { request: { text: { $contains: 'orders' } } };
  expect(holdExchange({ expect: { $not: { $some: spoken } } }, [call])).toMatchObject({ undecided: because });
  // A difference elsewhere means another call, whatever its body is.
  expect(holdExchange({ expect: { $not: { $some: { ...spoken, path: '/' } } } }, [call]).held).toBe(true);
  const streamed = { bytes: 20, events: [{ data: { a: 1 } }] };
  expect(holdExchange({ expect: { json: { $not: { a: 1 } } } }, streamed).undecided).toContain('as `events`');
  expect(holdExchange({ expect: { $not: { json: { a: 1 } } } }, streamed).undecided).toContain('as `events`');
  const untyped = { status: 200, bytes: 9, text: ' {"a":1}' };
  expect(holdExchange({ expect: { $not: { json: { a: 1 } } } }, untyped).undecided).toContain('as `text`');
  expect(holdExchange({ expect: { $not: { json: { a: 1 } } } }, { bytes: 2, text: 'no' }).held).toBe(true);
});

test('a stream of events that was sent as a text does not prove the absence of an event', () => {
  const text = 'event: token\ndata: hi\n\nevent: error\ndata: boom\n\n';
  const answer = { status: 200, headers: { 'content-type': 'text/plain' }, bytes: text.length, text };
  const error = { events: { $contains: { event: 'error' } } };
  const because = 'the body is there as `text`, not as `events`';
  expect(holdExchange({ expect: { $not: error } }, answer)).toMatchObject({
    held: false,
    undecided: because,
  });
  expect(holdExchange({ expect: { $not: error } }, { ...answer, text: 'no: none', bytes: 8 }).held).toBe(
    true,
  );
});

test('no form of a body is denied by a path, nor is a body that could not be read', () => {
  const headers = { 'content-type': 'text/plain' };
  const text = { headers, bytes: 9, text: ' {"a":1}' };
  const denials = [
    { $path: { 'json.a': { $ne: 1 } } },
    { $path: { 'json.a': { $absent: true } } },
    { json: { $path: { a: { $not: { $gt: 0 } } } } },
    { $not: { $path: { 'json.a': 1 } } },
  ];
  for (const expected of denials) {
    expect(holdExchange({ expect: expected }, text).undecided).toContain('as `text`, not as `json`');
    const isOfMissing = [denials[1], denials[3]].includes(expected);
    const empty = holdExchange({ expect: expected }, { headers, bytes: 0 });
    expect([empty.held, empty.undecided]).toEqual([isOfMissing, undefined]);
  }
  const snappy = { headers: { 'content-encoding': 'snappy' }, bytes: 9 };
  const bytes = { headers: { 'content-type': 'application/x-protobuf' }, bytes: 9 };
  const image = { headers: { 'content-type': 'image/png' }, bytes: 9 };
  const undecided = (expected: unknown, answer: unknown): string =>
    holdExchange({ expect: expected }, answer).undecided ?? '';
  for (const expected of [...denials, { text: { $not: { $contains: 'x' } } }, { $not: { json: { a: 1 } } }]) {
    expect(undecided(expected, snappy)).toContain('not be unpacked (content-encoding "snappy")');
    expect(undecided(expected, bytes)).toContain('is not text (content-type "application/x-protobuf")');
  }
  for (const expected of [denials[0], { text: { $ne: 'x' } }, { $not: { text: 'x' } }])
    expect(undecided(expected, image)).toContain('is not text');
  // Among other calls there are images, and they are not JSON.
  expect(holdExchange({ expect: { $not: { json: { a: 1 } } } }, image).held).toBe(true);
  expect(undecided({ json: { $absent: true } }, snappy)).toContain('not be unpacked');
  for (const answer of [text, image, { headers, bytes: 0 }])
    expect(holdExchange({ expect: { json: { $absent: true } } }, answer).held).toBe(true);
});

test('what could not be parsed from an output, or from the answer of a tool, is not denied', () => {
  const program = { exitCode: 0, stdout: 'warning\n{"error":"boom"}', stderr: '' };
  const content = [{ type: 'text', text: 'note' }, { type: 'text' }];
  const denials = [{ $not: { error: 'boom' } }, { $path: { error: { $absent: true } } }, { $ne: 1 }];
  for (const denial of denials) {
    expect(holdExchange({ expect: { json: denial } }, program).undecided).toContain('in `stdout`');
    const isOfMissing = denial === denials[1];
    expect(holdExchange({ expect: { json: denial } }, { ...program, stdout: ' \n' }).held).toBe(isOfMissing);
    const tool = { isError: false, content };
    expect(holdExchange({ expect: { result: denial } }, tool).undecided).toContain('in `content`');
    expect(holdExchange({ expect: { result: denial } }, { ...tool, content: [] }).held).toBe(isOfMissing);
  }
  for (const [expected, evidence] of [
    [{ json: { error: 'boom' } }, program],
    [{ result: { leak: true } }, { isError: false, content }],
  ])
    expect(holdExchange({ expect: { $not: expected } }, evidence).undecided).toContain('the output is in');
  const plain = { ...program, stdout: 'no' };
  expect(holdExchange({ expect: { $not: { json: { error: 'boom' } } } }, plain).held).toBe(true);
  expect(holdExchange({ expect: { json: { $absent: true } } }, program).held).toBe(true);
  // Only if the answer of a tool is meant.
  const inBody = holdExchange({ expect: { json: { result: { $ne: 1 } } } }, { json: { content } });
  expect([inBody.held, inBody.undecided]).toEqual([false, undefined]);
});

test('headers are found however their names are written', () => {
  const answer = { status: 200, headers: { 'x-powered-by': 'Express', setCookie: ['sid=1'] } };
  for (const name of ['X-Powered-By', 'Set-Cookie', 'set-cookie', 'setCookie']) {
    expect(holdExchange({ expect: { headers: { [name]: { $absent: true } } } }, answer).held, name).toBe(
      false,
    );
    expect(holdExchange({ expect: { headers: { [name]: { $present: true } } } }, answer).held, name).toBe(
      true,
    );
  }
  expect(
    holdExchange(
      { expect: { headers: { $eq: { 'X-Powered-By': 'Express', 'Set-Cookie': ['sid=1'] } } } },
      answer,
    ).held,
  ).toBe(true);
  // A map that only has the same name is ordinary data.
  const body = { status: 200, bytes: 30, json: { headers: { 'x-id': 1 } } };
  expect(holdExchange({ expect: { json: { headers: { 'X-Id': 1 } } } }, body).held).toBe(false);
  expect(holdExchange({ expect: [{ headers: { 'X-Id': { $absent: true } } }] }, [body.json]).held).toBe(true);
  const call = { request: { headers: { 'x-token': 't' } } };
  expect(holdExchange({ expect: { request: { headers: { 'X-Token': 't' } } } }, call).held).toBe(true);
});

test('a map does not contain a text: a denial must name a key', () => {
  for (const value of [{ a: 'sk-1' }, [{ text: 'sk-1' }]]) {
    expect(holdExchange({ expect: { $not: { $contains: 'sk-1' } } }, value).undecided).toContain(
      'name the key',
    );
    expect(holdExchange({ expect: { $contains: 'sk-1' } }, value)).toMatchObject({ held: false });
  }
  for (const value of [[], {}, ['sk-2'], 'sk-2'])
    expect(holdExchange({ expect: { a: { $not: { $contains: 'sk-1' } } } }, { a: value }).held).toBe(true);
});

test('what must never be there is found beside an error that nobody mentions', () => {
  const events = [{ data: { leak: true } }];
  const error = { kind: 'closed', message: 'gone' };
  const leak = { expect: { events: { $some: { data: { leak: true } } } } };
  expect(holdInExchange(leak, { status: 200, events, error }).held).toBe(true);
  expect(
    holdInExchange({ expect: { stdout: { $contains: 'leak' } } }, { stdout: 'a leak', error }).held,
  ).toBe(true);
  expect(holdInExchange(leak, { status: 200, events: [], error }).held).toBe(false);
  const unsent = { error: { kind: 'not-started', message: 'no such file' } };
  expect(holdInExchange({ expect: { status: { $absent: true } } }, unsent).undecided).toBeDefined();
});

test('a message that had only begun, or that a reset may have discarded, may be any message', () => {
  const one = { received: [{ a: 1 }], bytesReceived: 14 };
  const hold = (received: unknown, more: object) =>
    holdExchange({ expect: { received } }, { ...one, ...more });
  for (const more of [{ pendingBytes: 6 }, { closedBy: 'reset' }]) {
    expect(hold([{ a: 1 }], more).undecided).toBeDefined();
    expect(hold({ $not: { $some: { a: 2 } } }, more).undecided).toBeDefined();
    expect(hold({ $some: { a: 1 } }, more)).toMatchObject({ held: true });
    expect(hold({ $some: { a: 1 } }, more).undecided).toBeUndefined();
  }
  expect(hold([{ a: 1 }], {}).undecided).toBeUndefined();
  const ended = { ...one, closedBy: 'reset' };
  expect(
    holdExchange({ expect: { received: [{ a: 1 }], closedBy: 'reset' } }, ended).undecided,
  ).toBeUndefined();
});
