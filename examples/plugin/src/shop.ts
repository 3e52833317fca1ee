/** A shop: an order over HTTP goes to the store's queue; clients can query the state of an order. */
import { createServer } from 'node:http';
import { has } from './defects.ts';
import { openStore } from './resp.ts';

const store = openStore(process.env.STORE_URL ?? '');

const server = createServer(async (request, response) => {
  const say = (status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  const [, part, id = ''] = (request.url ?? '').split('/');
  if (part === 'health') return say(200, { ok: true });
  if (part !== 'orders') return say(404, { error: 'no such page' });
  if (request.method === 'GET') return say(200, { id, state: await store.ask('GET', `order:${id}`) });
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const { item, count } = JSON.parse(text) as { item: string; count: number };
  if (!(count > 0)) return say(422, { error: 'count must be more than 0' });
  const made = String(await store.ask('INCR', 'orders'));
  const order = JSON.stringify({ id: made, item, count: has('one-only') ? 1 : count });
  await store.ask('RPUSH', 'queue', order);
  say(202, { id: made });
});
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('the shop is ready'));
