/** Turns what a job or service says of its container, as written and checked, into what the engine is told. */
import path from 'node:path';
import { defined } from '../../kernel/defined.ts';
import { maybeMs } from '../../kernel/duration.ts';
import { parseSize } from '../../kernel/size.ts';
import type {
  BuildSpec,
  ContainerSpec,
  HealthcheckSpec,
  MountSpec,
  PeerNameSpec,
} from '../container-spec.ts';
import type { BuildDocument, HealthcheckDocument, MountDocument } from '../document/container-document.ts';
import type { ProgramDraft } from '../program-draft.ts';
import type { ConfigSource } from '../source/config-source.ts';

type ProgramDocument = ProgramDraft['document'];

export function isContainer({ image, build }: ProgramDocument): boolean {
  return image !== undefined || build !== undefined;
}

export function buildContainer(
  draft: ProgramDraft,
  listeners: (service: string) => readonly string[] | undefined,
  folder: string,
  source: ConfigSource,
): ContainerSpec {
  const { document } = draft;
  const { image, entrypoint, command, user, hostname, platform, privileged, allow } = document;
  const { add, drop } = document.capabilities ?? {};
  return defined({
    ...{ image, entrypoint, command, hostname, platform, privileged, allow },
    build: document.build === undefined ? undefined : buildBuild(document.build, folder, draft, source),
    user: user === undefined ? undefined : (source.written([...draft.path, 'user']) ?? String(user)),
    workingDir: document.cwd,
    mounts: (document.mounts ?? []).map((mount) => buildMount(mount, folder)),
    healthcheck: buildHealthcheck(document.healthcheck),
    peers: buildPeers(document.peers ?? {}, listeners),
    memoryBytes: bytesOf(document.memory),
    shmSizeBytes: bytesOf(document.shm),
    capAdd: add,
    capDrop: drop,
    hostNamespaces: document.host,
  });
}

function buildBuild(
  written: BuildDocument,
  folder: string,
  { path: place }: ProgramDraft,
  source: ConfigSource,
): BuildSpec {
  const { context, dockerfile, args, target } = typeof written === 'string' ? { context: written } : written;
  return defined({
    context: path.resolve(folder, context),
    dockerfile,
    target,
    args:
      args &&
      Object.fromEntries(
        Object.entries(args).map(([name, value]) => [
          name,
          typeof value === 'string'
            ? value
            : (source.written([...place, 'build', 'args', name]) ?? String(value)),
        ]),
      ),
  });
}

function buildMount(mount: MountDocument, folder: string): MountSpec {
  if ('tmpfs' in mount) {
    const sizeBytes = bytesOf(mount.size);
    return { kind: 'tmpfs', target: mount.tmpfs, ...defined({ sizeBytes }) };
  }
  if ('volume' in mount) return { kind: 'volume', name: mount.volume, target: mount.to, readOnly: false };
  const { bind, to, writes } = mount;
  return {
    kind: 'bind',
    source: path.resolve(folder, bind),
    target: to,
    readOnly: writes === undefined,
    ...(writes === 'project' ? { direct: true } : {}),
  };
}

function buildHealthcheck(written: HealthcheckDocument | undefined): HealthcheckSpec | 'none' | undefined {
  if (written === undefined || written === 'none') return written;
  const { test, interval, timeout, startPeriod, retries } = written;
  return defined({
    test: typeof test === 'string' ? ['CMD-SHELL', test] : ['CMD', ...test],
    intervalMs: maybeMs(interval),
    timeoutMs: maybeMs(timeout),
    startPeriodMs: maybeMs(startPeriod),
    retries,
  });
}

/** `db:5432` to `db`, one entry for each name. */
function buildPeers(
  written: Readonly<Record<string, string>>,
  listeners: (service: string) => readonly string[] | undefined,
): readonly PeerNameSpec[] {
  const entries = Object.entries(written).map(([address, meant]) => {
    const at = address.lastIndexOf(':');
    const [to = '', listener = listeners(to)?.[0] ?? 'main'] = meant.split('.');
    return { name: address.slice(0, at), to, port: Number(address.slice(at + 1)), listener };
  });
  return [...Map.groupBy(entries, ({ name, to }) => `${name} ${to}`).values()].map((ports) => ({
    name: ports[0]?.name ?? '',
    to: ports[0]?.to ?? '',
    ports: ports.map(({ port, listener }) => ({ port, listener })),
  }));
}

function bytesOf(written: string | undefined): number | undefined {
  return written === undefined ? undefined : parseSize(written);
}
