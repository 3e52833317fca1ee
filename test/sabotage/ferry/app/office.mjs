import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { redisAt } from './redis.mjs';

const { default: pg } = await import(process.env.PG_MODULE);
const { DATA_DIR, PIER_URL, CARDS_URL, PORT } = process.env;
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 4 });
pool.on('error', () => {});
const redis = redisAt(process.env.REDIS_URL);
mkdirSync(`${DATA_DIR}/tickets`, { recursive: true });
const note = (event) => appendFileSync(`${DATA_DIR}/events.jsonl`, `${JSON.stringify(event)}\n`);
const fail = (status, message) => {
  throw Object.assign(new Error(message), { status });
};
const post = async (url, json) => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
  if (!answer.ok) fail(502, `${new URL(url).pathname} said ${answer.status}`);
  return answer.json();
};
const view = (row) => ({
  id: row.id,
  crossing: row.crossing,
  passenger: row.passenger,
  seats: row.seats,
  class: row.class,
  fareCents: row.fare_cents,
  status: row.status,
  remark: row.remark,
  bookedAt: row.booked_at,
});
const fares = { deck: 700, lounge: 1900 };

async function book({ crossing, passenger, seats, class: kind = 'deck', remark = null }) {
  if (typeof passenger !== 'string' || passenger === '') fail(422, 'passenger is missing');
  if (!(seats >= 1 && seats <= 9)) fail(422, 'seats must be 1 to 9');
  if (!(kind in fares)) fail(422, `no class ${kind}`);
  const db = await pool.connect();
  try {
    await db.query('BEGIN');
    const found = await db.query('SELECT * FROM crossings WHERE id = $1 FOR UPDATE', [crossing]);
    const place = found.rows[0];
    if (place === undefined) fail(404, 'no such crossing');
    if (!place.open) fail(409, 'crossing is closed');
    if (place.seats < seats) fail(409, 'crossing is full');
    const { rows } = await db.query(
      `INSERT INTO bookings(crossing, passenger, seats, class, fare_cents, remark)
       VALUES ($1, $2, $3, $4, $5, $6) RETURNING *`,
      [crossing, passenger, seats, kind, fares[kind] * seats, remark],
    );
    await db.query('UPDATE crossings SET seats = seats - $2 WHERE id = $1', [crossing, seats]);
    const { position } = await post(`${PIER_URL}/manifest`, { booking: rows[0].id, crossing, passenger });
    await db.query('COMMIT');
    await redis('SET', `hold:${rows[0].id}`, JSON.stringify({ crossing, seats }), 'EX', 900);
    await redis('LPUSH', 'mail', JSON.stringify({ to: passenger, about: 'held' }));
    note({ type: 'held', booking: rows[0].id, seats });
    console.log(`INFO held booking=${rows[0].id} seats=${seats}`);
    return { booking: view(rows[0]), left: place.seats - seats, position };
  } catch (error) {
    await db.query('ROLLBACK');
    throw error;
  } finally {
    db.release();
  }
}

async function bookingOf(id) {
  const { rows } = await pool.query('SELECT * FROM bookings WHERE id = $1', [Number(id) || 0]);
  return rows[0] ?? fail(404, 'no such booking');
}

async function pay(id) {
  const row = await bookingOf(id);
  if (row.status !== 'held') fail(409, `booking is ${row.status}`);
  const { charge } = await post(`${CARDS_URL}/charges`, { cents: row.fare_cents, reference: `b-${id}` });
  const { rows } = await pool.query(
    `UPDATE bookings SET status = 'paid', charge = $2 WHERE id = $1 RETURNING *`,
    [id, charge],
  );
  await redis('DEL', `hold:${id}`);
  writeFileSync(
    `${DATA_DIR}/tickets/${id}.json`,
    JSON.stringify({ booking: row.id, passenger: row.passenger, cents: row.fare_cents }),
  );
  note({ type: 'paid', booking: row.id, cents: row.fare_cents });
  console.log(`INFO paid booking=${id} cents=${row.fare_cents}`);
  return { booking: view(rows[0]), ticket: `tickets/${id}.json` };
}

async function cancel(id) {
  const row = await bookingOf(id);
  if (row.status === 'void') fail(409, 'booking is void');
  await pool.query(`UPDATE bookings SET status = 'void' WHERE id = $1`, [id]);
  await pool.query('UPDATE crossings SET seats = seats + $2 WHERE id = $1', [row.crossing, row.seats]);
  await redis('DEL', `hold:${id}`);
  note({ type: 'void', booking: row.id });
  return { booking: view({ ...row, status: 'void' }) };
}

async function answer(method, url, body) {
  const [, what, id, verb] = url.pathname.split('/');
  if (what === 'health') return [200, { ok: true }];
  if (what === 'crossings' && method === 'GET') {
    const { rows } = await pool.query('SELECT * FROM crossings ORDER BY id');
    if (id === undefined) return [200, { crossings: rows }];
    return [200, rows.find((row) => row.id === id) ?? fail(404, 'no such crossing')];
  }
  if (what !== 'bookings') fail(404, 'no such page');
  if (method === 'POST')
    return id === undefined
      ? [201, await book(body)]
      : verb === 'pay'
        ? [200, await pay(id)]
        : fail(404, 'no such page');
  if (method === 'DELETE') return [200, await cancel(id)];
  if (id !== undefined) return [200, { booking: view(await bookingOf(id)) }];
  const { rows } = await pool.query('SELECT * FROM bookings WHERE passenger = $1 ORDER BY id', [
    url.searchParams.get('passenger'),
  ]);
  return [200, { bookings: rows.map(view), total: rows.length }];
}

createServer(async (request, response) => {
  let text = '';
  for await (const piece of request) text += piece;
  const reply = (status, json) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
  try {
    const url = new URL(request.url, 'http://office');
    reply(...(await answer(request.method, url, text === '' ? {} : JSON.parse(text))));
  } catch (error) {
    reply(error.status ?? 500, { error: error.message });
  }
}).listen(Number(PORT), '127.0.0.1');
