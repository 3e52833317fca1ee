/** Where files are looked for: a folder of a service's own, one that services share, or one below the config file. */
import { lstatSync } from 'node:fs';
import path from 'node:path';
import type { EnvironmentFacts } from '../../journal/environment-facts.ts';
import { findService } from '../find-service.ts';
import { ObservationError } from '../observer.ts';

export interface FileQuery {
  readonly service?: string;
  readonly folder?: string;
  readonly path?: string;
}

type OwnFolder = 'dir' | 'home' | 'tmp';

/** `home:` and `tmp:` before the folder or the path choose another of the service's folders. */
export function findRoot(facts: EnvironmentFacts, systemFolder: string, query: FileQuery) {
  const inFolder = splitPrefix(query.folder ?? '');
  const inPath = splitPrefix(query.path ?? '**');
  const own = inFolder.own ?? inPath.own ?? 'dir';
  if (query.service === undefined && (inFolder.own ?? inPath.own) !== undefined)
    throw new ObservationError(`${own}: is a folder of a service, and no service is named`);
  const volume = facts.volumes.find(({ name }) => name === query.service);
  if (volume && (inFolder.own ?? inPath.own ?? 'dir') !== 'dir')
    throw new ObservationError(`${own}: is a folder of a service, and ${volume.name} is a volume`);
  const service =
    volume || query.service === undefined ? undefined : findService(facts, query.service, facts.volumes);
  if (service?.container !== undefined) throw insideContainer(service.name);
  const base = volume?.folder ?? service?.folders[own] ?? systemFolder;
  if (base !== systemFolder) refuseReplaced(base, query.service ?? '');
  refuseWayOut(inPath.rest);
  return {
    folder: path.resolve(base, inFolder.rest),
    /** The glob, relative to the folder. */
    glob: inPath.rest,
    /** Said before a path where it is not the service's `dir`: `home:`, `tmp:`. */
    prefix: inPath.own === undefined || own === 'dir' ? '' : `${own}:`,
  };
}

/** The system may have put a link in place of a folder of ours: what is behind it is not what is asked for. */
function refuseReplaced(folder: string, name: string): void {
  const replaced = [path.dirname(folder), folder].find((place) =>
    lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink(),
  );
  if (replaced === undefined) return;
  throw new ObservationError(
    `the folder of ${name} was replaced by a link, ${replaced}; what is behind it is not looked at`,
  );
}

function insideContainer(service: string): ObservationError {
  return new ObservationError(
    `the files of ${service} are in its container; look there with a step: { command: [cat, /path], in: ${service} }`,
  );
}

export type Root = ReturnType<typeof findRoot>;

function splitPrefix(text: string): { readonly own: OwnFolder | undefined; readonly rest: string } {
  const match = /^(dir|home|tmp):/.exec(text);
  if (!match) return { own: undefined, rest: text };
  return { own: match[1] as OwnFolder, rest: text.slice(match[0].length) };
}

function refuseWayOut(glob: string): void {
  if (path.isAbsolute(glob) || glob.split('/').includes('..'))
    throw new ObservationError(`the path ${glob} leads out of its folder; say where to look with folder`);
}
