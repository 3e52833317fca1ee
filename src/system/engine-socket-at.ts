/** Whether a path of this machine leads to the socket of a container engine: who has it commands the engine. */
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { isIn, realPath } from '../kernel/folders/real-path.ts';

type HostEnv = Readonly<Record<string, string | undefined>>;

const names = /(?:docker|podman|containerd|crio|buildkitd)\.sock$/;

/** The socket that the path is, or that is somewhere below it. */
export function engineSocketAt(file: string, hostEnv: HostEnv): string | undefined {
  const real = realPath(file);
  if (names.test(file) || names.test(real)) return real;
  return usualSockets(hostEnv)
    .map(realPath)
    .find((socket) => isIn(real, socket));
}

/** Those of the machine whether they are there or not: an engine may be started later. */
function usualSockets({ DOCKER_HOST, CONTAINER_HOST, HOME, XDG_RUNTIME_DIR }: HostEnv): readonly string[] {
  const named = [DOCKER_HOST, CONTAINER_HOST].map((url = '') => /^unix:\/\/(\/.+)$/.exec(url)?.[1]);
  const folders = ['/var/run', '/run', `/run/user/${userInfo().uid}`, XDG_RUNTIME_DIR];
  const below = [
    'docker.sock',
    'podman/podman.sock',
    'containerd/containerd.sock',
    'buildkit/buildkitd.sock',
  ];
  return [
    ...named.flatMap((socket) => socket ?? []),
    ...folders.flatMap((folder) => (folder ? below.map((name) => path.join(folder, name)) : [])),
    ...['/run/docker/containerd/containerd.sock', '/run/crio/crio.sock'],
    // The folder around it is often mounted for its logins.
    ...(HOME ? [path.join(HOME, '.docker/run/docker.sock')].filter((socket) => existsSync(socket)) : []),
  ];
}
