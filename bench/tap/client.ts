/** The consumer of the bench, a process of its own: `client.ts <port> <what>` measures one thing and prints it as JSON. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { systemClock } from '../../src/kernel/clock.ts';
import { bulkBytes, download, request, response, upload } from './wire.ts';
import { writeBulk } from './write-bulk.ts';

const connections = 32;
const warmUpMs = 300;
const countMs = 1_200;
const pings = 6_000;

const measurements: Readonly<Record<string, (port: number) => Promise<Record<string, number>>>> = {
  requests: measureRequests,
  latency: measureLatency,
  upload: (port) => measureBulk(port, 'uploadMbPerSecond', upload, 1),
  download: (port) => measureBulk(port, 'downloadMbPerSecond', download, bulkBytes),
};

const [port, what = ''] = process.argv.slice(2);
const scores = await measurements[what]?.(Number(port));
process.stdout.write(JSON.stringify(scores), () => process.exit());

async function measureRequests(toPort: number): Promise<Record<string, number>> {
  let answers = 0;
  for (let i = 0; i < connections; i += 1) await askAgainAndAgain(toPort, () => (answers += 1));
  await systemClock.sleep(warmUpMs);
  const before = answers;
  const startedAt = performance.now();
  await systemClock.sleep(countMs);
  const requestsPerSecond = ((answers - before) * 1_000) / (performance.now() - startedAt);
  return { requestsPerSecond, answers };
}

async function measureLatency(toPort: number): Promise<Record<string, number>> {
  const tookUs: number[] = [];
  let askedAt = performance.now();
  await new Promise<void>((resolve) => {
    void askAgainAndAgain(toPort, () => {
      const now = performance.now();
      tookUs.push((now - askedAt) * 1_000);
      askedAt = now;
      if (tookUs.length === pings) resolve();
    });
  });
  const sorted = tookUs.slice(pings / 10).sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { latencyP50Us: at(0.5), latencyP99Us: at(0.99) };
}

async function measureBulk(
  toPort: number,
  name: string,
  kind: string,
  answerBytes: number,
): Promise<Record<string, number>> {
  const socket = await open(toPort);
  const startedAt = performance.now();
  socket.write(kind);
  if (kind === upload) writeBulk(socket);
  let gotBytes = 0;
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      gotBytes += chunk.length;
      if (gotBytes === answerBytes) resolve();
    });
  });
  return { [name]: bulkBytes / 1024 / 1024 / ((performance.now() - startedAt) / 1_000) };
}

async function askAgainAndAgain(toPort: number, answered: () => void): Promise<void> {
  const socket = await open(toPort);
  let gotBytes = 0;
  socket.on('data', (chunk) => {
    gotBytes += chunk.length;
    if (gotBytes < response.length) return;
    gotBytes = 0;
    answered();
    socket.write(request);
  });
  socket.write(request);
}

async function open(toPort: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: toPort, noDelay: true });
  await once(socket, 'connect');
  return socket;
}
