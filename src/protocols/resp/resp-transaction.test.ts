import { expect, test } from 'vitest';
import { defined } from '../../kernel/defined.ts';
import { isNotKept } from '../../kernel/not-kept.ts';
import { type StoreExchange, storeLimits } from '../stores/store-conversation.ts';
import { RespConversation } from './resp-conversation.ts';

const bulk = (word: string): string => `$${Buffer.byteLength(word)}\r\n${word}\r\n`;
const command = (...words: readonly string[]): string => `*${words.length}\r\n${words.map(bulk).join('')}`;
const queued = (count: number): string => `+OK\r\n${'+QUEUED\r\n'.repeat(count)}`;

function read(sent: string, received: string) {
  const ended: StoreExchange[] = [];
  const idle = new Set<StoreExchange>();
  const conversation = new RespConversation({
    begun: () => undefined,
    reached: () => undefined,
    paused: (exchange, isPaused) => void (isPaused ? idle.add(exchange) : idle.delete(exchange)),
    ended: (exchange) => ended.push(exchange),
  });
  const isRead = conversation.sent(Buffer.from(sent)) && conversation.received(Buffer.from(received));
  const seen = ended.map(({ method, result, error }) => ({ method, ...defined({ result, error }) }));
  return { isRead, seen, idle: [...idle].map(({ method }) => method) };
}

const increments = command('MULTI') + command('INCRBY', 'k', '1') + command('SET', 'paid', '1');
const notAnInteger = 'ERR value is not an integer or out of range';
const notExecuted = (why: string) => ({ message: `not executed: ${why}` });

test('a queued command ends with its own element of what EXEC answers', () => {
  const exec = `*2\r\n-${notAnInteger}\r\n+OK\r\n`;
  expect(read(increments + command('EXEC'), queued(2) + exec).seen).toEqual([
    { method: 'MULTI', result: 'OK' },
    { method: 'INCRBY', error: { message: notAnInteger } },
    { method: 'SET', result: 'OK' },
    {
      method: 'EXEC',
      result: [{ error: notAnInteger }, 'OK'],
      error: { message: `${notAnInteger} (1 of 2 commands failed)` },
    },
  ]);
  const blob = `*2\r\n!${notAnInteger.length}\r\n${notAnInteger}\r\n+OK\r\n`;
  expect(read(increments + command('EXEC'), queued(2) + blob).seen[1]).toEqual({
    method: 'INCRBY',
    error: { message: notAnInteger },
  });
});

test('a map with a field of that name, and an error deeper in a list, are no errors of the command', () => {
  const sent = command('MULTI') + command('HGETALL', 'h') + command('EVAL', 's', '0') + command('EXEC');
  const exec = `*2\r\n%1\r\n${bulk('error')}${bulk('none')}*2\r\n:1\r\n-ERR inner\r\n`;
  expect(read(sent, queued(2) + exec).seen.slice(1)).toEqual([
    { method: 'HGETALL', result: { error: 'none' } },
    { method: 'EVAL', result: [1, { error: 'ERR inner' }] },
    { method: 'EXEC', result: [{ error: 'none' }, [1, { error: 'ERR inner' }]] },
  ]);
});

const abort = 'EXECABORT Transaction discarded because of previous errors.';
test.each([
  ['DISCARD', '+OK\r\n', 'the transaction was discarded', { result: 'OK' }],
  ['RESET', '+RESET\r\n', 'the transaction was discarded', { result: 'RESET' }],
  ['EXEC', '*-1\r\n', 'a watched key was changed', { result: null }],
  ['EXEC', '_\r\n', 'a watched key was changed', { result: null }],
  ['EXEC', `-${abort}\r\n`, abort, { error: { message: abort } }],
])('%s that answers %j leaves nothing as done', (method, answer, why, end) => {
  const { seen } = read(
    increments + command(method) + command('GET', 'k'),
    `${queued(2)}${answer}${bulk('QUEUED')}`,
  );
  expect(seen.slice(1)).toEqual([
    { method: 'INCRBY', error: notExecuted(why) },
    { method: 'SET', error: notExecuted(why) },
    { method, ...end },
    { method: 'GET', result: 'QUEUED' },
  ]);
});

test('what is refused while queueing has its error at once, and the rest waits', () => {
  const unknown = '-ERR unknown command\r\n';
  const sent = command('MULTI') + command('NOPE') + command('SET', 'a', '1') + command('MULTI');
  const { seen, idle } = read(sent, `+OK\r\n${unknown}+QUEUED\r\n-ERR MULTI calls can not be nested\r\n`);
  expect(seen.map(({ method }) => method)).toEqual(['MULTI', 'NOPE', 'MULTI']);
  // Until EXEC is sent nothing is in progress; cut here, it has no answer.
  expect(idle).toEqual(['SET']);
});

test('a read that would wait does not in a transaction, and is listed', () => {
  const sent = command('MULTI') + command('BLPOP', 'l', '0') + command('EXEC');
  expect(read(sent, `${queued(1)}*1\r\n*-1\r\n`).seen[1]).toEqual({ method: 'BLPOP', result: null });
});

test('an error that is too long to be kept is still one', () => {
  const long = `!20000\r\n${'x'.repeat(20_000)}\r\n`;
  expect(read(command('GET', 'k'), long).seen).toEqual([
    { method: 'GET', error: { message: expect.anything() } },
  ]);
  const { seen } = read(increments + command('EXEC'), `${queued(2)}*2\r\n${long}+OK\r\n`);
  expect(seen[1]).toEqual({ method: 'INCRBY', error: { message: expect.anything() } });
});

test('more answers than are kept: what failed is still known, the rest is not read', () => {
  const count = 1_500;
  const sets = command('SET', 'a', '1').repeat(count);
  const answers = '+OK\r\n'.repeat(count - 1);
  const { seen } = read(
    command('MULTI') + sets + command('EXEC'),
    `${queued(count)}*${count}\r\n${answers}-ERR late\r\n`,
  );
  expect(seen[1]).toEqual({ method: 'SET', result: 'OK' });
  expect(isNotKept(seen[1_200]?.result)).toBe(true);
  expect(seen[count]).toEqual({ method: 'SET', error: { message: expect.anything() } });
  expect(seen.at(-1)).toMatchObject({ method: 'EXEC', error: expect.anything() });
});

test('where the numbers differ, or too many are queued, the connection is unread', () => {
  expect(read(increments + command('EXEC'), `${queued(2)}*1\r\n+OK\r\n`).isRead).toBe(false);
  const one = command('SET', 'a', '1');
  const conversation = new RespConversation({
    begun: () => undefined,
    reached: () => undefined,
    paused: () => undefined,
    ended: () => undefined,
  });
  let isRead = conversation.sent(Buffer.from(command('MULTI')));
  conversation.received(Buffer.from('+OK\r\n'));
  for (let at = 0; at <= storeLimits.pipelined && isRead; at += 1)
    isRead = conversation.sent(Buffer.from(one)) && conversation.received(Buffer.from('+QUEUED\r\n'));
  expect(isRead).toBe(false);
});

test('credentials are in no answer of a transaction', () => {
  const sent =
    command('MULTI') + command('ACL', 'GENPASS') + command('GET', 'k') + command('EXEC') + command('PING');
  const { seen } = read(sent, `${queued(2)}*2\r\n${bulk('hunter2')}${bulk('v')}+PONG\r\n`);
  expect(JSON.stringify(seen)).not.toContain('hunter2');
  expect(seen[2]).toEqual({ method: 'GET', result: 'v' });
});
