/** Recordings as files: one for each trial, in a folder that a team keeps with its code. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { writeShared } from '../../journal/write-redacted.ts';
import { exactJsonOr, parseExactJson } from '../../kernel/exact-json.ts';
import { projectPlace } from '../../kernel/folders/project-place.ts';
import { isMap } from '../../kernel/is-map.ts';
import { Problem } from '../../kernel/problem.ts';
import { formatSize } from '../../kernel/size.ts';
import { absentOn } from '../../kernel/system-error.ts';
import { type Cassette, cassetteVersion } from './cassette.ts';

const mostBytes = 256 * 1024 * 1024;

/** Slashes of the id are folders; nothing of it leads out of the folder. */
export function cassetteFile(folder: string, trial: string): string {
  const parts = trial.split('/').map((part) =>
    part
      .replaceAll(/\[/g, '.')
      .replaceAll(/[^\w.-]/g, (found) => (found === ']' ? '' : '-'))
      .replace(/^\.+/, '_')
      .slice(0, 120),
  );
  return path.join(folder, ...parts.slice(0, -1), `${parts.at(-1) || '_'}.json`);
}

/** Of what kind the calls of a recording are, and what is wrong with one that cannot be played. */
export interface CallForm {
  readonly kind: Cassette<unknown>['kind'];
  fault(call: unknown): string | undefined;
}

/** Undefined where there is none; a problem where it cannot be read. */
export async function readCassette<Call>(
  file: string,
  trial: string,
  form: CallForm,
): Promise<Cassette<Call> | undefined> {
  const facts = await stat(file).catch(absentOn('ENOENT', 'ENOTDIR'));
  if (facts === undefined) return undefined;
  if (!facts.isFile()) throw broken(file, trial, 'it is not a file');
  if (facts.size > mostBytes) throw broken(file, trial, `it has ${formatSize(facts.size)}`);
  const cassette = parsed(await readFile(file, 'utf8'), file, trial);
  const fault = formFault(cassette, form);
  if (fault !== undefined) throw broken(file, trial, fault);
  return cassette as Cassette<Call>;
}

/** The one of a trial, which must be of this resource. */
export async function findCassette<Call>(
  { name: resource, cassettes }: { readonly name: string; readonly cassettes: string },
  trial: string,
  form: CallForm,
): Promise<{ readonly file: string; readonly cassette: Cassette<Call> | undefined }> {
  const file = cassetteFile(cassettes, trial);
  const cassette = await readCassette<Call>(file, trial, form);
  if (cassette) refuseForeign(cassette, file, { resource, trial });
  return { file, cassette };
}

/** What is there will be replaced, and must be a recording of the same. One that is broken may go. */
export async function refuseToReplace(file: string, owner: CassetteOwner): Promise<void> {
  const facts = await stat(file).catch(absentOn('ENOENT', 'ENOTDIR'));
  if (!facts?.isFile() || facts.size > mostBytes) return;
  const found = exactJsonOr(await readFile(file, 'utf8'), undefined);
  if (!isMap(found) || typeof found.trial !== 'string' || typeof found.resource !== 'string') return;
  refuseForeign({ trial: found.trial, resource: found.resource }, file, owner);
}

export interface CassetteOwner {
  readonly resource: string;
  readonly trial: string;
}

/** Two trials, or two resources, could mean the same file. */
export function refuseForeign(
  cassette: CassetteOwner,
  file: string,
  { resource, trial }: CassetteOwner,
): void {
  if (cassette.trial !== trial) throw broken(file, trial, `it is a recording of the trial ${cassette.trial}`);
  if (cassette.resource === resource) return;
  const what = `it is a recording of the resource ${cassette.resource}, and not of ${resource}`;
  throw new Problem({
    code: 'cassette.unreadable',
    where: file,
    what,
    allowed: 'a folder for the recordings of each resource',
    next: `set \`cassettes\` of ${resource} to a folder of its own`,
  });
}

/** Atomic: a reader finds the old one or the new one. */
export function writeCassette(project: string, file: string, cassette: Cassette<unknown>): void {
  projectPlace(project, file);
  try {
    writeShared(project, file, `${JSON.stringify(cassette, null, 2)}\n`);
  } catch (error) {
    throw notWritten(file, error);
  }
}

export function noCassette(file: string, trial: string): Problem {
  return new Problem({
    code: 'cassette.not-found',
    where: `trial ${trial}, mode cassette`,
    what: `there is no recording ${file}`,
    allowed: 'a recording for each trial that calls the model',
    next: `shakedown record ${trial}`,
  });
}

function parsed(text: string, file: string, trial: string): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    throw broken(file, trial, `it is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** What keeps it from being played; each place is named. */
function formFault(cassette: unknown, form: CallForm): string | undefined {
  if (!isMap(cassette) || cassette.cassette === undefined) return 'it is not a recording';
  if (cassette.cassette !== cassetteVersion)
    return `its version is ${JSON.stringify(cassette.cassette)}, and this Shakedown reads version ${cassetteVersion}`;
  if (cassette.kind !== form.kind) return `it is a recording of ${kindInWords(cassette.kind)}`;
  if (!Array.isArray(cassette.calls)) return '`calls` is not a list';
  for (const [index, call] of cassette.calls.entries()) {
    const fault = isMap(call) ? form.fault(call) : 'it is not a map';
    if (fault !== undefined) return `calls[${index}]: ${fault}`;
  }
  return undefined;
}

const otherKinds: Readonly<Record<string, string>> = { http: 'a third party' };

function kindInWords(kind: unknown): string {
  if (kind === undefined) return 'a model';
  return otherKinds[String(kind)] ?? `the unknown kind ${JSON.stringify(kind)}`;
}

function broken(file: string, trial: string, what: string): Problem {
  return new Problem({
    code: 'cassette.unreadable',
    where: file,
    what,
    allowed: `a recording as \`shakedown record\` writes it, version ${cassetteVersion}`,
    next: `record it again: shakedown record ${trial}`,
  });
}

function notWritten(file: string, cause: unknown): Problem {
  return new Problem({
    code: 'world.not-writable',
    where: file,
    what: `the recording could not be written: ${cause instanceof Error ? cause.message : String(cause)}`,
    allowed: 'a folder that can be written to, with room for it',
    next: 'make it writable, or set `cassettes` to another folder',
    cause,
  });
}
