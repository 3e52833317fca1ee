import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { default: pg } = await import(process.env.PG_MODULE);

const DIR = process.env.DATA_DIR;
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 4 });
pool.on('error', () => {});
mkdirSync(`${DIR}/receipts`, { recursive: true });
const audit = (event) => appendFileSync(`${DIR}/audit.jsonl`, JSON.stringify(event) + '\n');
const view = (r) => ({
  id: r.id,
  plate: r.plate,
  spot: r.spot,
  status: r.status,
  owner: r.owner,
  note: r.note,
  holdId: r.hold,
  minutes: r.minutes,
  feeCents: r.fee_cents,
  chargeId: r.charge,
  enteredAt: r.created_at,
});
const till = async (method, path, json) => {
  const a = await fetch(process.env.TILL_URL + path, {
    method,
    headers: { 'content-type': 'application/json', 'x-origin': 'garage' },
    body: json === undefined ? undefined : JSON.stringify(json),
  });
  if (!a.ok) throw Object.assign(new Error(`till said ${a.status}`), { status: 502 });
  return a.status === 204 ? null : a.json();
};
const fail = (status, message) => {
  throw Object.assign(new Error(message), { status });
};

async function enter({ plate, spot, note }) {
  if (typeof plate !== 'string' || plate === '') fail(422, 'plate is missing');
  const db = await pool.connect();
  try {
    await db.query('BEGIN');
    const {
      rows: [place],
    } = await db.query('SELECT * FROM spots WHERE id=$1 FOR UPDATE', [spot]);
    if (!place) fail(404, 'no such spot');
    if (place.taken) fail(409, 'spot is taken');
    const known = await fetch(`${process.env.REGISTRY_URL}/vehicles/${encodeURIComponent(plate)}`);
    if (known.status === 404) fail(403, 'unknown vehicle');
    const { owner } = await known.json();
    const {
      rows: [row],
    } = await db.query(
      `INSERT INTO sessions(plate, spot, owner, note, status) VALUES($1,$2,$3,$4,'open') RETURNING *`,
      [plate, spot, owner, note ?? null],
    );
    await db.query('UPDATE spots SET taken=true WHERE id=$1', [spot]);
    const { hold } = await till('POST', '/holds', { session: row.id, cents: 500 });
    row.hold = hold;
    await db.query('UPDATE sessions SET hold=$1 WHERE id=$2', [hold, row.id]);
    await db.query('COMMIT');
    audit({ type: 'entered', session: row.id, plate, spot });
    console.log(`INFO entered session=${row.id} spot=${spot}`);
    return view(row);
  } catch (e) {
    await db.query('ROLLBACK');
    throw e;
  } finally {
    db.release();
  }
}

async function exit(id, { minutes }) {
  const {
    rows: [row],
  } = await pool.query(
    'SELECT s.*, t.cents_per_hour FROM sessions s JOIN spots p ON p.id=s.spot JOIN tariffs t ON t.kind=p.kind WHERE s.id=$1',
    [id],
  );
  if (!row) fail(404, 'no such session');
  if (row.status !== 'open') fail(409, `session is ${row.status}`);
  const fee = Math.ceil(minutes / 60) * row.cents_per_hour;
  const { charge } = await till('POST', '/charges', { session: id, cents: fee, hold: row.hold });
  const {
    rows: [done],
  } = await pool.query(
    `UPDATE sessions SET status='closed', minutes=$2, fee_cents=$3, charge=$4 WHERE id=$1 RETURNING *`,
    [id, minutes, fee, charge],
  );
  await pool.query('UPDATE spots SET taken=false WHERE id=$1', [row.spot]);
  writeFileSync(
    `${DIR}/receipts/${id}.json`,
    JSON.stringify({ session: id, plate: row.plate, cents: fee, charge }),
  );
  writeFileSync(
    `${DIR}/receipts/${id}.md`,
    `# Receipt ${id}\n\n- [x] paid\n\nPlate ${row.plate}, ${fee} cents\n`,
  );
  audit({ type: 'exited', session: id, cents: fee });
  console.log(`INFO exited session=${id} fee=${fee}`);
  return { ...view(done), receipt: `receipts/${id}.json` };
}

const tools = [
  { name: 'free_spots', description: 'spots that are free', inputSchema: { type: 'object', properties: {} } },
  {
    name: 'find_car',
    description: 'where a car is',
    inputSchema: { type: 'object', properties: { plate: { type: 'string' } }, required: ['plate'] },
  },
];
async function mcp({ id, method, params }) {
  const reply = (result) => ({ jsonrpc: '2.0', id, result });
  if (method === 'initialize')
    return reply({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'garage', version: '1.0.0' },
    });
  if (method === 'tools/list') return reply({ tools });
  if (method === 'ping') return reply({});
  if (method === 'tools/call') {
    let data;
    if (params.name === 'free_spots')
      data = (await pool.query('SELECT id FROM spots WHERE NOT taken ORDER BY id')).rows.map((r) => r.id);
    else if (params.name === 'find_car') {
      const { rows } = await pool.query(`SELECT spot FROM sessions WHERE plate=$1 AND status='open'`, [
        params.arguments.plate,
      ]);
      if (rows.length === 0)
        return reply({ content: [{ type: 'text', text: 'no such car' }], isError: true });
      data = { spot: rows[0].spot, plate: params.arguments.plate };
    }
    return reply({ content: [{ type: 'text', text: JSON.stringify(data) }], isError: false });
  }
  return { jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } };
}

createServer(async (request, response) => {
  const url = new URL(request.url, 'http://x');
  if (url.pathname === '/health') return response.end('ok');
  let text = '';
  for await (const part of request) text += part;
  const send = (status, json, headers = {}) =>
    response
      .writeHead(status, {
        'content-type': 'application/json',
        'x-trace': `tr-${randomBytes(4).toString('hex')}`,
        ...headers,
      })
      .end(json === undefined ? undefined : JSON.stringify(json));
  try {
    const body = text === '' ? {} : JSON.parse(text);
    console.log(`INFO request ${request.method} ${url.pathname}`);
    const m = /^\/sessions\/(\d+)(\/exit)?$/.exec(url.pathname);
    if (url.pathname === '/mcp') {
      if (request.method !== 'POST') return send(405, { error: 'post only' });
      if (body.id === undefined) return response.writeHead(202).end();
      return send(200, await mcp(body));
    }
    if (request.method === 'POST' && url.pathname === '/sessions') {
      const s = await enter(body);
      return send(201, s, { location: `/sessions/${s.id}` });
    }
    if (request.method === 'POST' && m?.[2]) return send(200, await exit(Number(m[1]), body));
    if (request.method === 'GET' && m) {
      const {
        rows: [r],
      } = await pool.query('SELECT * FROM sessions WHERE id=$1', [m[1]]);
      return r ? send(200, view(r)) : send(404, { error: 'no such session' });
    }
    if (request.method === 'DELETE' && m) {
      const {
        rows: [r],
      } = await pool.query('SELECT * FROM sessions WHERE id=$1', [m[1]]);
      if (!r) return send(404, { error: 'no such session' });
      if (r.status !== 'open') return send(409, { error: `session is ${r.status}` });
      await till('DELETE', `/holds/${r.hold}`);
      await pool.query(`UPDATE sessions SET status='cancelled' WHERE id=$1`, [r.id]);
      await pool.query('UPDATE spots SET taken=false WHERE id=$1', [r.spot]);
      audit({ type: 'cancelled', session: r.id });
      console.log(`WARN cancelled session=${r.id}`);
      return send(200, { id: r.id, status: 'cancelled' });
    }
    if (url.pathname === '/sessions') {
      const { rows } = await pool.query(
        'SELECT * FROM sessions WHERE ($1::text IS NULL OR plate=$1) ORDER BY id',
        [url.searchParams.get('plate')],
      );
      return send(200, { items: rows.map(view), total: rows.length });
    }
    if (url.pathname === '/spots')
      return send(200, (await pool.query('SELECT * FROM spots ORDER BY id')).rows);
    if (url.pathname === '/tariffs')
      return send(200, (await pool.query('SELECT * FROM tariffs ORDER BY kind')).rows);
    if (url.pathname === '/stats')
      return send(
        200,
        (
          await pool.query(
            `SELECT count(*) FILTER (WHERE status='open')::int open, count(*) FILTER (WHERE status='closed')::int closed, coalesce(sum(fee_cents),0)::int "revenueCents" FROM sessions`,
          )
        ).rows[0],
      );
    send(404, { error: 'no such path' });
  } catch (e) {
    const status = e.status ?? 500;
    console.log(`WARN refused ${status} ${e.message}`);
    send(status, { error: e.message });
  }
}).listen(process.env.PORT, '127.0.0.1');
