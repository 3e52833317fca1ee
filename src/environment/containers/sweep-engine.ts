/** Removes what an environment has at container engines: by its label, and by what its ledger says was about to be made. */
import path from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { problemsIn } from '../../kernel/problem.ts';
import type { LedgerEntry } from '../containment/ledger.ts';
import { logFile } from '../run-folder.ts';
import { appendLastWords } from './append-last-words.ts';
import { inUse } from './build/build-image.ts';
import { listContainers, removeContainer } from './engine/container-calls.ts';
import { engineLimits } from './engine/engine-limits.ts';
import { engineProblem } from './engine/engine-problem.ts';
import { listImages, removeImage } from './engine/image-calls.ts';
import { environmentLabel, nodeLabel } from './engine/names.ts';
import { listNetworks, removeNetwork } from './engine/network-calls.ts';
import { type Engine, openEngine } from './engine/open-engine.ts';
import { retried } from './engine/transient.ts';
import { turns } from './engine/turns.ts';
import { listVolumes, removeVolume } from './engine/volume-calls.ts';

export interface SweepEngines {
  readonly clock: Clock;
  readonly environment: string;
  readonly runFolder: string;
  readonly entries: readonly LedgerEntry[];
  /** The keeper did not get as far as this: its last request may still be under way, and its logs lack what was printed since. */
  readonly isAfterCrash: boolean;
}

type Intent = Extract<LedgerEntry, { entry: 'at-engine' }>;

/** Gives what stays, each with the command that removes it. */
export async function sweepEngines(sweep: SweepEngines): Promise<readonly string[]> {
  const intents = sweep.entries.filter((entry): entry is Intent => entry.entry === 'at-engine');
  const left: string[] = [];
  for (const [socket, own] of Map.groupBy(intents, (intent) => intent.socket)) {
    try {
      const engine = await openEngine(socket);
      try {
        left.push(...(await sweepEngine(engine, own, sweep)));
      } finally {
        await engine.close();
      }
    } catch (error) {
      left.push(unreached(sweep.environment, socket, error));
    }
  }
  return left;
}

async function sweepEngine(
  engine: Engine,
  intents: readonly Intent[],
  { clock, environment, runFolder, isAfterCrash }: SweepEngines,
): Promise<readonly string[]> {
  const label = `${environmentLabel}=${environment}`;
  const named = (what: Intent['what']): readonly string[] =>
    intents.flatMap((intent) => (intent.what === what ? [intent.name] : []));
  const left = new Map<string, string>();
  const inTurn = turns(engineLimits.startsAtOnce);
  const remove = async (what: Intent['what'], name: string, work: () => Promise<void>): Promise<void> => {
    try {
      await retried(clock, undefined, work);
      left.delete(name);
    } catch (error) {
      const why = problemsIn(engineProblem(error, name))[0]?.what ?? '';
      left.set(
        name,
        `${what} ${name}: ${why}; remove it: docker ${what} rm ${what === 'network' ? '' : '--force '}${name}`,
      );
    }
  };
  const clear = async (): Promise<boolean> => {
    const containers = await listContainers(engine, label);
    if (isAfterCrash) await Promise.all(containers.map((one) => lastWords(engine, one, runFolder)));
    await Promise.all(
      containers.map(({ id, name }) => remove('container', name, () => removeContainer(engine, id))),
    );
    const images = await listImages(engine, label);
    const volumes = await listVolumes(engine, label);
    const networks = await listNetworks(engine, label);
    await Promise.all([
      ...images.map((id) => remove('image', id, () => removeImage(engine, id))),
      ...volumes.map((name) => remove('volume', name, () => removeVolume(engine, name))),
      // One after the other inside of the engine, whose answer to the last of many would come too late.
      ...networks.map((name) => inTurn(() => remove('network', name, () => removeNetwork(engine, name)))),
    ]);
    return containers.length + images.length + volumes.length + networks.length > 0;
  };
  await clear();
  // What a build was doing has no label; its layers go in the reverse order of their making.
  for (const name of named('container')) await remove('container', name, () => removeContainer(engine, name));
  for (const name of named('image').toReversed())
    await remove('image', name, () => removeImage(engine, name).catch(inUse));
  const until = clock.monotonic() + (isAfterCrash ? engineLimits.lateMs : 0);
  while (clock.monotonic() < until || left.size > 0) {
    const isOver = clock.monotonic() >= until;
    await clock.sleep(engineLimits.healthEveryMs);
    await clear();
    if (isOver) break;
  }
  return [...left.values()];
}

async function lastWords(
  engine: Engine,
  { id, labels }: { readonly id: string; readonly labels: Readonly<Record<string, string>> },
  runFolder: string,
): Promise<void> {
  const node = labels[nodeLabel];
  if (node === undefined || path.basename(node) !== node) return;
  await appendLastWords(engine, id, logFile(runFolder, node));
}

function unreached(environment: string, socket: string, error: unknown): string {
  return `what it has at the container engine ${socket}: ${problemsIn(error)[0]?.what}; once the engine answers, the next command removes it, or: docker ps --all --filter label=${environmentLabel}=${environment}`;
}
