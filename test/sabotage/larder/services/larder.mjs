// Puts what is delivered on its shelves: a queue, a book of deliveries, a log, marks of freshness.
import http from 'node:http';
import net from 'node:net';

const { hostname, port } = new URL(process.env.SHELVES_URL);
const line = net.connect(Number(port), hostname);
const waiting = [];
let received = '';
line.setEncoding('utf8').on('data', (text) => {
  received += text;
  if (received.endsWith('\r\n')) waiting.shift()?.();
});

/** One after the other; each answer of interest fits into one packet. */
function say(...words) {
  received = '';
  line.write(
    `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(String(word))}\r\n${word}\r\n`).join('')}`,
  );
  return new Promise((resolve) => waiting.push(resolve));
}

async function deliver({ id, item, count }) {
  await say(
    'RPUSH',
    'queue',
    JSON.stringify({ id, item, count }),
    JSON.stringify({ id, item: 'label', count: 1 }),
  );
  await say('HSET', `delivery:${id}`, 'item', item, 'count', count, 'state', 'stored');
  await say('SADD', 'items', item, 'salt');
  await say('ZADD', 'stock', count, item, 2, 'salt');
  await say('SET', `fresh:${id}`, 'yes', 'EX', 60);
  await say('XGROUP', 'CREATE', 'log', 'clerks', '0', 'MKSTREAM');
  await say('XADD', 'log', '*', 'event', 'arrived', 'delivery', id);
  await say('XADD', 'log', '*', 'event', 'stored', 'delivery', id);
  await say('XREADGROUP', 'GROUP', 'clerks', 'ann', 'COUNT', 1, 'STREAMS', 'log', '>');
}

http
  .createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    if (request.method === 'POST') {
      const delivery = JSON.parse(body);
      if (delivery.count > 0) await deliver(delivery);
      response.writeHead(delivery.count > 0 ? 201 : 422).end(JSON.stringify({ id: delivery.id }));
    } else response.writeHead(200).end();
  })
  .listen(Number(process.env.PORT), '127.0.0.1');
