import net from 'node:net';

/** A connection to Redis that sends one command after the other. */
export function redisAt(url) {
  const { hostname, port, pathname } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  const waiting = [];
  let buffer = '';
  socket.setEncoding('utf8');
  socket.on('data', (piece) => {
    buffer += piece;
    for (let reply = take(); reply !== undefined; reply = take()) waiting.shift()(reply.value);
  });
  function take() {
    const end = buffer.indexOf('\r\n');
    if (end < 0) return undefined;
    const line = buffer.slice(1, end);
    if (buffer[0] !== '$' || line === '-1') {
      const value = buffer[0] === ':' ? Number(line) : buffer[0] === '$' ? null : line;
      buffer = buffer.slice(end + 2);
      return { value };
    }
    const length = Number(line);
    if (buffer.length < end + 4 + length) return undefined;
    const value = buffer.slice(end + 2, end + 2 + length);
    buffer = buffer.slice(end + 4 + length);
    return { value };
  }
  const send = (...words) =>
    new Promise((resolve) => {
      waiting.push(resolve);
      socket.write(
        `*${words.length}\r\n${words.map((w) => `$${Buffer.byteLength(`${w}`)}\r\n${w}\r\n`).join('')}`,
      );
    });
  if (pathname.length > 1) send('SELECT', pathname.slice(1));
  return send;
}
