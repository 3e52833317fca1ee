/** Messages of PostgreSQL as bytes, and what a conversation of them is read as. */
import { PostgresConversation } from '../../src/protocols/postgres/postgres-conversation.ts';
import type { StoreExchange } from '../../src/protocols/stores/store-conversation.ts';

export const int16 = (...values: readonly number[]): Buffer =>
  Buffer.concat(values.map((value) => number(2, value)));
export const int32 = (...values: readonly number[]): Buffer =>
  Buffer.concat(values.map((value) => number(4, value)));
const number = (bytes: number, value: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeIntBE(value, 0, bytes);
  return buffer;
};
export const text = (value: string): Buffer => Buffer.from(`${value}\0`);
export const frame = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
};

export const startup = frame(
  '',
  int32(196_608),
  text('user'),
  text('ada'),
  text('database'),
  text('app'),
  Buffer.from([0]),
);
export const query = (statement: string): Buffer => frame('Q', text(statement));
export const parse = (name: string, statement: string): Buffer =>
  frame('P', text(name), text(statement), int16(0));
export const bind = (name: string, ...params: readonly string[]): Buffer => bindTo('', name, ...params);
export const bindTo = (portal: string, name: string, ...params: readonly string[]): Buffer =>
  frame(
    'B',
    text(portal),
    text(name),
    int16(0, params.length),
    ...params.flatMap((param) => [int32(param.length), Buffer.from(param)]),
    int16(0),
  );
export const executeOf = (portal: string, rows: number): Buffer => frame('E', text(portal), int32(rows));
export const execute = executeOf('', 0);
export const sync = frame('S');

export const readyAs = (status: 'I' | 'T' | 'E'): Buffer => frame('Z', Buffer.from(status));
export const ready = readyAs('I');
export const done = (command: string): Buffer => frame('C', text(command));
export const columns = (...names: readonly string[]): Buffer =>
  frame(
    'T',
    int16(names.length),
    ...names.flatMap((name) => [text(name), Buffer.alloc(6), int32(25), Buffer.alloc(6), int16(0)]),
  );
export const row = (...values: readonly string[]): Buffer =>
  frame('D', int16(values.length), ...values.flatMap((value) => [int32(value.length), Buffer.from(value)]));
export const failure = frame(
  'E',
  Buffer.from('C'),
  text('23505'),
  Buffer.from('M'),
  text('twice'),
  Buffer.from([0]),
);

export type Turn = readonly ['sent' | 'received', ...Buffer[]];

export const greeting: readonly Turn[] = [
  ['sent', startup],
  ['received', frame('R', int32(0)), frame('S', text('TimeZone'), text('UTC')), ready],
];

/** What each exchange came to, and how many are open at the end. */
export function readTurns(turns: readonly Turn[], pieceBytes = Number.POSITIVE_INFINITY) {
  const ended: StoreExchange[] = [];
  const open = new Set<StoreExchange>();
  const paused = new Set<StoreExchange>();
  const conversation = new PostgresConversation({
    begun: (exchange) => void open.add(exchange),
    reached: () => undefined,
    paused: (exchange, isPaused) => void (isPaused ? paused.add(exchange) : paused.delete(exchange)),
    ended: (exchange) => {
      open.delete(exchange);
      paused.delete(exchange);
      ended.push(exchange);
    },
  });
  let isRead = true;
  for (const [side, ...frames] of turns) {
    const bytes = Buffer.concat(frames);
    for (let at = 0; at < bytes.length; at += pieceBytes)
      isRead = conversation[side](bytes.subarray(at, at + pieceBytes)) && isRead;
  }
  const seen = ended.map(({ method, statement, params, result, error }) => ({
    method,
    statement,
    params,
    result,
    error,
  }));
  return { seen, isRead, inProgress: open.size, paused: paused.size, because: conversation.closedBecause };
}
