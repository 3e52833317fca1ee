/** Finds the socket of the container engine: what `DOCKER_HOST` names, or the first of the usual places. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Problem } from '../../../kernel/problem.ts';

type HostEnv = Readonly<Record<string, string | undefined>>;

const where = 'the container engine';

export function findEngineSocket(hostEnv: HostEnv): string {
  const { DOCKER_HOST: named } = hostEnv;
  if (named !== undefined && named !== '') return socketOf(named);
  const places = usualPlaces(hostEnv);
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  throw noEngine(
    'there is no socket of a container engine',
    'install docker or podman and start it (podman: systemctl --user start podman.socket), or set DOCKER_HOST=unix:///path/of/its.sock',
    places.map((place) => `tried ${place}: not there`),
  );
}

export function noEngine(
  what: string,
  next: string,
  evidence: readonly string[] = [],
  cause?: unknown,
): Problem {
  return new Problem({
    code: 'world.no-engine',
    where,
    what,
    allowed: 'docker or podman on this machine, with a socket that this user may use',
    next,
    evidence,
    cause,
  });
}

function socketOf(named: string): string {
  const file = /^unix:\/\/(\/.+)$/.exec(named)?.[1];
  if (file !== undefined) return file;
  throw noEngine(
    `DOCKER_HOST is ${JSON.stringify(named)}: an engine elsewhere could reach neither our taps nor the files of the project`,
    'unset DOCKER_HOST, or name a socket on this machine: DOCKER_HOST=unix:///var/run/docker.sock',
  );
}

function usualPlaces({ HOME, XDG_RUNTIME_DIR }: HostEnv): readonly string[] {
  const ofUser = XDG_RUNTIME_DIR === undefined ? [] : [XDG_RUNTIME_DIR];
  return [
    '/var/run/docker.sock',
    ...ofUser.map((folder) => path.join(folder, 'docker.sock')),
    ...(HOME === undefined ? [] : [path.join(HOME, '.docker/run/docker.sock')]),
    ...ofUser.map((folder) => path.join(folder, 'podman/podman.sock')),
    '/run/podman/podman.sock',
  ];
}
