// Answers `GET /orders/17` with an order of the size that real ones have, and writes a line for each.
import { createServer } from 'node:http';

createServer((request, response) => {
  const id = Number(request.url.split('/').at(-1)) || 0;
  console.log(`INFO order ${id} was asked for`);
  const lines = Array.from({ length: 12 }, (_, n) => ({
    sku: `tea-${n}`,
    count: n + 1,
    price: 4.5 + n,
    taxes: [{ name: 'vat', rate: 0.19 }],
  }));
  const total = lines.reduce((sum, { count, price }) => sum + count * price, 0);
  const customer = { name: 'Ada', city: 'London', tags: ['regular', 'invoice'] };
  const order = { id, status: 'placed', total, customer, lines, warnings: [], note: null };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(order));
}).listen(Number(process.env.PORT), '127.0.0.1');
