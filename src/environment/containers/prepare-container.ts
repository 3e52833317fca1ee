/** Makes the container of a job, service or resource, ready to be started: image, mounts, networks, files. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { defined } from '../../kernel/defined.ts';
import { makeFolderBelow, writeFileBelow } from '../../kernel/folders/entries-below.ts';
import { realPath } from '../../kernel/folders/real-path.ts';
import { Problem } from '../../kernel/problem.ts';
import type { ContainerSpec, MountSpec } from '../../system/container-spec.ts';
import type { EnvironmentContext } from '../environment-context.ts';
import { entryOf } from './archive/folder-entries.ts';
import { writeTar } from './archive/tar.ts';
import { buildOwnImage } from './build/build-image.ts';
import { type ConfigParts, containerConfig } from './container-config.ts';
import type { ContainerHost } from './container-host.ts';
import { createContainer, putArchive } from './engine/container-calls.ts';
import { engineProblem } from './engine/engine-problem.ts';
import { labelsOf, nameAtEngine } from './engine/names.ts';
import { connectNetwork } from './engine/network-calls.ts';
import { retried } from './engine/transient.ts';
import type { MadeContainer } from './run-container.ts';
import { isCopied, isFile, volumeMounts } from './volumes/volumes.ts';

/** Where a container finds its `${self.dir}`. */
export const folderInside = '/shakedown';

export interface ContainerWish {
  readonly name: string;
  readonly container: ContainerSpec;
  readonly env: Readonly<Record<string, string>>;
  /** Its own ports. */
  readonly ports: readonly number[];
  /** The folder of this machine with its rendered files. */
  readonly folder?: string | undefined;
  readonly logFile: string;
  readonly where: string;
  /** Resolves references. */
  readonly resolve: (text: string) => string;
  readonly signal: AbortSignal;
}

type Context = Pick<EnvironmentContext, 'clock' | 'label' | 'workspace'> & {
  readonly containers: ContainerHost;
};

export async function prepareContainer(
  context: Context,
  wish: ContainerWish,
  attempt: number,
): Promise<MadeContainer> {
  const { containers, label, clock } = context;
  const { container, where, signal } = wish;
  const { engine } = containers;
  const image = await imageOf(context, wish);
  const volumes = volumeMounts(label, container.mounts);
  const binds = bindsOf(context, wish);
  const { networks, plain, hosts } = containers.networksOf(wish.name);
  const name = nameAtEngine(label, wish.name, attempt);
  const config = containerConfig({
    ...{ container, image, hosts, volumes, binds },
    words: wordsOf(wish),
    labels: labelsOf(label, wish.name),
    network: networks[0],
    published: containers.isDirect ? [] : wish.ports,
  });
  try {
    await containers.volumes.make(volumes, signal);
    const create = () => createContainer(engine, name, config, container.platform);
    const id = await containers.inTurn(() =>
      containers.makings.make('container', name, () => retried(clock, signal, create), signal),
    );
    for (const network of networks.slice(1)) await connectNetwork(engine, network, id, []);
    if (plain) await connectNetwork(engine, plain.name, id, plain.aliases);
    await containers.volumes.fill(id, volumes, signal);
    await copyFiles(containers, id, wish);
    return { id, name, where, logFile: wish.logFile };
  } catch (error) {
    throw signal.aborted ? signal.reason : engineProblem(error, where);
  }
}

async function imageOf({ containers, label }: Context, wish: ContainerWish): Promise<string> {
  const { container, where, signal, resolve } = wish;
  const { image = '', build, platform, pull } = container;
  if (build === undefined) {
    await containers.images.ensure({ name: wish.name, image, platform, pull, where, signal });
    return image;
  }
  const args = Object.fromEntries(
    Object.entries(build.args ?? {}).map(([key, text]) => [key, resolve(text)]),
  );
  const name = nameAtEngine(label, 'image', wish.name);
  await containers.images.build(name, () =>
    buildOwnImage(containers, {
      ...{ name, platform, where, signal },
      build: { ...build, args },
      labels: labelsOf(label),
    }),
  );
  return name;
}

function wordsOf({ container, env, resolve }: ContainerWish): ConfigParts['words'] {
  const { entrypoint, command, healthcheck, labels = {} } = container;
  const test = healthcheck === 'none' ? undefined : healthcheck?.test;
  return {
    ...defined({
      entrypoint: entrypoint?.map(resolve),
      command: command?.map(resolve),
      healthTest: test?.map(resolve),
    }),
    labels: Object.fromEntries(Object.entries(labels).map(([key, text]) => [key, resolve(text)])),
    env,
  };
}

/** Folders and files of this machine that it sees; what it may write to is a volume, or the project itself. */
function bindsOf({ workspace }: Context, wish: ContainerWish): ConfigParts['binds'] {
  const { container, folder, name, where, resolve } = wish;
  const below = path.dirname(workspace);
  const written = path.join(workspace, name, 'mounts');
  const bind = (mount: MountSpec, at: number): ConfigParts['binds'] => {
    const { target } = mount as { target: string };
    if (mount.kind === 'file') {
      makeFolderBelow(below, written, 0o700);
      const file = path.join(written, String(at));
      writeFileBelow(below, file, resolve(mount.text), mount.mode ?? 0o444);
      return [{ source: file, target, readOnly: true }];
    }
    if (mount.kind === 'shared')
      return [{ source: path.join(workspace, mount.name, 'data'), target, readOnly: mount.readOnly }];
    if (mount.kind !== 'bind') return [];
    if (!existsSync(mount.source) && !mount.createSource) throw noSource(where, mount.source, target);
    if (isCopied(mount)) return [];
    if (!existsSync(mount.source)) return [emptyFolder(below, path.join(written, String(at)), target)];
    return [{ source: mount.source, target, readOnly: mount.readOnly }];
  };
  return [
    ...(folder === undefined ? [] : [{ source: folder, target: folderInside, readOnly: true }]),
    ...container.mounts.flatMap(bind),
  ];
}

function emptyFolder(below: string, folder: string, target: string): ConfigParts['binds'][number] {
  makeFolderBelow(below, path.dirname(folder), 0o700);
  makeFolderBelow(below, folder, 0o755);
  return { source: folder, target, readOnly: true };
}

/** Single files that it may write to are its own, from the beginning. */
async function copyFiles(
  { engine }: ContainerHost,
  id: string,
  { container, signal }: ContainerWish,
): Promise<void> {
  for (const mount of container.mounts) {
    if (mount.kind !== 'bind' || !isCopied(mount) || !isFile(mount.source)) continue;
    const entry = await entryOf({}, realPath(mount.source), path.posix.basename(mount.target));
    const archive = writeTar(entry ? [entry] : []);
    await putArchive(engine, id, path.posix.dirname(mount.target), archive, signal);
  }
}

function noSource(where: string, source: string, target: string): Problem {
  return new Problem({
    code: 'config.bad-value',
    where: `${where}, mount ${target}`,
    what: `there is no ${source}`,
    allowed: 'a file or folder that exists, relative to the config file',
    next: 'make it, or correct `bind`',
  });
}
