/** Names everything that the jobs of a system make a database from: the same key, the same data. */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { holdsSecret } from '../../journal/redact-file.ts';
import { createRedactor, type Redactor, secretValues } from '../../journal/redaction.ts';
import { hostVariable, isReference, parseReferences, type ReferencePart } from '../../kernel/references.ts';
import { errorCode } from '../../kernel/system-error.ts';
import type { JobSpec, ResourceSpec, System } from '../../system/system.ts';
import { findEdges } from '../wiring/edges.ts';
import { resolveKnown } from '../wiring/resolve.ts';
import { templateText } from '../wiring/template-text.ts';
import { findInputs, type InputFile } from './find-inputs.ts';
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

/** Undefined when the jobs do not say what they depend on, or do more than fill one database of ours. */
export async function snapshotKey(needs: KeyNeeds): Promise<SnapshotKey | undefined> {
  try {
    return await findKey(needs);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined; // an input that cannot be read: whoever runs the job hears of it
  }
}

async function findKey(needs: KeyNeeds): Promise<SnapshotKey | undefined> {
  const { system } = needs;
  const resource = filledByJobs(system);
  if (!resource || snapshotObstacle(system, resource.name) !== undefined) return undefined;
  const texts = system.jobs.flatMap(textsOf);
  const redactor = createRedactor(secretValues(system.secrets, needs.hostEnv));
  if (texts.some(differsEachTime) || receivesSecret(texts, redactor, system)) return undefined;
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

/** The one embedded resource to which all jobs go, and to nothing else. */
function filledByJobs(system: System): ResourceSpec | undefined {
  const edges = findEdges(system);
  const targets = system.jobs.map(({ name, inputs }) => {
    const ends = new Set(edges.flatMap(({ from, to }) => (from === name ? [to] : [])));
    return inputs.length > 0 && ends.size === 1 ? [...ends][0] : undefined;
  });
  const [first] = targets;
  if (first === undefined || targets.some((target) => target !== first)) return undefined;
  return system.resources.find(
    (resource) => resource.name === first && resource.kind === 'postgres' && resource.url === undefined,
  );
}

/** Each of them has a place of its own in the data. */
function consumersOf(system: System, resource: string): readonly string[] {
  return findEdges(system)
    .flatMap(({ from, to }) => (to === resource ? [from] : []))
    .sort();
}

function textsOf({ run, cwd, env, files }: JobSpec): readonly string[] {
  return [...run, cwd, ...Object.values(env), ...files.map(templateText)];
}

function differsEachTime(text: string): boolean {
  return parseReferences(text).some(
    (part) => isReference(part) && (part.path[0] === 'run' || part.path[0] === 'environment'),
  );
}

/** What a job makes of a secret is in the data: that stays within its run. */
function receivesSecret(texts: readonly string[], redactor: Redactor, { secrets }: System): boolean {
  const isNamed = (part: ReturnType<typeof parseReferences>[number]): boolean =>
    isReference(part) && part.path[0] === 'env' && secrets.includes(part.path[1] ?? '');
  return texts.some((text) => redactor.finds(text) || parseReferences(text).some(isNamed));
}

/** With the values that come from outside filled in; addresses and folders say nothing about the data. */
function recipeOf(job: JobSpec, { system, variant, hostEnv }: KeyNeeds): unknown {
  const lookup = (reference: ReferencePart): string | undefined => {
    const [head, ...rest] = reference.path;
    if (head === 'env') return hostVariable(reference, hostEnv);
    return head === 'matrix' ? variant[rest.join('.')] : undefined;
  };
  const { name, env, after, inputs } = job;
  const texts = textsOf(job).map((text) => resolveKnown(text, lookup).replaceAll(system.folder, '.'));
  return [name, after, inputs, Object.keys(env), texts];
}

async function addFile(hash: Hash, { name, file }: InputFile): Promise<void> {
  const content = createHash('sha256');
  await pipeline(createReadStream(file), content);
  hash.update(JSON.stringify([name, content.digest('hex')]));
}
