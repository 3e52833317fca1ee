// Adds numbers for whoever connects, in four ways of speaking: JSON by the line, s-expressions behind six hexadecimal digits,
// JSON behind its length, and plain words.
import { createServer } from 'node:net';

const { LINES_PORT, FRAMES_PORT, MESSAGES_PORT, PLAIN_PORT } = process.env;

/** One answer for one question, whatever the way of speaking. */
function answer({ op, tag, numbers = [] }, turn) {
  if (op !== 'add') return { error: { code: 'unknown-op' }, tag };
  return { op, tag, sum: numbers.reduce((sum, number) => sum + number, 0), turn, notes: [] };
}

serve(
  LINES_PORT,
  { greeting: `${JSON.stringify({ hello: 'desk', version: 3 })}\n`, cut: cutLine },
  (text, turn) => {
    return `${JSON.stringify(answer(JSON.parse(text), turn))}\n`;
  },
);

serve(MESSAGES_PORT, { cut: cutMessage }, (text, turn) => {
  const said = JSON.stringify(answer(JSON.parse(text), turn));
  return `Content-Length: ${Buffer.byteLength(said)}\r\n\r\n${said}`;
});

serve(
  FRAMES_PORT,
  { greeting: framed('(:TYPE :EVENT :PAYLOAD (:ACTION :HANDSHAKE))'), cut: cutFrame },
  (text, turn) => {
    const [, said] = /:ECHO .*:TEXT "([^"]*)"/i.exec(text) ?? [];
    if (said) return framed(`(:TYPE :SAID :TURN ${turn} :PAYLOAD (:TEXT "${said}" :LETTERS ${said.length}))`);
    if (/:HEALTH-CHECK/i.test(text)) return framed('(:TYPE :HEALTH-RESPONSE :STATE :WELL :OPEN 1)');
    return framed('(:TYPE :ERROR :REASON "unknown message")');
  },
);

serve(PLAIN_PORT, { greeting: '220 desk at your service\n', cut: cutLine }, (text) => {
  if (text.startsWith('SAY ')) return `251 you said ${text.slice(4)}\n`;
  return text === 'TIME' ? '250 it is tea time\n' : '500 what?\n';
});

function serve(port, { greeting, cut }, reply) {
  createServer((socket) => {
    let left = '';
    let turn = 0;
    if (greeting) socket.write(greeting);
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      left += bytes;
      for (let found = cut(left); found; found = cut(left)) {
        left = left.slice(found.used);
        if (found.broken) return socket.end(framed('(:TYPE :ERROR :REASON "no frame")'));
        turn += 1;
        socket.write(reply(found.text, turn));
      }
    });
  }).listen(Number(port), '127.0.0.1');
}

function cutLine(text) {
  const end = text.indexOf('\n');
  return end < 0 ? undefined : { text: text.slice(0, end), used: end + 1 };
}

function cutMessage(text) {
  const [head, length] = /^Content-Length: (\d+)\r\n\r\n/.exec(text) ?? [];
  if (head === undefined || text.length < head.length + Number(length)) return undefined;
  return { text: text.slice(head.length, head.length + Number(length)), used: head.length + Number(length) };
}

function cutFrame(text) {
  if (text.length < 6) return undefined;
  if (!/^[0-9a-f]{6}/i.test(text)) return { broken: true, used: text.length };
  const length = Number.parseInt(text.slice(0, 6), 16);
  return text.length < 6 + length ? undefined : { text: text.slice(6, 6 + length), used: 6 + length };
}

function framed(text) {
  return text.length.toString(16).padStart(6, '0') + text;
}
