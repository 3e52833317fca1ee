import { expect, test } from 'vitest';
import { type StoreExchange, storeLimits } from '../stores/store-conversation.ts';
import { RespConversation } from './resp-conversation.ts';

const bulk = (word: string): string => `$${Buffer.byteLength(word)}\r\n${word}\r\n`;
const command = (...words: readonly string[]): string => `*${words.length}\r\n${words.map(bulk).join('')}`;
const confirm = (word: string, channel: string | null, count: number): string =>
  `*3\r\n${bulk(word)}${channel === null ? '$-1\r\n' : bulk(channel)}:${count}\r\n`;
const pushed = (reply: string): string => `>${reply.slice(1)}`;

/** As a server of version 7 answers. */
function read(sent: string, received: string) {
  const ended: StoreExchange[] = [];
  const conversation = new RespConversation({
    begun: () => undefined,
    reached: () => undefined,
    paused: () => undefined,
    ended: (exchange) => ended.push(exchange),
  });
  const isRead = conversation.sent(Buffer.from(sent)) && conversation.received(Buffer.from(received));
  return { isRead, seen: ended.map(({ method, result }) => [method, result]) };
}

const get = command('GET', 'k');
const last = ['GET', null];

test('to leave all channels has as many answers as there are when its turn comes', () => {
  const subscribed = confirm('subscribe', 'a', 1) + confirm('subscribe', 'b', 2);
  const left = confirm('unsubscribe', 'b', 1) + confirm('unsubscribe', 'a', 0);
  const sent = command('SUBSCRIBE', 'a', 'b') + command('UNSUBSCRIBE') + get;
  const both = [expect.arrayContaining([['unsubscribe', 'a', 0]])];
  const wanted = { isRead: true, seen: [['SUBSCRIBE', expect.anything()], ['UNSUBSCRIBE', ...both], last] };
  expect(read(sent, `${subscribed}${left}$-1\r\n`)).toEqual(wanted);
  const byPushes = (subscribed + left).replaceAll('*3', '>3');
  expect(read(sent, `${byPushes}_\r\n`)).toEqual(wanted);
});

test('patterns are not left with channels', () => {
  expect(
    read(
      command('SUBSCRIBE', 'a') + command('PSUBSCRIBE', 'p*') + command('UNSUBSCRIBE') + command('PING'),
      `${confirm('subscribe', 'a', 1)}${confirm('psubscribe', 'p*', 2)}${confirm('unsubscribe', 'a', 1)}*2\r\n${bulk('pong')}${bulk('')}`,
    ).seen.slice(2),
  ).toEqual([
    ['UNSUBSCRIBE', ['unsubscribe', 'a', 1]],
    ['PING', ['pong', '']],
  ]);
});

test('in a transaction, a subscription is queued with one answer', () => {
  const sent = command('MULTI') + command('SUBSCRIBE', 'a', 'b') + command('DISCARD') + get;
  expect(read(sent, '+OK\r\n+QUEUED\r\n+OK\r\n$-1\r\n').seen).toEqual([
    ['MULTI', 'OK'],
    ['SUBSCRIBE', undefined],
    ['DISCARD', 'OK'],
    last,
  ]);
});

test('more channels than are kept have all their answers, of which some are kept', () => {
  const channels = Array.from({ length: 2_500 }, (_, at) => `c${at}`);
  const received = channels.map((channel, at) => confirm('subscribe', channel, at + 1)).join('');
  const { seen, isRead } = read(
    command('SUBSCRIBE', ...channels) + command('PING'),
    `${received}*2\r\n${bulk('pong')}${bulk('')}`,
  );
  expect(isRead).toBe(true);
  expect(seen[0]?.[1]).toHaveLength(storeLimits.rows + 1);
  expect(seen[1]).toEqual(['PING', ['pong', '']]);
});

test('a reset leaves all channels, and a list is a list again', () => {
  const sent = command('SUBSCRIBE', 'a') + command('RESET') + command('LRANGE', 'l', '0', '-1');
  const list = `*3\r\n${bulk('message')}${bulk('a')}${bulk('hi')}`;
  const received = `${confirm('subscribe', 'a', 1)}+RESET\r\n${list}`;
  expect(read(sent + command('UNSUBSCRIBE'), received + confirm('unsubscribe', null, 0)).seen).toEqual([
    ['SUBSCRIBE', ['subscribe', 'a', 1]],
    ['RESET', 'RESET'],
    ['LRANGE', ['message', 'a', 'hi']],
    ['UNSUBSCRIBE', ['unsubscribe', null, 0]],
  ]);
});

test('what a server ends by itself is no answer, and what looks like a confirmation may be data', () => {
  expect(read(get, `${pushed(confirm('sunsubscribe', 'a', 0))}_\r\n`).seen).toEqual([last]);
  expect(read(get, confirm('subscribe', 'a', 1)).seen).toEqual([['GET', ['subscribe', 'a', 1]]]);
});

test('what a transaction answers about users is not kept', () => {
  const sent = command('MULTI') + command('ACL', 'GENPASS') + command('EXEC');
  const received = `+OK\r\n+QUEUED\r\n*1\r\n${bulk('hunter2')}`;
  const twice = command('MULTI') + command('GET', 'k') + command('EXEC');
  const { seen } = read(sent + twice, `${received}+OK\r\n+QUEUED\r\n*1\r\n${bulk('v')}`);
  expect(JSON.stringify(seen)).not.toContain('hunter2');
  expect(seen.at(-1)).toEqual(['EXEC', ['v']]);
});
