/** Our model provider beside aimock: answers and events each second, time to the first event, memory for each open stream. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { memoryOf } from './cli/memory-of.ts';
import { untilInterrupted } from './cli/until-interrupted.ts';
import { aimockInstall, findAimock } from './model/find-aimock.ts';
import type { Aim, BenchResult } from './run.ts';
import { type Contestant, formatSideBySide, type Scores, sideBySide } from './side-by-side.ts';
import { type Actor, askActor, startActor } from './tap/actor.ts';

const rounds = 5;
const ours = 'shakedown';
const theirs = 'aimock';
const folder = '../model';
const heldStreams = 200;

const aims: Readonly<Record<string, Aim>> = {
  jsonPerSecondVsAimock: { atLeast: 1.5 },
  eventsPerSecondVsAimock: { atLeast: 2 },
  firstEventUsVsAimock: { atMost: 1 },
  kilobytesPerStreamVsAimock: { atMost: 1 },
};

export async function bench(): Promise<BenchResult> {
  const whileWanted = untilInterrupted();
  const entry = findAimock(process.env);
  const contestants = [
    contestant(ours, 'our-provider.ts'),
    ...(entry === undefined ? [] : [contestant(theirs, 'aimock-provider.mjs', entry)]),
  ];
  const result = await sideBySide(rounds, whileWanted(contestants));
  const ratios = Object.fromEntries(
    result.metrics
      .map((metric) => [`${metric}VsAimock`, result.ratio(metric, ours, theirs)] as const)
      .filter(([, ratio]) => !Number.isNaN(ratio)),
  );
  return {
    table: formatSideBySide(result),
    ratios,
    aims: Object.fromEntries(Object.entries(aims).filter(([name]) => name in ratios)),
    peersAbsent: entry === undefined ? [aimockInstall] : [],
  };
}

/** Each measurement has a fresh provider, so that what one leaves behind does not burden the next. */
function contestant(name: string, script: string, ...args: readonly string[]): Contestant {
  const withProvider = async (measure: (provider: Actor) => Promise<Scores>): Promise<Scores> => {
    const provider = await startActor(path.join(folder, script), ...args);
    try {
      return await measure(provider);
    } finally {
      await provider.stop();
    }
  };
  const ask = (what: string) => (provider: Actor) =>
    askActor(path.join(folder, 'client.ts'), String(provider.port), what);
  return {
    name,
    measure: async () => ({
      ...(await withProvider(ask('json'))),
      ...(await withProvider(ask('events'))),
      ...(await withProvider(ask('burst'))),
      ...(await withProvider(ask('first'))),
      ...(await withProvider(measureMemory)),
    }),
  };
}

/** What the provider takes more with the streams open than after a first one. */
async function measureMemory(provider: Actor): Promise<Scores> {
  const port = String(provider.port);
  await askActor(path.join(folder, 'client.ts'), port, 'first');
  const before = await residentKilobytes(provider);
  const client = spawn(process.execPath, [path.join(import.meta.dirname, 'model/client.ts'), port, 'hold'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(client.stdout, 'data');
  const after = await residentKilobytes(provider);
  client.stdin.end();
  await once(client, 'exit');
  return { kilobytesPerStream: (after - before) / heldStreams };
}

async function residentKilobytes({ pid = 0 }: Actor): Promise<number> {
  return ((await memoryOf(pid))?.residentMb ?? Number.NaN) * 1_000;
}
