import { createServer } from 'node:http';

// Answers `GET /n/17` with a small JSON object, as quickly as Node can.
createServer((request, response) => {
  request.resume();
  const body = JSON.stringify({ ok: true, n: Number(request.url.slice(3)), text: 'hello' });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
}).listen(Number(process.env.PORT), '127.0.0.1');
