import { afterEach, expect, test } from 'vitest';
import { type MessengerStage, openMessengerStage } from '../../../test/peers/messenger-stage.ts';
import { eventually } from '../../../test/taps/eventually.ts';

let stage: MessengerStage;

afterEach(() => stage.close());

test('a callback follows the answer, filled in and signed, through the address that the config names', async () => {
  stage = await openMessengerStage({ callbacks: { channel: '${channel.url}/hooks/' } });
  await stage.begin({
    on: 'POST /send',
    answer: { json: { ok: true } },
    callbacks: [
      {
        to: 'channel',
        path: '/status?id=${request.json.id}',
        headers: { 'X-Token': 't-${request.json.id}' },
        json: { message: '${request.json.id}', state: 'delivered' },
        sign: { header: 'X-Hub-Signature-256', secret: 's3cret', prefix: 'sha256=' },
      },
    ],
  });
  expect((await stage.ask('/send', { id: 7 })).text).toBe('{"ok":true}');
  await eventually(() => stage.told().length === 2);
  expect(stage.heard).toMatchObject([
    {
      method: 'POST',
      path: '/hooks/status?id=7',
      body: '{"message":7,"state":"delivered"}',
      headers: {
        'content-type': 'application/json',
        'x-token': 't-7',
        // printf '{"message":7,"state":"delivered"}' | openssl dgst -sha256 -hmac s3cret
        'x-hub-signature-256': 'sha256=804dfccb0b5155cbfa6428dcbc4be68050ebe856493d3ab6e2ec84d6d48bcb59',
      },
    },
  ]);
  expect(stage.told()[1]).toEqual({
    type: 'peer.called',
    resource: 'messenger',
    caller: 'channel',
    method: 'POST',
    path: '/hooks/status?id=7',
    status: 204,
    line: 1,
    callback: true,
  });
});

test('standing lines are filled in, too', async () => {
  const callbacks = [{ to: '${channel.url}', method: 'put', text: '${env.SECRET} ${request.query.n}' }];
  stage = await openMessengerStage({
    standing: [{ on: 'GET /', answer: { text: '${env.SECRET}' }, callbacks }],
  });
  expect((await stage.ask('/?n=3')).text).toBe('s3cret');
  await eventually(() => stage.told().length === 2);
  expect(stage.heard).toMatchObject([{ method: 'PUT', path: '/', body: 's3cret 3' }]);
  expect(stage.told()[1]).toMatchObject({ callback: true, line: 1, standing: true, status: 204 });
});

test('one after the other in their order, or all at once', async () => {
  stage = await openMessengerStage({ callbacks: { channel: '${channel.url}' } });
  let mostOpen = 0;
  let open = 0;
  stage.takes = async ({ path }, response) => {
    open += 1;
    if (path === '/race') mostOpen = Math.max(mostOpen, open);
    else expect(open).toBe(1);
    await eventually(() => path !== '/race' || mostOpen === 3);
    open -= 1;
    response.end();
  };
  await stage.begin({
    on: 'GET /',
    callbacks: [
      { to: 'channel', path: 'one', times: 2 },
      { to: 'channel', path: 'race', times: 3, atOnce: true },
      { to: 'channel', path: 'two' },
    ],
  });
  await stage.ask('/');
  expect(stage.peer.isBusy).toBe(true);
  await eventually(() => stage.peer.isBusy === false);
  expect(stage.heard.map(({ path }) => path)).toEqual(['/one', '/one', '/race', '/race', '/race', '/two']);
  expect(
    stage
      .told()
      .slice(1)
      .map(({ status }) => status),
  ).toEqual(Array(6).fill(200));
});

test('callbacks with different delays do not wait for each other', async () => {
  stage = await openMessengerStage({ callbacks: { channel: '${channel.url}' } });
  const isLateHere = (): boolean => stage.heard.some(({ path }) => path === '/late');
  stage.takes = async (_, response) => {
    await eventually(isLateHere);
    response.end();
  };
  await stage.begin({
    on: 'GET /',
    callbacks: [
      { to: 'channel', path: 'late', afterMs: 20 },
      { to: 'channel', path: 'soon' },
    ],
  });
  await stage.ask('/');
  await eventually(() => stage.told().length === 3);
  expect(stage.heard).toHaveLength(2);
});

test('an address out of the request is called on this machine, and nowhere else', async () => {
  stage = await openMessengerStage({ callbacks: { channel: 'http://channel.test:1/' } });
  await stage.begin({
    on: 'POST /',
    times: 'any',
    callbacks: [{ to: '${request.json.callback_url}', text: 'x' }],
  });
  await stage.ask('/', { callback_url: `${stage.hookUrl}/cb` });
  await eventually(() => stage.told().length === 2);
  expect([stage.heard[0]?.path, stage.told()[1]?.status]).toEqual(['/cb', 204]);
  await stage.ask('/', { callback_url: 'https://example.com/cb' });
  await stage.ask('/', { callback_url: 'not an address' });
  await stage.ask('/', {});
  await eventually(() => stage.told().length === 8);
  const because = (number: number): string | undefined => stage.told()[number]?.fault?.what;
  expect(because(3)).toContain('`example.com` is not on this machine and not one of its callbacks (channel)');
  expect(because(5)).toContain('`not an address` is neither an address nor one of its callbacks (channel)');
  expect(because(7)).toContain('the request has no json.callback_url');
  expect(stage.told()[7]).toMatchObject({ callback: true, status: 0, fault: { kind: 'undelivered' } });
});

test('a callback that nobody takes, or that is no message, is told', async () => {
  stage = await openMessengerStage({
    callbacks: { closed: 'http://127.0.0.1:1', channel: '${channel.url}' },
  });
  stage.takes = (_, response) => void response.writeHead(500).end('no');
  await stage.begin({
    on: 'GET /',
    callbacks: [{ to: 'closed' }, { to: 'channel', headers: { 'bad name': 'x' } }, { to: 'channel' }],
  });
  await stage.ask('/');
  await eventually(() => stage.told().length === 4);
  expect(stage.told().slice(1)).toMatchObject([
    {
      status: 0,
      fault: { kind: 'undelivered', what: 'the callback to closed was not delivered: ECONNREFUSED' },
    },
    { status: 0, fault: { kind: 'undelivered', what: expect.stringContaining('bad name') } },
    { status: 500 },
  ]);
  expect(stage.told()[3]).not.toHaveProperty('fault');
});

test('when the attempt is over, nothing more is sent, and what was not delivered is told', async () => {
  stage = await openMessengerStage({ callbacks: { channel: '${channel.url}' } });
  stage.takes = () => undefined;
  await stage.begin({
    on: 'GET /',
    times: 2,
    callbacks: [{ to: 'channel' }, { to: 'channel', afterMs: 3_600_000, times: 2 }],
  });
  await stage.ask('/');
  await eventually(() => stage.heard.length === 1);
  await stage.peer.settle();
  expect(
    stage
      .told()
      .slice(1)
      .map(({ fault }) => fault?.what)
      .sort(),
  ).toEqual([
    'the callback to channel was not delivered: the attempt was over before it was sent',
    'the callback to channel was not delivered: the attempt was over before it was sent',
    'the callback to channel was not delivered: the attempt was over before the answer came',
  ]);
  await stage.ask('/');
  await eventually(() => stage.told().length === 8);
  expect(stage.heard).toHaveLength(1);
});

test('what an earlier attempt had to send is not sent in the next one', async () => {
  stage = await openMessengerStage({ callbacks: { channel: '${channel.url}' } });
  await stage.begin({ on: 'GET /', callbacks: [{ to: 'channel', afterMs: 3_600_000 }] });
  await stage.ask('/');
  expect(stage.peer.isBusy).toBe(true);
  await stage.begin();
  expect(stage.peer.isBusy).toBe(false);
  expect(stage.told()[1]).toMatchObject({ callback: true, status: 0, fault: { kind: 'undelivered' } });
});
