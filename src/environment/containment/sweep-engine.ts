/** Removes what an environment has at container engines: by its label, and by what its ledger says was about to be made. */
import path from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { problemsIn } from '../../kernel/problem.ts';
import { appendLastWords } from '../containers/append-last-words.ts';
import { inUse } from '../containers/build/build-image.ts';
import { lateLayers } from '../containers/build/late-layers.ts';
import { listContainers, removeContainer } from '../containers/engine/container-calls.ts';
import { engineLimits } from '../containers/engine/engine-limits.ts';
import { engineProblem } from '../containers/engine/engine-problem.ts';
import { listImages, removeImage } from '../containers/engine/image-calls.ts';
import { environmentLabel, nodeLabel } from '../containers/engine/names.ts';
import { listNetworks, removeNetwork } from '../containers/engine/network-calls.ts';
import { type Engine, openEngine } from '../containers/engine/open-engine.ts';
import { retried } from '../containers/engine/transient.ts';
import { turns } from '../containers/engine/turns.ts';
import { listVolumes, removeVolume } from '../containers/engine/volume-calls.ts';
import type { EngineThing } from '../containers/makings.ts';
import { logFile } from '../run-folder.ts';
import { type EngineIntent, type LedgerEntry, unansweredIn } from './ledger.ts';

export interface SweepEngines {
  readonly clock: Clock;
  readonly environment: string;
  readonly runFolder: string;
  readonly entries: readonly LedgerEntry[];
  /** The keeper did not get as far as this: its last request may still be under way, and its logs lack what was printed since. */
  readonly isAfterCrash: boolean;
  /** Something that the engine had not answered for was there, and was removed. */
  readonly onMade?: (intent: EngineIntent) => void;
}

export interface SweptEngines {
  /** What stays, each with the command that removes it. */
  readonly left: readonly string[];
  /** What an engine was asked for and has not made: it may come later. */
  readonly unanswered: readonly string[];
}

export async function sweepEngines(sweep: SweepEngines): Promise<SweptEngines> {
  const intents = sweep.entries.filter((entry): entry is EngineIntent => entry.entry === 'at-engine');
  const left: string[] = [];
  const unanswered: string[] = [];
  for (const [socket, own] of Map.groupBy(intents, (intent) => intent.socket)) {
    try {
      const engine = await openEngine(socket);
      try {
        const swept = await sweepEngine(engine, own, sweep);
        left.push(...swept.left);
        unanswered.push(...swept.unanswered);
      } finally {
        await engine.close();
      }
    } catch (error) {
      left.push(unreached(sweep.environment, socket, error));
    }
  }
  return { left, unanswered };
}

async function sweepEngine(
  engine: Engine,
  intents: readonly EngineIntent[],
  { clock, environment, runFolder, isAfterCrash, onMade }: SweepEngines,
): Promise<SweptEngines> {
  const label = `${environmentLabel}=${environment}`;
  const named = (what: EngineThing): readonly string[] => [
    ...new Set(intents.flatMap((intent) => (intent.what === what ? [intent.name] : []))),
  ];
  const open = new Map(unansweredIn(intents).map((intent) => [intent.name, intent]));
  const left = new Map<string, string>();
  const inTurn = turns(engineLimits.startsAtOnce);
  const remove = async (what: EngineThing, name: string, work: () => Promise<boolean>): Promise<void> => {
    try {
      const wasThere = await retried(clock, undefined, work);
      left.delete(name);
      const intent = open.get(name);
      if (!wasThere || !intent) return;
      open.delete(name);
      onMade?.({ ...intent, isAnswered: true });
    } catch (error) {
      const why = problemsIn(engineProblem(error, name))[0]?.what ?? '';
      left.set(
        name,
        `${what} ${name}: ${why}; remove it: docker ${what} rm ${what === 'network' ? '' : '--force '}${name}`,
      );
    }
  };
  const clear = async (): Promise<void> => {
    const containers = await listContainers(engine, label);
    if (isAfterCrash) await Promise.all(containers.map((one) => lastWords(engine, one, runFolder)));
    await Promise.all(
      containers.map(({ id, name }) => remove('container', name, () => removeContainer(engine, id))),
    );
    const images = await listImages(engine, label);
    // An engine makes a volume that a late container wants once more, and without its label.
    const volumes = new Set([...(await listVolumes(engine, label)), ...named('volume')]);
    const networks = await listNetworks(engine, label);
    await Promise.all([
      ...images.map((id) => remove('image', id, () => removeImage(engine, id))),
      ...[...volumes].map((name) => remove('volume', name, () => removeVolume(engine, name))),
      // One after the other inside of the engine, whose answer to the last of many would come too late.
      ...networks.map((name) => inTurn(() => remove('network', name, () => removeNetwork(engine, name)))),
    ]);
  };
  await clear();
  // What a build was doing has no label, nor what an engine has lost sight of.
  for (const name of named('container')) await remove('container', name, () => removeContainer(engine, name));
  for (const name of named('network')) await remove('network', name, () => removeNetwork(engine, name));
  const awaited = (): readonly EngineIntent[] => [...open.values()].filter(({ what }) => what !== 'image');
  const cutBuilds = [...open.values()].flatMap(({ onto }) => (onto === undefined ? [] : [onto]));
  const from = clock.monotonic();
  const isLate = (): boolean => {
    const lateMs = awaited().length + cutBuilds.length > 0 ? engineLimits.lateAnswerMs : engineLimits.lateMs;
    return clock.monotonic() >= from + (isAfterCrash ? lateMs : 0);
  };
  while (!isLate() || left.size > 0) {
    const isOver = isLate();
    await clock.sleep(engineLimits.healthEveryMs);
    await clear();
    for (const late of await lateLayers(engine, clock, cutBuilds))
      await remove('image', late, () => removeImage(engine, late, false).catch(inUse));
    if (isOver) break;
  }
  // In the reverse order of their making; what is made on them must not lose its parent before: the guard waits for it.
  if (isAfterCrash || cutBuilds.length === 0)
    for (const name of named('image').toReversed())
      await remove('image', name, () => removeImage(engine, name).catch(inUse));
  return { left: [...left.values()], unanswered: awaited().map(neverCame) };
}

function neverCame({ what, name }: EngineIntent): string {
  return `${what} ${name}: the engine was asked to make it, and has not answered; if it comes, remove it: docker ${what} rm ${name}`;
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
