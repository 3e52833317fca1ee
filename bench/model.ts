/** Our model provider beside aimock: answers and events each second, time to the first event, memory for each open stream. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { memoryOf } from './cli/memory-of.ts';
import { untilInterrupted } from './cli/until-interrupted.ts';
import { aimockInstall, findAimock } from './model/find-aimock.ts';
import type { Aim, BenchResult } from './run.ts';
import { type Contestant, formatSideBySide, type Scores, sideBySide } from './side-by-side.ts';
import { type Actor, askActor, startActor } from './tap/actor.ts';
import { cpuTimeUs } from './tap/cpu-time.ts';

const rounds = 5;
const ours = 'shakedown';
const theirs = 'aimock';
const folder = '../model';
const heldStreams = 200;

/**
 * `events` are paced by a millisecond, so that each one is a write of its own in both; without a pace (`burstEvents`), aimock's
 * HTTP server gathers those of one turn of the event loop into a single write, and ours does not.
 */
const aims: Readonly<Record<string, Aim>> = {
  jsonPerSecondVsAimock: { atLeast: 1.5 },
  eventsPerSecondVsAimock: { atLeast: 2 },
};

export async function bench(): Promise<BenchResult> {
  const whileWanted = untilInterrupted();
  const entry = findAimock(process.env);
  const journals = mkdtempSync(path.join(tmpdir(), 'bench-model-'));
  const contestants = [
    contestant(ours, 'our-provider.ts', journals),
    ...(entry === undefined ? [] : [contestant(theirs, 'aimock-provider.mjs', entry)]),
  ];
  const result = await sideBySide(rounds, whileWanted(contestants)).finally(() =>
    rmSync(journals, { recursive: true, force: true }),
  );
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
  return {
    name,
    measure: async () => ({
      ...(await withProvider((provider) => measureRate(provider, 'json', 'json'))),
      ...(await withProvider((provider) => measureRate(provider, 'events', 'events'))),
      ...(await withProvider((provider) => measureRate(provider, 'burst', 'burstEvents'))),
      ...(await withProvider((provider) => ask(provider, 'first'))),
      ...(await withProvider(measureMemory)),
    }),
  };
}

function ask({ port }: Actor, what: string): Promise<Scores> {
  return askActor(path.join(folder, 'client.ts'), String(port), what);
}

/** The rate depends on what else the machine does; the provider's own processor time for each hardly does. */
async function measureRate(provider: Actor, what: string, name: string): Promise<Scores> {
  const { pid = 0 } = provider;
  await ask(provider, what);
  const before = await cpuTimeUs(pid);
  const { perSecond = Number.NaN, count = Number.NaN } = await ask(provider, what);
  const after = await cpuTimeUs(pid);
  const cpuUs = before === undefined || after === undefined ? Number.NaN : (after - before) / count;
  return { [`${name}PerSecond`]: perSecond, [`${name}CpuUs`]: cpuUs };
}

/** What the provider takes more with the streams open than after a first one. */
async function measureMemory(provider: Actor): Promise<Scores> {
  const port = String(provider.port);
  await ask(provider, 'first');
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
