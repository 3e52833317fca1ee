import { afterEach, expect, test } from 'vitest';
import { type MessengerSetup, openMessengerSetup } from '../../../test/peers/messenger-setup.ts';
import { eventually } from '../../../test/taps/eventually.ts';

let setup: MessengerSetup;

afterEach(() => setup.close());

test('a callback follows the answer, filled in and signed, through the address that the config names', async () => {
  setup = await openMessengerSetup({ callbacks: { channel: '${channel.url}/hooks/' } });
  await setup.begin({
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
  expect((await setup.ask('/send', { id: 7 })).text).toBe('{"ok":true}');
  await eventually(() => setup.shown().length === 2);
  expect(setup.heard).toMatchObject([
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
  expect(setup.shown()[1]).toEqual({
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
  setup = await openMessengerSetup({
    standing: [{ on: 'GET /', answer: { text: '${env.SECRET}' }, callbacks }],
  });
  expect((await setup.ask('/?n=3')).text).toBe('s3cret');
  await eventually(() => setup.shown().length === 2);
  expect(setup.heard).toMatchObject([{ method: 'PUT', path: '/', body: 's3cret 3' }]);
  expect(setup.shown()[1]).toMatchObject({ callback: true, line: 1, standing: true, status: 204 });
});

test('one after the other in their order, or all at once', async () => {
  setup = await openMessengerSetup({ callbacks: { channel: '${channel.url}' } });
  let mostOpen = 0;
  let open = 0;
  setup.takes = async ({ path }, response) => {
    open += 1;
    if (path === '/race') mostOpen = Math.max(mostOpen, open);
    else expect(open).toBe(1);
    await eventually(() => path !== '/race' || mostOpen === 3);
    open -= 1;
    response.end();
  };
  await setup.begin({
    on: 'GET /',
    callbacks: [
      { to: 'channel', path: 'one', times: 2 },
      { to: 'channel', path: 'race', times: 3, atOnce: true },
      { to: 'channel', path: 'two' },
    ],
  });
  await setup.ask('/');
  expect(setup.peer.isBusy).toBe(true);
  await eventually(() => setup.peer.isBusy === false);
  expect(setup.heard.map(({ path }) => path)).toEqual(['/one', '/one', '/race', '/race', '/race', '/two']);
  expect(
    setup
      .shown()
      .slice(1)
      .map(({ status }) => status),
  ).toEqual(Array(6).fill(200));
});

test('callbacks with different delays do not wait for each other', async () => {
  setup = await openMessengerSetup({ callbacks: { channel: '${channel.url}' } });
  const isLateHere = (): boolean => setup.heard.some(({ path }) => path === '/late');
  setup.takes = async (_, response) => {
    await eventually(isLateHere);
    response.end();
  };
  await setup.begin({
    on: 'GET /',
    callbacks: [
      { to: 'channel', path: 'late', afterMs: 20 },
      { to: 'channel', path: 'soon' },
    ],
  });
  await setup.ask('/');
  await eventually(() => setup.shown().length === 3);
  expect(setup.heard).toHaveLength(2);
});

test('an address out of the request is called on this machine, and nowhere else', async () => {
  setup = await openMessengerSetup({ callbacks: { channel: 'http://channel.test:1/' } });
  await setup.begin({
    on: 'POST /',
    times: 'any',
    callbacks: [{ to: '${request.json.callback_url}', text: 'x' }],
  });
  await setup.ask('/', { callback_url: `${setup.hookUrl}/cb` });
  await eventually(() => setup.shown().length === 2);
  expect([setup.heard[0]?.path, setup.shown()[1]?.status]).toEqual(['/cb', 204]);
  await setup.ask('/', { callback_url: 'https://example.com/cb' });
  await setup.ask('/', { callback_url: 'not an address' });
  await setup.ask('/', {});
  await eventually(() => setup.shown().length === 8);
  const because = (number: number): string | undefined => setup.shown()[number]?.fault?.what;
  expect(because(3)).toContain('`example.com` is not on this machine and not one of its callbacks (channel)');
  expect(because(5)).toContain('`not an address` is neither an address nor one of its callbacks (channel)');
  expect(because(7)).toContain('the request has no json.callback_url');
  expect(setup.shown()[7]).toMatchObject({ callback: true, status: 0, fault: { kind: 'undelivered' } });
});

test('a callback that is not accepted, or that is not a message, is reported', async () => {
  setup = await openMessengerSetup({
    callbacks: { closed: 'http://127.0.0.1:1', channel: '${channel.url}' },
  });
  setup.takes = (_, response) => void response.writeHead(500).end('no');
  await setup.begin({
    on: 'GET /',
    callbacks: [{ to: 'closed' }, { to: 'channel', headers: { 'bad name': 'x' } }, { to: 'channel' }],
  });
  await setup.ask('/');
  await eventually(() => setup.shown().length === 4);
  expect(setup.shown().slice(1)).toMatchObject([
    {
      status: 0,
      fault: { kind: 'undelivered', what: 'the callback to closed was not delivered: ECONNREFUSED' },
    },
    { status: 0, fault: { kind: 'undelivered', what: expect.stringContaining('bad name') } },
    { status: 500 },
  ]);
  expect(setup.shown()[3]).not.toHaveProperty('fault');
});

test('when the attempt is over, nothing more is sent, and what was not delivered is reported', async () => {
  setup = await openMessengerSetup({ callbacks: { channel: '${channel.url}' } });
  setup.takes = () => undefined;
  await setup.begin({
    on: 'GET /',
    times: 2,
    callbacks: [{ to: 'channel' }, { to: 'channel', afterMs: 3_600_000, times: 2 }],
  });
  await setup.ask('/');
  await eventually(() => setup.heard.length === 1);
  await setup.peer.settle();
  expect(
    setup
      .shown()
      .slice(1)
      .map(({ fault }) => fault?.what)
      .sort(),
  ).toEqual([
    'the callback to channel was not delivered: the attempt was over before it was sent',
    'the callback to channel was not delivered: the attempt was over before it was sent',
    'the callback to channel was not delivered: the attempt was over before the answer came',
  ]);
  await setup.ask('/');
  await eventually(() => setup.shown().length === 8);
  expect(setup.heard).toHaveLength(1);
});

test('what an earlier attempt had to send is not sent in the next one', async () => {
  setup = await openMessengerSetup({ callbacks: { channel: '${channel.url}' } });
  await setup.begin({ on: 'GET /', callbacks: [{ to: 'channel', afterMs: 3_600_000 }] });
  await setup.ask('/');
  expect(setup.peer.isBusy).toBe(true);
  await setup.begin();
  expect(setup.peer.isBusy).toBe(false);
  expect(setup.shown()[1]).toMatchObject({ callback: true, status: 0, fault: { kind: 'undelivered' } });
});
