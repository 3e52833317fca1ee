/** A key of everything from which the jobs of a system create a database: the same key means the same data. */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { holdsSecret } from '../../journal/redact-file.ts';
import { createRedactor, type Redactor, secretValues } from '../../journal/redaction.ts';
import { hostVariable, isReference, parseReferences } from '../../kernel/references.ts';
import { absentOn, errorCode } from '../../kernel/system-error.ts';
import { containerTexts } from '../../system/container-texts.ts';
import { globFiles } from '../../system/source/glob-files.ts';
import type { JobSpec, PostgresSpec, System } from '../../system/system.ts';
import { findUses } from '../wiring/edges.ts';
import { resolveKnown } from '../wiring/resolve.ts';
import { templateText } from '../wiring/template-text.ts';
import { snapshotObstacle } from './snapshot-obstacle.ts';

export interface SnapshotKey {
  /** The resource that the jobs fill. */
  readonly resource: string;
  readonly key: string;
}

export interface KeyNeeds {
  readonly system: System;
  readonly variant: Readonly<Record<string, string>>;
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
}

/** Undefined when the jobs do not declare their inputs, or do more than fill one embedded database. */
export async function snapshotKey(needs: KeyNeeds): Promise<SnapshotKey | undefined> {
  try {
    return await findKey(needs);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined; // an input cannot be read: running the job reports it
  }
}

async function findKey(needs: KeyNeeds): Promise<SnapshotKey | undefined> {
  const { system } = needs;
  // What an image holds, or a volume, is not known from the declared inputs.
  if (system.jobs.some(({ container }) => container !== undefined)) return undefined;
  const resource = filledByJobs(system);
  if (!resource || snapshotObstacle(system, resource.name) !== undefined) return undefined;
  const texts = system.jobs.flatMap(textsOf);
  const redactor = createRedactor(secretValues(system.secrets, needs.hostEnv));
  if (texts.some(differsEachTime)) return undefined;
  // The command line of the server, with its settings, is in its data.
  if (receivesSecret([...texts, ...Object.values(resource.settings)], redactor, needs)) return undefined;
  const hash = createHash('sha256');
  hash.update(JSON.stringify([resource, consumersOf(system, resource.name)]));
  for (const job of system.jobs) {
    const inputs = await findInputs(system.folder, job.inputs);
    if (inputs === undefined || inputs.length === 0) return undefined;
    hash.update(JSON.stringify(recipeOf(job, needs)));
    for (const input of inputs) {
      if (await holdsSecret(input.file, redactor, 'followed')) return undefined;
      await addFile(hash, input);
    }
  }
  return { resource: resource.name, key: hash.digest('hex') };
}

/** The embedded resource that all jobs use, if they use nothing else. */
function filledByJobs(system: System): PostgresSpec | undefined {
  const edges = findUses(system);
  const targets = system.jobs.map(({ name, inputs }) => {
    const ends = new Set(edges.flatMap(({ from, to }) => (from === name ? [to] : [])));
    return inputs.length > 0 && ends.size === 1 ? [...ends][0] : undefined;
  });
  const [first] = targets;
  if (first === undefined || targets.some((target) => target !== first)) return undefined;
  return system.resources.find(
    (resource): resource is PostgresSpec =>
      resource.name === first &&
      resource.kind === 'postgres' &&
      resource.url === undefined &&
      resource.image === undefined,
  );
}

/** Each of them has its own schema or database in the data. */
function consumersOf(system: System, resource: string): readonly string[] {
  return findUses(system)
    .flatMap(({ from, to }) => (to === resource ? [from] : []))
    .sort();
}

function textsOf({ run, container, cwd, env, files }: JobSpec): readonly string[] {
  const words = [...run, ...containerTexts(container).map(([, text]) => text)];
  return [...words, cwd, ...Object.values(env), ...files.map(templateText)];
}

function differsEachTime(text: string): boolean {
  return parseReferences(text).some(
    (part) => isReference(part) && (part.path[0] === 'run' || part.path[0] === 'environment'),
  );
}

/** Data that a job derives from a secret must stay within its run; another variable may hold it, too. */
function receivesSecret(texts: readonly string[], redactor: Redactor, needs: KeyNeeds): boolean {
  const isNamed = (part: ReturnType<typeof parseReferences>[number]): boolean =>
    isReference(part) && part.path[0] === 'env' && needs.system.secrets.includes(part.path[1] ?? '');
  return texts.some((text) => redactor.finds(filledIn(text, needs)) || parseReferences(text).some(isNamed));
}

/** Addresses and folders do not affect the data. */
function recipeOf(job: JobSpec, needs: KeyNeeds): unknown {
  const { name, env, after, inputs } = job;
  const texts = textsOf(job).map((text) => filledIn(text, needs).replaceAll(needs.system.folder, '.'));
  return [name, after, inputs, Object.keys(env), texts];
}

/** With environment variables and the variant. */
function filledIn(text: string, { variant, hostEnv }: KeyNeeds): string {
  return resolveKnown(text, (reference) => {
    const [head, ...rest] = reference.path;
    if (head === 'env') return hostVariable(reference, hostEnv);
    return head === 'matrix' ? variant[rest.join('.')] : undefined;
  });
}

async function addFile(hash: Hash, { name, file }: InputFile): Promise<void> {
  const content = createHash('sha256');
  await pipeline(createReadStream(file), content);
  hash.update(JSON.stringify([name, content.digest('hex')]));
}

interface InputFile {
  /** Relative to the folder of the config, as the globs match it. */
  readonly name: string;
  readonly file: string;
}

/** More than this indicates a glob that is too wide. */
const mostFiles = 5_000;
const mostBytes = 256 * 1024 * 1024;

/** Sorted by name; undefined when there are too many, or when they are too large. */
async function findInputs(
  folder: string,
  globs: readonly string[],
): Promise<readonly InputFile[] | undefined> {
  const names = new Set<string>();
  for await (const file of globFiles(globs, folder)) {
    names.add(path.relative(folder, file));
    if (names.size > mostFiles) return undefined;
  }
  const found: InputFile[] = [];
  let bytes = 0;
  for (const name of [...names].sort()) {
    const file = path.resolve(folder, name);
    // Removed since it was found, or a dangling link.
    const facts = await stat(file).catch(absentOn('ENOENT', 'ENOTDIR', 'ELOOP'));
    if (!facts?.isFile()) continue;
    bytes += facts.size;
    found.push({ name, file });
  }
  return bytes > mostBytes ? undefined : found;
}
