/** Builds the image of a container; what a failed build leaves at the engine is removed. */
import { Problem } from '../../../kernel/problem.ts';
import type { BuildSpec } from '../../../system/container-spec.ts';
import type { ContainerHost } from '../container-host.ts';
import { EngineRefusal } from '../engine/engine-http.ts';
import { engineProblem } from '../engine/engine-problem.ts';
import { buildImage, removeImage } from '../engine/image-calls.ts';
import { readProgress } from '../engine/progress-lines.ts';
import type { Makings } from '../makings.ts';
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
  const steps = watchSteps(makings);
  try {
    // The end of a build that is cut off is the engine's affair.
    const { error, lines } = await makings.make('image', name, async () =>
      readProgress(await buildImage(engine, query, archive, signal), steps.onLine),
    );
    if (error !== undefined) throw failed(wish, error, lines);
  } catch (error) {
    for (const layer of steps.made().toReversed()) await removeImage(engine, layer).catch(inUse);
    if (signal.aborted) throw signal.reason;
    throw error instanceof EngineRefusal && error.status < 500
      ? failed(wish, error.message, [])
      : engineProblem(error, where);
  }
}

/** Somebody else has built on it meanwhile. */
export function inUse(error: unknown): boolean {
  if (error instanceof EngineRefusal && error.status === 409) return true;
  throw error;
}

/** The layers that a build makes, and the containers in which it does: nothing else tells whose they are. */
function watchSteps({ note }: Makings) {
  const made: string[] = [];
  let isNew = false;
  return {
    made: (): readonly string[] => made,
    onLine: (line: string): void => {
      const step = /^Step \d+\/\d+ : (\S+)/.exec(line)?.[1];
      if (step !== undefined) isNew = step.toUpperCase() !== 'FROM';
      if (/^ ---> Using cache/.test(line)) isNew = false;
      const container = /^ ---> Running in ([0-9a-f]+)$/.exec(line)?.[1];
      if (container !== undefined) note('container', container);
      const layer = /^ ---> ([0-9a-f]{12,})$/.exec(line)?.[1];
      if (layer === undefined || !isNew) return;
      made.push(layer);
      note('image', layer);
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
