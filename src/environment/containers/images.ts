/** The images of an environment: those that are there, those that are fetched once, and those that it builds. */
import { Problem } from '../../kernel/problem.ts';
import type { ContainerSpec } from '../../system/container-spec.ts';
import { EngineRefusal } from './engine/engine-http.ts';
import { engineProblem } from './engine/engine-problem.ts';
import { inspectImage, pullImage } from './engine/image-calls.ts';
import type { Engine } from './engine/open-engine.ts';
import { readProgress } from './engine/progress-lines.ts';

export interface ImageWish {
  /** Who wants it. */
  readonly name: string;
  readonly image: string;
  readonly platform?: string | undefined;
  readonly pull?: ContainerSpec['pull'];
  readonly where: string;
  readonly signal: AbortSignal;
}

/** Fetches each image at most once, however many want it. */
export function openImages(engine: Engine) {
  const fetching = new Map<string, Promise<void>>();
  const built = new Map<string, Promise<void>>();
  return {
    /** Once in an environment: what is built depends on files, which may change meanwhile. */
    build: async (name: string, work: () => Promise<void>): Promise<void> => {
      const building = built.get(name) ?? work();
      built.set(name, building);
      await building;
    },
    ensure: async (wish: ImageWish): Promise<void> => {
      const { image, platform = '', pull = 'missing' } = wish;
      if (pull !== 'always' && (await inspectImage(engine, image)) !== undefined) return;
      if (pull === 'never')
        throw missing(wish, 'it is not there, and must not be fetched (`pull: never`)', []);
      const key = `${image} ${platform}`;
      const fetched = fetching.get(key) ?? fetchImage(engine, wish);
      fetching.set(key, fetched);
      await fetched;
    },
  };
}

export type Images = ReturnType<typeof openImages>;

async function fetchImage(engine: Engine, wish: ImageWish): Promise<void> {
  const { image, platform, signal, where } = wish;
  try {
    const { error, lines } = await readProgress(await pullImage(engine, image, platform, signal));
    if (error !== undefined) throw missing(wish, error, lines);
  } catch (error) {
    if (error instanceof EngineRefusal && !/no space left/i.test(error.said))
      throw missing(wish, error.message, []);
    throw signal.aborted ? error : engineProblem(error, where);
  }
  if ((await inspectImage(engine, image)) === undefined)
    throw missing(wish, 'it was fetched, and is not there', []);
}

function missing({ name, image, where }: ImageWish, why: string, evidence: readonly string[]): Problem {
  return new Problem({
    code: 'world.no-image',
    where,
    what: `there is no image ${image}: ${why}`,
    allowed: 'an image that the engine has, or can fetch without logging in',
    next: `fetch it by hand, which also shows why it fails: docker pull ${image}`,
    evidence: evidence.slice(-10),
    facts: { part: name },
  });
}
