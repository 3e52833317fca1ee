/** What is asked of the engine about containers. */
import type { Readable } from 'node:stream';
import type { Engine } from './open-engine.ts';
import { absent, wasThere } from './transient.ts';

export interface ContainerState {
  readonly id: string;
  readonly name: string;
  readonly image: string;
  readonly isRunning: boolean;
  /** Outside of every namespace; 0 while it does not run. */
  readonly pid: number;
  readonly exitCode: number;
  readonly isOutOfMemory: boolean;
  /** Why it could not be started. */
  readonly error: string;
  readonly restarts: number;
  readonly health: string | undefined;
  readonly hasTerminal: boolean;
  readonly healthTest: readonly string[] | undefined;
  readonly healthTimeoutMs: number;
  readonly shell: readonly string[];
  /** As the image has it: a name, or a number. */
  readonly stopSignal: string;
  /** Network to the address of the container there. */
  readonly addresses: Readonly<Record<string, string>>;
  /** `8000/tcp` to the port of this machine that leads there. */
  readonly published: Readonly<Record<string, number>>;
}

export interface ListedContainer {
  readonly id: string;
  readonly name: string;
  readonly image: string;
  readonly labels: Readonly<Record<string, string>>;
}

export async function createContainer(
  { http }: Engine,
  name: string,
  config: unknown,
  platform: string | undefined,
): Promise<string> {
  const made = await http.ask('POST', '/containers/create', { query: { name, platform }, json: config });
  return (made as { Id: string }).Id;
}

export async function startContainer({ http }: Engine, id: string): Promise<void> {
  await http.ask('POST', `/containers/${id}/start`);
}

export async function killContainer({ http }: Engine, id: string, signal: string): Promise<void> {
  await http.ask('POST', `/containers/${id}/kill`, { query: { signal } });
}

export async function pauseContainer({ http }: Engine, id: string, how: 'pause' | 'unpause'): Promise<void> {
  await http.ask('POST', `/containers/${id}/${how}`);
}

/** With the volumes that only it has. Whether there was one. */
export async function removeContainer({ http }: Engine, id: string): Promise<boolean> {
  const query = { force: true, v: true };
  return wasThere(http.ask('DELETE', `/containers/${id}`, { query }));
}

/** Resolves when it does not run any more; undefined when it was removed meanwhile. */
export async function waitForContainer({ http }: Engine, id: string): Promise<number | undefined> {
  const body = await http.stream('POST', `/containers/${id}/wait`, { query: { condition: 'not-running' } });
  let text = '';
  for await (const piece of body.setEncoding('utf8')) text += piece as string;
  return (JSON.parse(text) as { StatusCode?: number }).StatusCode;
}

interface Inspected {
  readonly Id: string;
  readonly Name: string;
  readonly RestartCount?: number;
  readonly State: {
    readonly Running: boolean;
    readonly Pid: number;
    readonly ExitCode: number;
    readonly OOMKilled?: boolean;
    readonly Error?: string;
    readonly Health?: { readonly Status?: string };
  };
  readonly Config: {
    readonly Image: string;
    readonly Tty?: boolean;
    readonly StopSignal?: string;
    readonly Shell?: readonly string[] | null;
    readonly Healthcheck?: { readonly Test?: readonly string[] | null; readonly Timeout?: number };
  };
  readonly NetworkSettings: {
    readonly Networks?: Readonly<Record<string, { readonly IPAddress?: string }>> | null;
    readonly Ports?: Readonly<Record<string, readonly { readonly HostPort: string }[] | null>> | null;
  };
}

/** Undefined when there is none. */
export async function inspectContainer({ http }: Engine, id: string): Promise<ContainerState | undefined> {
  const found = (await http.ask('GET', `/containers/${id}/json`).catch(absent)) as Inspected | undefined;
  if (found === undefined) return undefined;
  const { State: state, Config: config, NetworkSettings: settings } = found;
  return {
    id: found.Id,
    name: found.Name.replace(/^\//, ''),
    image: config.Image,
    isRunning: state.Running,
    pid: state.Pid,
    exitCode: state.ExitCode,
    isOutOfMemory: state.OOMKilled ?? false,
    error: state.Error ?? '',
    restarts: found.RestartCount ?? 0,
    health: state.Health?.Status,
    hasTerminal: config.Tty ?? false,
    healthTest: config.Healthcheck?.Test ?? undefined,
    healthTimeoutMs: (config.Healthcheck?.Timeout ?? 0) / 1e6,
    stopSignal: config.StopSignal || 'SIGTERM',
    shell: config.Shell ?? ['/bin/sh', '-c'],
    addresses: Object.fromEntries(
      Object.entries(settings.Networks ?? {}).map(([name, { IPAddress = '' }]) => [name, IPAddress]),
    ),
    published: Object.fromEntries(
      Object.entries(settings.Ports ?? {}).flatMap(([port, places]) =>
        places?.[0] === undefined ? [] : [[port, Number(places[0].HostPort)] as const],
      ),
    ),
  };
}

/** All with this label, also those that have ended. */
export async function listContainers({ http }: Engine, label: string): Promise<readonly ListedContainer[]> {
  const filters = JSON.stringify({ label: [label] });
  const listed = (await http.ask('GET', '/containers/json', { query: { all: true, filters } })) as readonly {
    readonly Id: string;
    readonly Names: readonly string[];
    readonly Image: string;
    readonly Labels: Readonly<Record<string, string>>;
  }[];
  return listed.map(({ Id, Names, Image, Labels }) => ({
    id: Id,
    name: (Names[0] ?? Id).replace(/^\//, ''),
    image: Image,
    labels: Labels,
  }));
}

/** What it prints, from its beginning; `follow`: until it ends. In frames, unless it has a terminal. */
export function containerLogs(
  { http }: Engine,
  id: string,
  options: {
    readonly follow: boolean;
    readonly timestamps?: boolean;
    readonly tail?: number;
    readonly since?: string;
  },
): Promise<Readable> {
  const query = { stdout: true, stderr: true, ...options };
  return http.stream('GET', `/containers/${id}/logs`, { query });
}

/** Writes an archive into a container, also into its volumes, and also while it does not run. */
export async function putArchive(
  { http }: Engine,
  id: string,
  folder: string,
  archive: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  await http.ask('PUT', `/containers/${id}/archive`, { query: { path: folder }, archive, signal });
}

export function getArchive({ http }: Engine, id: string, folder: string): Promise<Readable> {
  return http.stream('GET', `/containers/${id}/archive`, { query: { path: folder } });
}
