import { createServer } from 'node:http';

// `POST /talk?mb=N` prints N megabytes of lines and then answers; `GET /body?mb=N` answers with N megabytes.
const line = `INFO ${'all is well '.repeat(20)}\n`;
const block = Buffer.from(line.repeat(Math.ceil((1024 * 1024) / line.length))).subarray(0, 1024 * 1024 - 1);
const piece = Buffer.concat([block, Buffer.from('\n')]);

const write = (stream, bytes) =>
  new Promise((resolve) => (stream.write(bytes) ? resolve() : stream.once('drain', resolve)));

createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://x');
  const megabytes = Number(searchParams.get('mb') ?? 0);
  request.resume();
  if (pathname === '/talk') {
    for (let i = 0; i < megabytes; i += 1) await write(process.stdout, piece);
    response.end('said');
    return;
  }
  response.setHeader('content-type', 'text/plain');
  for (let i = 0; i < megabytes; i += 1) await write(response, piece);
  response.end();
}).listen(Number(process.env.PORT), '127.0.0.1');
