/** Commands of Redis through a tap that reads them, beside one that only passes bytes, and beside none: one at a time, and pipelined. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { formatSideBySide, type Scores } from '../side-by-side.ts';
import { awaitedRate } from './awaited-rate.ts';
import { compareWays } from './compare-ways.ts';
import { exchangeOnce, pipelinedRate, type WireExchange } from './exchange-rate.ts';
import { redisInstall, startRedis } from './start-redis.ts';
import { type StoreMeasured, storeRatios } from './store-ratios.ts';

const sliceMs = 60;
const batch = 100;
const batchesAtOnce = 4;
const value = 'v'.repeat(64);
const answerBytes = { GET: `$64\r\n${value}\r\n`.length, SET: '+OK\r\n'.length };

const set = command('SET', 'bench:key', value);
const get = command('GET', 'bench:key');

const awaited: Readonly<Record<string, WireExchange>> = {
  redisSetsPerSecond: { request: set, answerBytes: answerBytes.SET },
  redisGetsPerSecond: { request: get, answerBytes: answerBytes.GET },
};

const pipelined: WireExchange = {
  request: Buffer.concat(Array.from({ length: batch / 2 }, () => [set, get]).flat()),
  answerBytes: (batch / 2) * (answerBytes.SET + answerBytes.GET),
};

export async function measureRedis(): Promise<StoreMeasured> {
  const server = await startRedis();
  if (server === undefined) return { table: '', ratios: {}, peersAbsent: [redisInstall] };
  const close = async (socket: Socket): Promise<void> => void socket.destroy();
  try {
    const result = await compareWays(server.port, { open, measure, close });
    return { table: formatSideBySide(result), ratios: storeRatios(result), peersAbsent: [] };
  } finally {
    await server.stop();
  }
}

async function measure(socket: Socket): Promise<Scores> {
  const scores: Record<string, number> = {};
  for (const [name, exchange] of Object.entries(awaited))
    scores[name] = await awaitedRate(() => exchangeOnce(socket, exchange), sliceMs);
  const batches = await pipelinedRate(socket, pipelined, batchesAtOnce, sliceMs);
  return { ...scores, redisPipelinedPerSecond: batches * batch };
}

function command(...words: readonly string[]): Buffer {
  return Buffer.from(`*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join('')}`);
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  await once(socket, 'connect');
  return socket;
}
