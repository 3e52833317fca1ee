/** The CLI gateway: `node src/daemon-cli.ts "hello"` sends the text to the daemon and prints the answer; without arguments, every line of stdin. */
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { reasonOf } from './log.ts';
import { wholeNumber } from './settings.ts';
import { createFrameReader, frame, inCharacters } from './wire/frames.ts';
import { field, nameAt, textAt } from './wire/message.ts';
import { keyword, type Value } from './wire/sexp.ts';

const timeoutMs = wholeNumber(process.env, 'CLI_TIMEOUT_MS', 10_000, 600_000);

try {
  const url = new URL(process.env.DAEMON_URL || 'tcp://127.0.0.1:9105');
  process.exitCode = (await converse(url, process.argv.slice(2).join(' '))) ? 0 : 1;
} catch (error) {
  console.error(`daemon-cli: ${reasonOf(error)}`);
  process.exitCode = 1;
}

/** True when everything was answered. */
async function converse(url: URL, words: string): Promise<boolean> {
  const socket = connect(Number(url.port), url.hostname);
  try {
    const messages = readMessages(socket);
    await next(messages); // the handshake
    let wellAnswered = true;
    // Stdin is opened only now: lines that arrive before there is a listener would be lost.
    const lines = words === '' ? createInterface({ input: process.stdin }) : [words];
    for await (const line of lines) {
      if (line.trim() === '') continue;
      const meta = { SOURCE: keyword('cli') };
      const payload = { SENSOR: keyword('user-input'), TEXT: line };
      socket.write(frame({ TYPE: keyword('event'), META: meta, PAYLOAD: payload }, inCharacters));
      if (!show(await next(messages))) wellAnswered = false;
    }
    return wellAnswered;
  } finally {
    socket.destroy();
  }
}

async function* readMessages(socket: Socket): AsyncGenerator<Value> {
  const reader = createFrameReader(inCharacters);
  for await (const chunk of socket) yield* reader.push(chunk as Buffer);
}

async function next(messages: AsyncGenerator<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    const { done, value } = await Promise.race([messages.next(), late]);
    if (done) throw new Error('the daemon closed the connection');
    return value;
  } finally {
    clearTimeout(timer);
  }
}

function show(answer: Value): boolean {
  const text = textAt(answer, 'PAYLOAD', 'TEXT');
  if (nameAt(answer, 'TYPE') !== 'event' || text === undefined) {
    const reason = nameAt(answer, 'PAYLOAD', 'REASON') ?? 'an answer without text';
    console.error(`daemon-cli: ${reason}: ${textAt(answer, 'PAYLOAD', 'DETAIL') ?? ''}`);
    return false;
  }
  console.log(text);
  if (field(answer, 'PAYLOAD', 'DEGRADED') === true) console.error('daemon-cli: this answer is degraded');
  return true;
}
