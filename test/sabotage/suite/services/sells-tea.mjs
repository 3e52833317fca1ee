// A shop: takes orders, keeps them in a database, and leaves a trace of each everywhere: a receipt, an event, a line in its
// log, a message to the customer, a span.
import { randomBytes, randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { DATABASE_URL, MESSENGER_URL, TRACES_URL, FOLDER, PG_MODULE, PORT } = process.env;
const { default: pg } = await import(PG_MODULE);
const pool = new pg.Pool({ connectionString: DATABASE_URL });
const prices = { tea: 4, cake: 7 };
const reviews = new Map();
mkdirSync(`${FOLDER}/receipts`, { recursive: true });
await pool.query(`
  CREATE TABLE IF NOT EXISTS orders (id serial PRIMARY KEY, customer text, item text, count int, total int,
    status text DEFAULT 'placed', cancelled boolean DEFAULT false, placed_at timestamptz DEFAULT now());
  CREATE TABLE IF NOT EXISTS accounts (customer text PRIMARY KEY, balance int DEFAULT 100);
  CREATE TABLE IF NOT EXISTS refunds (id serial PRIMARY KEY, order_id int, amount int);
  DO $$ BEGIN CREATE TYPE mood AS ENUM ('kind', 'harsh'); EXCEPTION WHEN duplicate_object THEN NULL; END $$;
  CREATE TABLE IF NOT EXISTS ratings (id serial PRIMARY KEY, author text NOT NULL CHECK (author <> ''),
    item text NOT NULL CHECK (item IN ('tea', 'cake')), stars int NOT NULL CHECK (stars BETWEEN 1 AND 5),
    mood mood NOT NULL, words varchar(40), tip numeric CHECK (tip > 0), given_at timestamptz NOT NULL DEFAULT now())`);

const routes = {
  'GET /health': () => [200, { status: 'ok', version: '1.4.2' }],
  'POST /orders': ({ body }) => placeOrder(body),
  'GET /orders': async ({ query }) => {
    const customer = query.get('customer');
    const { rows } = await pool.query('SELECT * FROM orders WHERE customer = $1 ORDER BY id', [customer]);
    return [200, { customer, count: rows.length, orders: rows.map(shown), complaints: [] }];
  },
  'GET /orders/:id': async ({ id }) => {
    const { rows } = await pool.query('SELECT * FROM orders WHERE id = $1', [id]);
    return rows[0] ? [200, shown(rows[0])] : refusal(404, 'no-such-order');
  },
  'POST /orders/:id/cancel': ({ id }) => cancelOrder(id),
  'POST /ratings': async ({ body: { author, item, stars, words } }) => {
    const { rows } = await pool.query(
      'INSERT INTO ratings (author, item, stars, mood, words, tip) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id',
      [author, item, stars, stars > 2 ? 'kind' : 'harsh', words, stars / 4],
    );
    return [201, rows[0]];
  },
  'POST /reviews': ({ body, headers }) => keepReview(body, headers),
  'GET /reviews/:id': ({ id }) => {
    const review = reviews.get(id);
    return review ? [200, { ticket: id, role: 'guest', ...review }] : refusal(404, 'no-such-review');
  },
  'GET /search': ({ query }) => {
    const hits = Object.entries(prices).filter(([item]) => item.includes(query.get('q')));
    const shownHits = hits.map(([item, price]) => ({ item, price, sold: false }));
    return [200, { query: query.get('q'), total: hits.length, hits: shownHits, next: null }];
  },
  'GET /accounts/:id': async ({ id }) => {
    const { rows } = await pool.query('SELECT * FROM accounts WHERE customer = $1', [id]);
    return rows[0] ? [200, { ...rows[0], frozen: false, blocks: [] }] : refusal(404, 'no-such-account');
  },
};

createServer(async (request, response) => {
  const url = new URL(request.url, 'http://here');
  const text = (await request.toArray()).join('');
  if (url.pathname === '/menu') return void writeMenu(response);
  if (url.pathname === '/shout') return void shout(response, text);
  const [, first = '', id, act] = url.pathname.split('/');
  const path = [first, id === undefined ? undefined : ':id', act].filter((part) => part !== undefined);
  const route = routes[`${request.method} /${path.join('/')}`] ?? (() => refusal(404, 'no-such-page'));
  const [status, value, headers] = await route({
    id,
    query: url.searchParams,
    body: JSON.parse(text || '{}'),
    headers: request.headers,
  });
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}).listen(PORT, '127.0.0.1');

async function placeOrder({ customer, item, count = 1, note }) {
  const price = prices[item];
  if (price === undefined) return refusal(422, 'unknown-item', `we have no ${item}`);
  const total = price * count;
  await pool.query('INSERT INTO accounts (customer) VALUES ($1) ON CONFLICT DO NOTHING', [customer]);
  const paid = await pool.query(
    'UPDATE accounts SET balance = balance - $2 WHERE customer = $1 AND balance >= $2 RETURNING balance',
    [customer, total],
  );
  if (paid.rows.length === 0) return refusal(409, 'no-money', 'the account does not cover it');
  const { rows } = await pool.query(
    'INSERT INTO orders (customer, item, count, total) VALUES ($1, $2, $3, $4) RETURNING *',
    [customer, item, count, total],
  );
  const order = shown(rows[0]);
  leaveTraces(order);
  setTimeout(() => tellTheWorld(order), 20); // later than the answer
  const answer = {
    ...order,
    balance: paid.rows[0].balance,
    note,
    warnings: [],
    lines: [{ item, price, count }],
  };
  return [201, answer, { location: `/orders/${order.id}` }];
}

async function cancelOrder(id) {
  const { rows } = await pool.query(
    "UPDATE orders SET status = 'cancelled', cancelled = true WHERE id = $1 AND NOT cancelled RETURNING *",
    [id],
  );
  if (rows.length === 0) return refusal(409, 'not-open');
  const [{ total, customer }] = rows;
  await pool.query('INSERT INTO refunds (order_id, amount) VALUES ($1, $2)', [id, total]);
  await pool.query('UPDATE accounts SET balance = balance + $2 WHERE customer = $1', [customer, total]);
  appendFileSync(
    `${FOLDER}/events.jsonl`,
    `${JSON.stringify({ type: 'order.cancelled', order: id, customer })}\n`,
  );
  return [200, { ...shown(rows[0]), refund: total }];
}

function keepReview({ author, order, text }, { 'x-request-id': trace = '' }) {
  const ticket = randomUUID();
  reviews.set(ticket, { author, text });
  const topics = text.split(' ').filter((word) => word === 'cup' || word in prices);
  const summary = `${text[0].toUpperCase()}${text.slice(1)}.`;
  const words = text.split(' ').length;
  return [201, { ticket, author, order, text, words, stars: 4, topics, summary }, { 'x-request-id': trace }];
}

function shout(response, text) {
  response.writeHead(200, { 'content-type': 'text/plain' }).end(`${text.toUpperCase()}! (${text})`);
}

function refusal(status, code, message = code) {
  console.log(`WARN refused: ${code}`);
  return [status, { error: { code, message } }];
}

function shown({ id, customer, item, count, total, status, placed_at }) {
  return { id, customer, item, count, total, status, placedAt: placed_at };
}

function leaveTraces(order) {
  const { id, customer, item, count, total } = order;
  console.log(`INFO order ${id} of ${customer}: ${count} ${item}, ${total} paid`);
  const event = { type: 'order.placed', order: id, customer, total };
  appendFileSync(`${FOLDER}/events.jsonl`, `${JSON.stringify(event)}\n`);
  writeFileSync(`${FOLDER}/receipts/${customer}.json`, JSON.stringify({ order: id, item, paid: total }));
  const page = `# Receipt\n\n## ${item}\n\n- [x] paid ${total}\n- [x] packed\n`;
  writeFileSync(`${FOLDER}/receipts/${customer}.md`, `---\nstatus: done\n---\n${page}`);
}

async function tellTheWorld({ id, customer, total }) {
  await post(`${MESSENGER_URL}/send`, { to: customer, text: `Order ${id}: ${total} paid, thank you.` });
  await post(`${TRACES_URL}/v1/traces`, traceOf(id, customer, total));
}

async function post(url, value) {
  const headers = { 'content-type': 'application/json' };
  await fetch(url, { method: 'POST', headers, body: JSON.stringify(value) }).then((answer) => answer.text());
}

function traceOf(order, customer, total) {
  const now = `${Date.now()}000000`;
  const attribute = (key, value) =>
    typeof value === 'number'
      ? { key, value: { intValue: String(value) } }
      : { key, value: { stringValue: value } };
  const span = {
    traceId: randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    name: 'POST /orders',
    kind: 2,
    startTimeUnixNano: now,
    endTimeUnixNano: now,
    attributes: [
      attribute('order.id', order),
      attribute('order.customer', customer),
      attribute('order.total', total),
    ],
  };
  const resource = { attributes: [attribute('service.name', 'shop')] };
  return { resourceSpans: [{ resource, scopeSpans: [{ spans: [span] }] }] };
}

function writeMenu(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const items = Object.entries(prices);
  for (const [item, price] of items)
    response.write(`event: item\ndata: ${JSON.stringify({ item, price })}\n\n`);
  response.end(`event: end\ndata: ${JSON.stringify({ items: items.length })}\n\n`);
}
