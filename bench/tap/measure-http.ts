/** HTTP through a tap that looks, beside a direct connection: small requests, streams of a model, and very many open streams. */
import type { BenchResult } from '../run.ts';
import { type Contestant, formatSideBySide, type Scores, sideBySide } from '../side-by-side.ts';
import { askActor, startActor } from './actor.ts';

const rounds = 5;

export async function measureHttp(): Promise<Pick<BenchResult, 'table' | 'ratios'>> {
  const server = await startActor('http-server.ts');
  const watching = await startActor('proxy.ts', String(server.port), 'http');
  try {
    const result = await sideBySide(rounds, [
      contestant('direct', server.port),
      contestant('watching', watching.port),
    ]);
    const { lostEvents = Number.NaN } = await askActor('http-client.ts', String(watching.port), 'open');
    const ratios = {
      httpRequestsPerSecondVsDirect: result.ratio('httpRequestsPerSecond', 'watching', 'direct'),
      sseEventsPerSecondVsDirect: result.ratio('sseEventsPerSecond', 'watching', 'direct'),
      lostEvents,
    };
    return { table: formatSideBySide(result), ratios };
  } finally {
    await Promise.all([server.stop(), watching.stop()]);
  }
}

function contestant(name: string, port: number): Contestant {
  const ask = (what: string): Promise<Scores> => askActor('http-client.ts', String(port), what);
  return { name, measure: async () => ({ ...(await ask('http')), ...(await ask('sse')) }) };
}
