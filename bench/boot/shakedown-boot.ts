/** One boot of the butlers by `shakedown up`, and where its time went. */
import { readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalEvent } from '../../src/journal/event.ts';
import { readJournal } from '../../src/journal/reader.ts';
import { bootTimeline } from '../../src/report/boot-timeline.ts';
import type { BuiltPackage } from '../cli/built-package.ts';
import type { Scores } from '../side-by-side.ts';
import { startUntilReady } from './ready-program.ts';

/** The stages of a boot, in their order; together they are `readyMs`. */
export const stages = [
  'commandLineMs',
  'keeperStartMs',
  'prepareMs',
  'criticalMs',
  'betweenMs',
  'answerMs',
] as const;

export async function bootByShakedown(
  { binary, env }: BuiltPackage,
  project: string,
  ...options: readonly string[]
): Promise<Scores> {
  const spawnedAt = systemNow();
  const up = await startUntilReady({
    argv: [process.execPath, binary, 'up', '--json', ...options],
    cwd: project,
    env,
    isReady: (line) => line.startsWith('{"environment"'),
  });
  const teardownMs = await up.end('SIGINT');
  const spent = await stagesOf(project, spawnedAt, up.readyMs);
  return { readyMs: up.readyMs, teardownMs, ...spent, overhead: up.readyMs / spent.criticalMs };
}

type Stages = Record<(typeof stages)[number], number>;

async function stagesOf(project: string, spawnedAt: number, readyMs: number): Promise<Stages> {
  const state = join(project, '.shakedown');
  const file = join(state, await readlink(join(state, 'latest')), 'events.ndjson');
  const { header, events } = await readJournal(file);
  const { rows, criticalMs } = bootTimeline(events);
  const launchedAt = Date.parse(header.startedAt);
  const openedAt = (await stat(file)).birthtimeMs;
  const firstStartAt = Math.min(...rows.map(({ startedAt }) => startedAt ?? Number.POSITIVE_INFINITY));
  const spent = {
    commandLineMs: launchedAt - spawnedAt,
    keeperStartMs: openedAt - launchedAt,
    prepareMs: firstStartAt - at(events, 'environment.booting'),
    criticalMs,
    betweenMs: at(events, 'environment.ready') - firstStartAt - criticalMs,
  };
  const sum = Object.values(spent).reduce((total, ms) => total + ms, 0);
  return { ...spent, answerMs: readyMs - sum };
}

function at(events: readonly JournalEvent[], type: JournalEvent['type']): number {
  const found = events.find((event) => event.type === type);
  if (found === undefined) throw new Error(`the journal has no ${type}`);
  return found.at;
}

/** Comparable with the times that the run wrote down. */
function systemNow(): number {
  return performance.timeOrigin + performance.now();
}
