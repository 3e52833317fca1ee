// The desk of a veterinary clinic: appointments over HTTP, rows in Postgres, receipts, an event file, a pager over TCP.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import net from 'node:net';
import { createHash, randomBytes } from 'node:crypto';

const { default: pg } = await import(process.env.PG_MODULE);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 4 });
const dir = process.env.DATA_DIR;
mkdirSync(`${dir}/receipts`, { recursive: true });

await pool.query(`
  CREATE TABLE IF NOT EXISTS vets (id serial PRIMARY KEY, name text NOT NULL, room text NOT NULL);
  CREATE TABLE IF NOT EXISTS accounts (id serial PRIMARY KEY, name text UNIQUE NOT NULL, password_hash text NOT NULL);
  CREATE TABLE IF NOT EXISTS appointments (
    id serial PRIMARY KEY, key text NOT NULL, pet text NOT NULL, owner text NOT NULL, status text NOT NULL,
    fee numeric NOT NULL, paid boolean NOT NULL DEFAULT false, slot timestamptz NOT NULL, meta jsonb NOT NULL DEFAULT '{}');
`);
const { rows: known } = await pool.query('SELECT count(*)::int AS n FROM vets');
if (known[0].n === 0) {
  await pool.query(`INSERT INTO vets (name, room) VALUES ('Dr Ash', 'A1'), ('Dr Birch', 'A2'), ('Dr Cedar', 'B1')`);
  const hash = createHash('sha256').update('salt:whiskers').digest('hex');
  await pool.query(`INSERT INTO accounts (name, password_hash) VALUES ('front', $1)`, [hash]);
}

const event = (value) => appendFileSync(`${dir}/events.jsonl`, JSON.stringify(value) + '\n');
const log = (line) => console.log(line);
const shown = ({ id, key, pet, owner, status, fee, paid }) => ({ id, key, pet, owner, status, fee: Number(fee), paid });

async function trace(name, code, startedAt) {
  const nano = (ms) => `${BigInt(Math.round(ms)) * 1_000_000n}`;
  const span = {
    traceId: randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    name,
    kind: 2,
    startTimeUnixNano: nano(startedAt),
    endTimeUnixNano: nano(Date.now()),
    attributes: [{ key: 'http.response.status_code', value: { intValue: String(code) } }],
    status: { code: code < 500 ? 1 : 2 },
  };
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'desk' } }] };
  await fetch(`${process.env.TRACES_URL}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'desk' }, spans: [span] }] }] }),
  }).catch(() => {});
}

async function book({ pet, owner, key, sample }) {
  if (typeof pet !== 'string' || pet === '') return [422, { error: 'pet is missing' }];
  const { rows } = await pool.query(
    `INSERT INTO appointments (key, pet, owner, status, fee, slot, meta)
     VALUES ($1, $2, $3, 'booked', 40, '2031-05-06T09:00:00Z', $4) RETURNING *`,
    [key ?? '', pet, owner ?? 'unknown', { room: 'A1' }],
  );
  const [row] = rows;
  writeFileSync(`${dir}/receipts/${row.id}.txt`, `receipt ${row.id}\n${pet}\n40.00 EUR\n`);
  event({ type: 'booked', id: row.id, key, pet, at: new Date().toISOString() });
  if (sample) {
    const answer = await fetch(`${process.env.LABS_URL}/samples`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ appointment: row.id, pet }),
    });
    const text = await answer.text();
    event({ type: 'sampled', id: row.id, status: answer.status, ref: answer.ok ? JSON.parse(text).ref : null });
  }
  log(`INFO booked id=${row.id} key=${key}`);
  return [201, shown(row)];
}

async function cancel(id) {
  const { rows } = await pool.query(`UPDATE appointments SET status = 'cancelled' WHERE id = $1 RETURNING *`, [id]);
  if (rows.length === 0) return [404, { error: `no such appointment: ${id}` }];
  event({ type: 'cancelled', id });
  log(`INFO cancelled id=${id}`);
  return [200, shown(rows[0])];
}

async function rpc({ id, method, params }) {
  if (method === 'room.of') {
    const { rows } = await pool.query('SELECT room FROM vets WHERE name = $1', [params?.vet ?? '']);
    if (rows.length > 0) return [200, { jsonrpc: '2.0', id, result: { room: rows[0].room } }];
    return [200, { jsonrpc: '2.0', id, error: { code: -32004, message: `no such vet: ${params?.vet}` } }];
  }
  return [200, { jsonrpc: '2.0', id, error: { code: -32601, message: `no such method: ${method}` } }];
}

async function handle(request, response) {
  const startedAt = Date.now();
  const url = new URL(request.url, 'http://desk');
  let body = '';
  for await (const part of request) body += part;
  const send = async (status, value) => {
    if (url.pathname.startsWith('/appointments')) await trace(`${request.method} ${url.pathname}`, status, startedAt);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
  let json;
  if (body !== '') {
    try {
      json = JSON.parse(body);
    } catch {
      return send(400, { error: 'the body is not JSON' });
    }
  }
  const route = `${request.method} ${url.pathname}`;
  const [, id] = /^\/appointments\/([^/]+)/.exec(url.pathname) ?? [];
  if (route === 'GET /health') return response.writeHead(200, { 'content-type': 'text/plain' }).end('ready');
  if (route === 'GET /old') return response.writeHead(302, { location: '/health' }).end();
  if (route === 'GET /brochure.pdf') {
    return response.writeHead(200, { 'content-type': 'application/pdf' }).end(Buffer.from('%PDF-1.4\n%clinic brochure\n%%EOF\n'));
  }
  if (route === 'GET /stream') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const room of ['A1', 'A2', 'B1']) response.write(`event: room\ndata: ${JSON.stringify({ room })}\n\n`);
    return response.end();
  }
  if (route === 'POST /login') {
    const hash = createHash('sha256').update(`salt:${json?.password}`).digest('hex');
    const { rows } = await pool.query('SELECT id, name FROM accounts WHERE name = $1 AND password_hash = $2', [json?.name ?? '', hash]);
    if (rows.length === 0) return send(401, { error: `wrong name or password for ${json?.name}` });
    response.setHeader('set-cookie', `session=${randomBytes(8).toString('hex')}; HttpOnly`);
    return send(200, { id: rows[0].id, name: rows[0].name, role: 'front' });
  }
  if (route === 'POST /rpc') return send(...(await rpc(json ?? {})));
  if (route === 'POST /appointments') return send(...(await book(json ?? {})));
  if (route === 'GET /appointments') {
    const { rows } = await pool.query('SELECT * FROM appointments WHERE owner = $1 ORDER BY id', [url.searchParams.get('owner') ?? '']);
    return send(200, { items: rows.map(shown), total: rows.length });
  }
  if (id !== undefined && !/^\d{1,9}$/.test(id)) return send(404, { error: `no such appointment: ${id}` });
  if (request.method === 'POST' && url.pathname.endsWith('/cancel')) return send(...(await cancel(Number(id))));
  if (request.method === 'GET' && id !== undefined) {
    const { rows } = await pool.query('SELECT * FROM appointments WHERE id = $1', [Number(id)]);
    if (rows.length === 0) return send(404, { error: `no such appointment: ${id}` });
    return send(200, shown(rows[0]));
  }
  return send(404, { error: `no such place: ${url.pathname}` });
}

net
  .createServer((socket) => {
    let rest = '';
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      rest += bytes;
      for (let end; (end = rest.indexOf('\n')) >= 0; rest = rest.slice(end + 1)) {
        let message;
        try {
          message = JSON.parse(rest.slice(0, end));
        } catch {}
        socket.write(JSON.stringify(message?.page ? { paged: message.page } : { refused: true }) + '\n');
      }
    });
  })
  .listen(process.env.PAGER_PORT, '127.0.0.1');

createServer((request, response) =>
  handle(request, response).catch((error) => {
    console.log(`ERROR ${error.message}`);
    response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ error: 'internal' }));
  }),
).listen(process.env.PORT, '127.0.0.1');
