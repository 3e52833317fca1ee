/** The HTTP consumer of the bench, a process of its own: `http-client.ts <port> <what>` measures one thing and prints it as JSON. */
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { systemClock } from '../../src/kernel/clock.ts';
import { createSseParser } from '../../src/protocols/sse/sse-parser.ts';
import { streamPath, thing, thingPath, type WantedStream } from './http-wire.ts';

const connections = 32;
const warmUpMs = 400;
const countMs = 1_500;
const streamsAtOnce = 16;
const eventsOfStream = 10_000;
const openStreams = 2_000;
const eventsOfOpenStream = 20;
const openEveryMs = 500;

const measurements: Readonly<Record<string, (port: number) => Promise<Record<string, number>>>> = {
  http: measureRequests,
  sse: measureStreams,
  open: measureOpenStreams,
};

const [port, what = ''] = process.argv.slice(2);
const scores = await measurements[what]?.(Number(port));
process.stdout.write(JSON.stringify(scores), () => process.exit());

async function measureRequests(toPort: number): Promise<Record<string, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let answers = 0;
  const askAgainAndAgain = async (): Promise<void> => {
    for (;;) {
      const body = await text(await ask(toPort, agent, 'GET', thingPath));
      if (body !== thing) throw new Error(`an answer was ${body}`);
      answers += 1;
    }
  };
  for (let i = 0; i < connections; i += 1) void askAgainAndAgain();
  await systemClock.sleep(warmUpMs);
  const before = answers;
  const startedAt = performance.now();
  await systemClock.sleep(countMs);
  return { httpRequestsPerSecond: ((answers - before) * 1_000) / (performance.now() - startedAt) };
}

/** Some streams at a time, each as fast as it comes; every event is read as a client of a model reads it. */
async function measureStreams(toPort: number): Promise<Record<string, number>> {
  const wanted: WantedStream = { stream: true, events: eventsOfStream, everyMs: 0 };
  const agent = new Agent({ keepAlive: false });
  const startedAt = performance.now();
  const counts = await Promise.all(
    Array.from({ length: streamsAtOnce }, () => countEvents(toPort, agent, wanted)),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  const events = counts.reduce((sum, count) => sum + count, 0);
  return { sseEventsPerSecond: events / seconds };
}

/** All of them open at the same time. */
async function measureOpenStreams(toPort: number): Promise<Record<string, number>> {
  const wanted: WantedStream = { stream: true, events: eventsOfOpenStream, everyMs: openEveryMs };
  const agent = new Agent({ keepAlive: false });
  const counts = await Promise.all(
    Array.from({ length: openStreams }, () => countEvents(toPort, agent, wanted)),
  );
  const expected = openStreams * (eventsOfOpenStream + 1);
  return { lostEvents: expected - counts.reduce((sum, count) => sum + count, 0) };
}

/** The end mark counts. */
async function countEvents(toPort: number, agent: Agent, wanted: WantedStream): Promise<number> {
  const response = await ask(toPort, agent, 'POST', streamPath, JSON.stringify(wanted));
  const parser = createSseParser();
  let count = 0;
  for await (const chunk of response) {
    for (const { data } of parser.push(chunk as Buffer)) {
      if (data !== '[DONE]') JSON.parse(data);
      count += 1;
    }
  }
  return count;
}

function ask(
  toPort: number,
  agent: Agent,
  method: string,
  path: string,
  body?: string,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const asked = request({ host: '127.0.0.1', port: toPort, agent, method, path, headers }, resolve);
    asked.on('error', reject);
    asked.end(body);
  });
}
