/**
 * An idle tap, and one that looks for calls, beside a direct connection and beside Toxiproxy: small requests, bulk, latency; then
 * requests and streams of HTTP, statements and commands through one that looks.
 */
import { loadavg } from 'node:os';
import type { Aim, BenchResult } from './run.ts';
import {
  type Contestant,
  formatSideBySide,
  type Scores,
  type SideBySide,
  sideBySide,
} from './side-by-side.ts';
import { type Actor, askActor, startActor } from './tap/actor.ts';
import { cpuTimeUs } from './tap/cpu-time.ts';
import { measureHttp } from './tap/measure-http.ts';
import { measurePostgres } from './tap/measure-postgres.ts';
import { measureRedis } from './tap/measure-redis.ts';
import { storeAims } from './tap/store-ratios.ts';
import { startToxiproxy, toxiproxyInstall } from './tap/toxiproxy.ts';

const rounds = 5;

/**
 * Client, relay and server share the machine, and a relay doubles the hops: half of the direct rate and twice its latency are
 * what any relay can reach. Requests are on a par with Toxiproxy where the machine is quiet, because nearly all of the time is
 * the kernel's in both; on a crowded one the scheduler gives its many threads more, which is what the lower aim allows for.
 */
const aims: Readonly<Record<string, Aim>> = {
  requestsPerSecondVsDirect: { atLeast: 0.35 },
  latencyP50UsVsDirect: { atMost: 3 },
  downloadMbPerSecondVsDirect: { atLeast: 0.45 },
  uploadMbPerSecondVsDirect: { atLeast: 0.35 },
  requestsPerSecondVsToxiproxy: { atLeast: 0.75 },
  cpuUsPerRequestVsToxiproxy: { atMost: 1 },
  latencyP50UsVsToxiproxy: { atMost: 1 },
  downloadMbPerSecondVsToxiproxy: { atLeast: 1.2 },
  uploadMbPerSecondVsToxiproxy: { atLeast: 1.1 },
  requestsPerSecondWatchingVsTap: { atLeast: 0.75 },
  httpRequestsPerSecondVsDirect: { atLeast: 0.6 },
  sseEventsPerSecondVsDirect: { atLeast: 0.8 },
  lostEvents: { atMost: 0 },
  ...storeAims,
};

export async function bench(): Promise<BenchResult> {
  const server = await startActor('server.ts');
  const tap = await startActor('proxy.ts', String(server.port));
  const watching = await startActor('proxy.ts', String(server.port), 'http');
  const toxiproxy = await startToxiproxy(server.port);
  try {
    const result = await sideBySide(rounds, [
      contestant('direct', server.port),
      contestant('tap', tap.port, tap),
      contestant('watching', watching.port, watching),
      ...(toxiproxy === undefined ? [] : [contestant('toxiproxy', toxiproxy.port, toxiproxy)]),
    ]);
    const http = await measureHttp();
    const postgres = await measurePostgres();
    const redis = await measureRedis();
    const ratios = {
      ...http.ratios,
      ...postgres.ratios,
      ...redis.ratios,
      ...ratiosTo(result, 'direct'),
      ...ratiosTo(result, 'toxiproxy'),
      requestsPerSecondWatchingVsTap: result.ratio('requestsPerSecond', 'watching', 'tap'),
    };
    return {
      table: [formatSideBySide(result), http.table, postgres.table, redis.table, load()]
        .filter((part) => part !== '')
        .join('\n\n'),
      ratios,
      aims: Object.fromEntries(Object.entries(aims).filter(([name]) => name in ratios)),
      peersAbsent: [
        ...(toxiproxy === undefined ? [toxiproxyInstall] : []),
        ...postgres.peersAbsent,
        ...redis.peersAbsent,
      ],
    };
  } finally {
    await Promise.all([server.stop(), tap.stop(), watching.stop(), toxiproxy?.stop()]);
  }
}

/** Compare only figures of the same load. */
function load(): string {
  return `load of the machine over 1, 5 and 15 minutes: ${loadavg()
    .map((value) => value.toFixed(1))
    .join(', ')}`;
}

function contestant(name: string, port: number, relay?: Actor): Contestant {
  const ask = (what: string): Promise<Scores> => askActor('client.ts', String(port), what);
  const measure = async (): Promise<Scores> => ({
    ...(await measureRequests(relay, () => ask('requests'))),
    ...(await ask('latency')),
    ...(await ask('download')),
    ...(await ask('upload')),
  });
  return { name, measure };
}

/** The rate depends on what else the machine does; the relay's own processor time for a request hardly does. */
async function measureRequests(relay: Actor | undefined, ask: () => Promise<Scores>): Promise<Scores> {
  const before = relay?.pid === undefined ? undefined : await cpuTimeUs(relay.pid);
  const { requestsPerSecond = Number.NaN, answers = Number.NaN } = await ask();
  const after = relay?.pid === undefined ? undefined : await cpuTimeUs(relay.pid);
  if (before === undefined || after === undefined) return { requestsPerSecond };
  return { requestsPerSecond, cpuUsPerRequest: (after - before) / answers };
}

/** Each metric of the tap divided by the other's, such as `requestsPerSecondVsDirect`; without those that one of them lacks. */
function ratiosTo(result: SideBySide, other: string): Record<string, number> {
  const ending = `Vs${other.charAt(0).toUpperCase()}${other.slice(1)}`;
  const ratios = result.metrics.map(
    (metric) => [`${metric}${ending}`, result.ratio(metric, 'tap', other)] as const,
  );
  return Object.fromEntries(ratios.filter(([, ratio]) => !Number.isNaN(ratio)));
}
