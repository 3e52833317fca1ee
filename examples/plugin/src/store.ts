/** A store in memory that speaks the protocol of Redis: texts, lists, and blocking pops. */
import { createServer } from 'node:net';
import { print, type Reply, readMessages } from './resp.ts';

const values = new Map<string, string | string[]>();
const blocked: { readonly key: string; readonly answer: (value: string) => void }[] = [];

function listAt(key: string): string[] {
  const list = values.get(key) ?? [];
  if (!Array.isArray(list)) throw new Error('WRONGTYPE');
  values.set(key, list);
  return list;
}

function serve(key: string): void {
  const index = blocked.findIndex((one) => one.key === key);
  const first = index === -1 ? undefined : listAt(key).shift();
  if (listAt(key).length === 0) values.delete(key);
  if (first !== undefined) blocked.splice(index, 1)[0]?.answer(first);
}

const commands: Readonly<Record<string, (...words: readonly string[]) => Reply>> = {
  PING: () => 'PONG',
  GET: (key = '') => String(values.get(key) ?? '') || null,
  SET: (key = '', value = '') => {
    values.set(key, value);
    return 'OK';
  },
  INCR: (key = '') => {
    const next = Number(values.get(key) ?? 0) + 1;
    values.set(key, String(next));
    return next;
  },
  RPUSH: (key = '', ...items) => {
    const length = listAt(key).push(...items);
    setImmediate(serve, key);
    return length;
  },
  LRANGE: (key = '') => listAt(key),
  KEYS: () => [...values.keys()],
  TYPE: (key = '') => (Array.isArray(values.get(key)) ? 'list' : values.has(key) ? 'string' : 'none'),
};

const server = createServer((socket) => {
  socket.on('error', () => socket.destroy());
  readMessages(socket, (message) => {
    const [name = '', ...words] = (message as readonly string[]).map(String);
    if (name.toUpperCase() === 'BLPOP') {
      const [key = ''] = words;
      blocked.push({ key, answer: (value) => void socket.write(print([key, value])) });
      return serve(key);
    }
    const command = commands[name.toUpperCase()];
    socket.write(command ? print(command(...words)) : `-ERR unknown command '${name}'\r\n`);
  });
});
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('the store is ready'));
