/** Folders and files that several services are given in their variables or arguments: a way between them without a tap. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { findUses } from '../../environment/wiring/edges.ts';
import type { SharedPlace } from '../../journal/topology.ts';
import { isReference, parseReferences, type ReferencePart } from '../../kernel/references.ts';
import { resourceKind } from '../../kinds/resource-kinds.ts';
import type { ContainerSpec } from '../../system/container-spec.ts';
import type { ServiceSpec, System } from '../../system/system.ts';

export function meetingPlaces(system: System): readonly SharedPlace[] {
  return [...sharedFiles(system), ...sharedFolders(system)];
}

/** Databases that services open themselves, and volumes. */
function sharedFiles(system: System): readonly SharedPlace[] {
  const files = system.resources.filter((one) => resourceKind(one).isFile);
  return files.flatMap(({ name, kind }) => {
    const uses = findUses(system).filter(({ to }) => to === name);
    const by = system.services
      .map((one) => one.name)
      .filter((user) => uses.some(({ from }) => from === user));
    return by.length > 1
      ? [{ path: name, by, ...(kind === 'sqlite' ? { isStore: true as const } : {}) }]
      : [];
  });
}

function sharedFolders(system: System): readonly SharedPlace[] {
  const given = system.services.flatMap((service) =>
    [...new Set(service.container ? mountedPlaces(service.container) : placesOf(service, system.folder))].map(
      (place) => ({ place, name: service.name }),
    ),
  );
  const places = [...new Set(given.map(({ place }) => place))];
  return places.flatMap((place) => {
    // Who is given a folder can also read what another one writes below it.
    const users = given.filter((one) => isAtOrBelow(one.place, place)).map(({ name }) => name);
    const by = [...new Set(users)];
    return by.length > 1 ? [{ path: place, by }] : [];
  });
}

function placesOf({ name, run, cwd, env }: ServiceSpec, folder: string): readonly string[] {
  const [, ...args] = run;
  const filled = (text: string): string => fillIn(text, name, folder);
  const options = args.map((arg) => arg.replace(/^-[\w-]*=/, ''));
  const variables = Object.entries(env).flatMap(([key, value]) => (/PATH$/.test(key) ? [] : [value]));
  return [...options, ...variables].flatMap((text) => placeIn(filled(text), filled(cwd)));
}

/** What is in a container is its own, apart from mounts, and a network in which others are. */
function mountedPlaces({ mounts, peers }: ContainerSpec): readonly string[] {
  const isInPlain = peers.some(({ ports }) => ports.length === 0);
  return [
    ...mounts.flatMap((mount) => {
      if (mount.kind === 'bind') return [mount.source];
      return mount.kind === 'volume' && mount.name !== undefined ? [`/‹volume›/${mount.name}`] : [];
    }),
    ...(isInPlain ? ['/‹network›'] : []),
  ];
}

/** Own folders have a name for each service, and a variable of the machine is a place where something follows. */
function fillIn(text: string, service: string, folder: string): string {
  const filled = ({ path: [head = '', property = ''], reference, fallback }: ReferencePart): string => {
    if (head === 'config') return folder;
    if (head === 'self') return `/‹work›/${service}/${property}`;
    return fallback ?? (head === 'env' ? `/‹${reference}›` : 'other://');
  };
  return parseReferences(text)
    .map((part) => (isReference(part) ? filled(part) : part.text))
    .join('');
}

function placeIn(text: string, cwd: string): readonly string[] {
  const written = text.replace(/^file:(?:\/\/)?|^sqlite[\w+]*:(?:\/\/\/)?/, '').replace(/\?.*$/, '');
  if (written === '' || /:\/\/|[\s,]/.test(written) || constant.test(written)) return [];
  const isRelative = !path.isAbsolute(written);
  const place = path.resolve(isRelative ? cwd : '/', written);
  const isThere = place.includes('‹') || existsSync(place) || (!isRelative && existsSync(folderOf(place)));
  return isThere && !ofMachine.test(place) ? [place] : [];
}

/** Whose parent is the root is taken for the path of an address. */
function folderOf(place: string): string {
  const folder = path.dirname(place);
  return folder === '/' ? '' : folder;
}

/** Programs, their settings and certificates: read by many, written by none. */
const constant =
  /\.(?:[cm]?[jt]sx?|py|rb|php|pl|lua|sh|jar|wasm|so|toml|ya?ml|ini|conf|cfg|pem|crt|cer|key)$/i;
const ofMachine = /^\/(?:(?:usr|etc|bin|sbin|lib|lib64|opt|proc|dev|sys)(?:\/|$)|‹env[^/]*$|$)/;

function isAtOrBelow(place: string, folder: string): boolean {
  return place === folder || place.startsWith(`${folder}/`);
}
