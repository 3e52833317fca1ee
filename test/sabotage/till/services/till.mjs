// Writes what is sold into a file: sales, what is left, and a copy of the receipt.
import http from 'node:http';
import { DatabaseSync } from 'node:sqlite';

const book = new DatabaseSync(process.env.BOOK);
book.exec(`
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS sales (id TEXT PRIMARY KEY, item TEXT, count INTEGER, paid BOOLEAN, price REAL,
    receipt JSON, seal BLOB, note TEXT);
  CREATE TABLE IF NOT EXISTS stock (item TEXT PRIMARY KEY, count INTEGER);
  INSERT OR IGNORE INTO stock VALUES ('rice', 9), ('tea', 20);`);

http
  .createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    if (request.method !== 'POST') return response.writeHead(200).end();
    const { id, item, count } = JSON.parse(body);
    if (count > 0) {
      const receipt = JSON.stringify({ lines: [{ item, count }], thanks: true });
      book
        .prepare("INSERT INTO sales VALUES (?, ?, ?, 1, ?, ?, x'c0ffee', NULL)")
        .run(id, item, count, count * 1.5, receipt);
      book.prepare('UPDATE stock SET count = count - ? WHERE item = ?').run(count, item);
    }
    response.writeHead(count > 0 ? 201 : 422).end(JSON.stringify({ id }));
  })
  .listen(Number(process.env.PORT), '127.0.0.1');
