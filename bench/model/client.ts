/** The consumer of the bench, a process of its own: `client.ts <port> <what>` measures one thing and prints it as JSON. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { systemClock } from '../../src/kernel/clock.ts';
import { createResponseReader } from '../../src/protocols/http/http-reader.ts';
import { type Question, questions, request } from './exchanges.ts';

const connections = 32;
const pacedStreams = 512;
const warmUpMs = 500;
const countMs = 1_500;
const firsts = 400;
const streams = 200;

const measurements: Readonly<Record<string, (port: number) => Promise<Record<string, number>>>> = {
  json: measureJson,
  events: measureEvents,
  burst: measureBurst,
  first: measureFirst,
  hold: holdStreams,
};

const [port, what = ''] = process.argv.slice(2);
const scores = await measurements[what]?.(Number(port));
process.stdout.write(JSON.stringify(scores), () => process.exit());

async function measureJson(toPort: number): Promise<Record<string, number>> {
  return rate(toPort, printed(questions.short, false), connections, 'answers');
}

/** Many streams at the least pace, so that every event is a write of its own. */
async function measureEvents(toPort: number): Promise<Record<string, number>> {
  return rate(toPort, printed(questions.paced, true), pacedStreams, 'events');
}

/** Streams without a pace, whose events a server may gather. */
async function measureBurst(toPort: number): Promise<Record<string, number>> {
  return rate(toPort, printed(questions.long, true), connections, 'events');
}

/** `perSecond` without the beginning, and `count` of the whole time, for whoever knows what it cost. */
async function rate(
  toPort: number,
  asked: Buffer,
  width: number,
  what: keyof Counted,
): Promise<Record<string, number>> {
  const counted: Counted = { answers: 0, events: 0 };
  for (let i = 0; i < width; i += 1) await askAgainAndAgain(toPort, asked, counted);
  await systemClock.sleep(warmUpMs);
  const before = counted[what];
  const startedAt = performance.now();
  await systemClock.sleep(countMs);
  const perSecond = ((counted[what] - before) * 1_000) / (performance.now() - startedAt);
  return { perSecond, count: counted[what] };
}

interface Counted {
  answers: number;
  events: number;
}

/** Each event is a chunk of its own, which the reader gives apart. */
async function askAgainAndAgain(toPort: number, asked: Buffer, counted: Counted): Promise<void> {
  const socket = await open(toPort);
  const reader = createResponseReader({
    onHead: ({ status }) => {
      if (status !== 200) throw new Error(`the answer has status ${status}`);
      return undefined;
    },
    onBody: () => {
      counted.events += 1;
    },
    onEnd: () => {
      counted.answers += 1;
      socket.write(asked);
    },
  });
  socket.on('data', (bytes) => void reader.push(bytes));
  socket.write(asked);
}

/** From the request to its first event; each stream is read to its end before the next is asked for. */
async function measureFirst(toPort: number): Promise<Record<string, number>> {
  const tookUs: number[] = [];
  const asked = printed(questions.long, true);
  const socket = await open(toPort);
  let askedAt = performance.now();
  let isFirst = true;
  await new Promise<void>((resolve) => {
    const reader = createResponseReader({
      onHead: () => undefined,
      onBody: () => {
        if (isFirst) tookUs.push((performance.now() - askedAt) * 1_000);
        isFirst = false;
      },
      onEnd: () => {
        if (tookUs.length === firsts) return resolve();
        isFirst = true;
        askedAt = performance.now();
        socket.write(asked);
      },
    });
    socket.on('data', (bytes) => void reader.push(bytes));
    socket.write(asked);
  });
  const sorted = tookUs.slice(firsts / 4).sort((a, b) => a - b);
  return { firstEventUs: sorted[sorted.length >> 1] ?? Number.NaN };
}

/** Opens slow streams, says how many have begun, and holds them until its input ends. */
async function holdStreams(toPort: number): Promise<Record<string, number>> {
  const sockets = await Promise.all(Array.from({ length: streams }, () => open(toPort)));
  await Promise.all(
    sockets.map((socket) => {
      socket.write(printed(questions.slow, true));
      return firstEvent(socket);
    }),
  );
  process.stdout.write(`${streams}\n`);
  process.stdin.resume();
  await once(process.stdin, 'end');
  return {};
}

async function firstEvent(socket: Socket): Promise<void> {
  let seen = '';
  for await (const [bytes] of onData(socket)) {
    seen = seen.slice(-5) + bytes.toString('latin1');
    if (seen.includes('data:')) return;
  }
}

async function* onData(socket: Socket): AsyncGenerator<[Buffer]> {
  for (;;) yield (await once(socket, 'data')) as [Buffer];
}

async function open(toPort: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: toPort, noDelay: true });
  await once(socket, 'connect');
  return socket;
}

function printed(question: Question, stream: boolean): Buffer {
  const body = request(question, stream);
  return Buffer.from(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer sk-bench\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
