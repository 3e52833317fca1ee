/** Every kind of resource by its key, apart from its driver. */

export interface ResourceKind {
  /** The properties in `${resource.NAME}`. */
  readonly references: readonly string[];
  /** Of HTTP, single calls are observed. */
  readonly scheme: 'http' | 'postgres' | 'redis' | 'file';
  /** Consumers open it themselves: no tap leads there, and it has no address. */
  readonly isFile?: true;
  /** It holds data: between trials it goes back to its snapshot. No trial has a script for it. */
  readonly isStore?: true;
  /** What it is for blame. A model and a peer are played by us, with lines of the trial. */
  readonly party: 'resource' | 'model' | 'peer';
  /** The address of the user's own server, in place of ours. */
  readonly address?: (resource: object) => readonly Address[];
  /** The real services to which it can forward, so that their answers can be recorded. */
  readonly upstreams?: (resource: object) => readonly Upstream[];
  /** Where it calls services. */
  readonly callbacks?: (resource: object) => readonly Address[];
}

interface Address {
  /** Of its text in the resource. */
  readonly path: readonly string[];
  readonly text: string;
}

interface Upstream extends Address {
  /** The environment variable with the key to it. */
  readonly key?: string;
}

interface Written {
  readonly url?: string;
  readonly key?: string;
}

const oneAddress = ['url', 'host', 'port'];

export const resourceKinds = {
  postgres: {
    references: [...oneAddress, 'user', 'password', 'database', 'schema', 'jdbcUrl', 'urls', 'adminUrl'],
    scheme: 'postgres',
    party: 'resource',
    isStore: true,
    address: (resource) => addressIn(resource as Written, []),
  },
  redis: {
    references: [...oneAddress, 'user', 'password', 'database'],
    scheme: 'redis',
    party: 'resource',
    isStore: true,
    address: (resource) => addressIn(resource as Written, []),
  },
  sqlite: { references: ['path', 'url'], scheme: 'file', party: 'resource', isStore: true, isFile: true },
  volume: { references: ['path'], scheme: 'file', party: 'resource', isStore: true, isFile: true },
  model: {
    references: ['url', 'openaiUrl', 'host', 'port', 'key'],
    scheme: 'http',
    party: 'model',
    upstreams: (resource) =>
      Object.entries((resource as { upstreams?: Record<string, Written> }).upstreams ?? {}).flatMap(
        ([name, upstream]) => addressIn(upstream, ['upstreams', name]),
      ),
  },
  http: {
    references: oneAddress,
    scheme: 'http',
    party: 'peer',
    upstreams: (resource) => addressIn((resource as { upstream?: Written }).upstream, ['upstream']),
    callbacks: (resource) =>
      Object.entries((resource as { callbacks?: Record<string, string> }).callbacks ?? {}).map(
        ([name, text]) => ({ path: ['callbacks', name], text }),
      ),
  },
  telemetry: { references: oneAddress, scheme: 'http', party: 'resource' },
} as const satisfies Readonly<Record<string, ResourceKind>>;

export type ResourceKindName = keyof typeof resourceKinds;

export function resourceKind({ kind }: { readonly kind: keyof typeof resourceKinds }): ResourceKind {
  return resourceKinds[kind];
}

function addressIn(written: Written | undefined, at: readonly string[]): readonly Upstream[] {
  if (written?.url === undefined) return [];
  const { url, key } = written;
  return [{ path: [...at, 'url'], text: url, ...(key === undefined ? {} : { key }) }];
}
