/** What is asked of the engine about images: to look, to fetch, to build, to remove. */
import type { Readable } from 'node:stream';
import type { Query } from './engine-http.ts';
import { engineLimits } from './engine-limits.ts';
import type { Engine } from './open-engine.ts';
import { absent, wasThere } from './transient.ts';

export interface ImageFacts {
  readonly id: string;
  readonly tags: readonly string[];
  readonly hasHealthcheck: boolean;
}

export async function inspectImage({ http }: Engine, name: string): Promise<ImageFacts | undefined> {
  const found = (await http.ask('GET', `/images/${name}/json`).catch(absent)) as
    | {
        readonly Id: string;
        readonly RepoTags?: readonly string[] | null;
        readonly Config?: { readonly Healthcheck?: { readonly Test?: readonly string[] | null } } | null;
      }
    | undefined;
  if (found === undefined) return undefined;
  const test = found.Config?.Healthcheck?.Test ?? [];
  return { id: found.Id, tags: found.RepoTags ?? [], hasHealthcheck: test.length > 0 && test[0] !== 'NONE' };
}

/** A line for each step; what fails is in a line, too. */
export function pullImage(
  { http }: Engine,
  name: string,
  platform: string | undefined,
  signal: AbortSignal,
): Promise<Readable> {
  const tagged = /[:@][^/]*$/.test(name) ? name : `${name}:latest`;
  const query = { fromImage: tagged, platform };
  return http.stream('POST', '/images/create', { query, signal, answerMs: engineLimits.imageMs });
}

export function buildImage(
  { http }: Engine,
  query: Query,
  archive: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<Readable> {
  return http.stream('POST', '/build', { query, archive, signal, answerMs: engineLimits.imageMs });
}

/** With the layers that nothing else needs. Without force, one that a container has is refused. */
export function removeImage({ http }: Engine, name: string, force = true): Promise<boolean> {
  return wasThere(http.ask('DELETE', `/images/${name}`, { query: { force } }));
}

/** Everything that nothing refers to: no name, no other image. */
export async function listLooseLayers({ http }: Engine): Promise<readonly LooseLayer[]> {
  const all = (await http.ask('GET', '/images/json', { query: { all: true } })) as readonly ListedImage[];
  const parents = new Set(all.map(({ ParentId }) => ParentId));
  return all.flatMap(({ Id, ParentId = '', Created, RepoTags, Labels }) => {
    const isNamed = RepoTags?.some((tag) => tag !== '<none>:<none>') ?? false;
    if (isNamed || parents.has(Id)) return [];
    return [{ id: Id, parent: ParentId, madeAt: Created * 1_000, labels: Labels ?? {} }];
  });
}

interface ListedImage {
  readonly Id: string;
  readonly ParentId?: string;
  readonly Created: number;
  readonly RepoTags?: readonly string[] | null;
  readonly Labels?: Readonly<Record<string, string>> | null;
}

export interface LooseLayer {
  readonly id: string;
  readonly parent: string;
  /** To the second. */
  readonly madeAt: number;
  readonly labels: Readonly<Record<string, string>>;
}

export async function listImages({ http }: Engine, label: string): Promise<readonly string[]> {
  const filters = JSON.stringify({ label: [label] });
  const listed = (await http.ask('GET', '/images/json', { query: { filters } })) as readonly { Id: string }[];
  return listed.map(({ Id }) => Id);
}
