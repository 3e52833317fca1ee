/** An idle tap beside a direct connection and beside Toxiproxy: small requests, bulk both ways, latency of one request. */
import type { Aim, BenchResult } from './run.ts';
import {
  type Contestant,
  formatSideBySide,
  type Scores,
  type SideBySide,
  sideBySide,
} from './side-by-side.ts';
import { askActor, startActor } from './tap/actor.ts';
import { startToxiproxy, toxiproxyInstall } from './tap/toxiproxy.ts';

const rounds = 7;

const directAims: Readonly<Record<string, Aim>> = {};

const toxiproxyAims: Readonly<Record<string, Aim>> = {};

export async function bench(): Promise<BenchResult> {
  const server = await startActor('server.ts');
  const tap = await startActor('proxy.ts', String(server.port));
  const toxiproxy = await startToxiproxy(server.port);
  try {
    const result = await sideBySide(rounds, [
      contestant('direct', server.port),
      contestant('tap', tap.port),
      ...(toxiproxy === undefined ? [] : [contestant('toxiproxy', toxiproxy.port)]),
    ]);
    return {
      table: formatSideBySide(result),
      ratios: {
        ...ratios(result, 'direct'),
        ...(toxiproxy === undefined ? {} : ratios(result, 'toxiproxy')),
      },
      aims: { ...directAims, ...(toxiproxy === undefined ? {} : toxiproxyAims) },
      peersAbsent: toxiproxy === undefined ? [toxiproxyInstall] : [],
    };
  } finally {
    await Promise.all([server.stop(), tap.stop(), toxiproxy?.stop()]);
  }
}

function contestant(name: string, port: number): Contestant {
  const measure = async (): Promise<Scores> => {
    let scores: Scores = {};
    for (const what of ['requests', 'latency', 'download', 'upload']) {
      scores = { ...scores, ...(await askActor('client.ts', String(port), what)) };
    }
    return scores;
  };
  return { name, measure };
}

/** Each metric of the tap divided by the other's, such as `requestsPerSecondVsDirect`. */
function ratios(result: SideBySide, other: string): Record<string, number> {
  const ending = `Vs${other.charAt(0).toUpperCase()}${other.slice(1)}`;
  return Object.fromEntries(
    result.metrics.map((metric) => [`${metric}${ending}`, result.ratio(metric, 'tap', other)]),
  );
}
