/** Builds the image of a container; what a failed build leaves at the engine is removed. */
import { Problem } from '../../../kernel/problem.ts';
import type { BuildSpec } from '../../../system/container-spec.ts';
import type { ContainerHost } from '../container-host.ts';
import { removeContainer } from '../engine/container-calls.ts';
import { EngineRefusal } from '../engine/engine-http.ts';
import { engineProblem } from '../engine/engine-problem.ts';
import { buildImage, removeImage } from '../engine/image-calls.ts';
import { readProgress } from '../engine/progress-lines.ts';
import { buildContext } from './build-context.ts';

export interface BuildWish {
  readonly build: BuildSpec;
  /** What it will be called. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly platform?: string | undefined;
  readonly where: string;
  readonly signal: AbortSignal;
}

export async function buildOwnImage(
  { engine, makings }: Pick<ContainerHost, 'engine' | 'makings'>,
  wish: BuildWish,
): Promise<void> {
  const { build, name, labels, platform, where, signal } = wish;
  const { dockerfile, archive } = await buildContext(build, where);
  const { target, args, network, extraHosts = {}, shmSizeBytes, noCache } = build;
  const query = {
    ...{ t: name, dockerfile, target, platform, networkmode: network, shmsize: shmSizeBytes },
    ...{ nocache: noCache, rm: true, forcerm: true, labels: JSON.stringify({ ...build.labels, ...labels }) },
    buildargs: JSON.stringify(args ?? {}),
    extrahosts:
      Object.entries(extraHosts)
        .map(([host, address]) => `${host}:${address}`)
        .join(',') || undefined,
  };
  const steps = watchSteps({ engine, makings }, name);
  signal.addEventListener('abort', steps.stop, { once: true });
  try {
    const work = async () => readProgress(await buildImage(engine, query, archive, steps.cut), steps.onLine);
    const { error, lines } = await makings.make('image', name, work, signal);
    if (error !== undefined) throw failed(wish, error, lines);
  } catch (error) {
    if (signal.aborted) throw signal.reason; // it still ends
    for (const layer of steps.made().toReversed()) await removeImage(engine, layer).catch(inUse);
    throw error instanceof EngineRefusal && error.status < 500
      ? failed(wish, error.message, [])
      : engineProblem(error, where);
  } finally {
    signal.removeEventListener('abort', steps.stop);
  }
}

/** Somebody else has built on it meanwhile. */
export function inUse(error: unknown): boolean {
  if (error instanceof EngineRefusal && error.status === 409) return true;
  throw error;
}

/** The layers that a build makes, and the containers in which it does: nothing else tells whose they are. */
function watchSteps({ engine, makings }: Pick<ContainerHost, 'engine' | 'makings'>, image: string) {
  const cut = new AbortController();
  const made: string[] = [];
  let isNew = false;
  let isBegun = false;
  let isStopped = false;
  let running: string | undefined;
  let last: string | undefined;
  const endStep = (): void => {
    if (!isStopped || running === undefined) return;
    removeContainer(engine, running).catch(() => undefined); // then the build goes on, and is waited for
  };
  return {
    cut: cut.signal,
    made: (): readonly string[] => made,
    /** The engine would still make the layer of a request that is cut off, and nobody would hear of it. What it fetches is cut off. */
    stop: (): void => {
      isStopped = true;
      if (isBegun) endStep();
      else cut.abort();
    },
    onLine: (line: string): void => {
      const step = /^Step \d+\/\d+ : (\S+)/.exec(line)?.[1];
      if (step !== undefined) {
        isNew = step.toUpperCase() !== 'FROM';
        isBegun = isNew;
        if (isNew && last !== undefined) makings.onto(image, last);
      }
      if (/^ ---> Using cache/.test(line)) isNew = false;
      const container = /^ ---> Running in ([0-9a-f]+)$/.exec(line)?.[1];
      if (container !== undefined) {
        makings.note('container', container);
        running = container;
        endStep();
      }
      const layer = /^ ---> ([0-9a-f]{12,})$/.exec(line)?.[1];
      if (layer === undefined) return;
      last = layer;
      if (!isNew) return;
      made.push(layer);
      makings.note('image', layer);
    },
  };
}

function failed({ build, where }: BuildWish, said: string, evidence: readonly string[]): Problem {
  const needsBuildKit = /buildkit|the --(?:mount|link|chmod) (?:option|flag)|unknown flag/i.test(said);
  return new Problem({
    code: 'boot.build-failed',
    where: `${where}, build`,
    what: `the image could not be built from ${build.context}: ${said}`,
    allowed: needsBuildKit
      ? 'a Dockerfile that the builder of the engine’s interface understands, which is not BuildKit'
      : 'a Dockerfile that builds',
    next: needsBuildKit
      ? `build it beforehand (docker build --tag my-image ${build.context}), and write \`image: my-image\``
      : `correct it; by hand: docker build ${build.context}`,
    evidence,
  });
}
