/** The plan of an environment, stored as `plan.json` in the run folder before anything starts. */
import { constants, copyFileSync, existsSync, lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { redactOurs } from '../journal/redact-values.ts';
import { createRedactor, showSecrets } from '../journal/redaction.ts';
import { writeDocument } from '../journal/write-redacted.ts';
import { parseExactJson } from '../kernel/exact-json.ts';
import { foreignness, readOwnFile } from '../kernel/folders/own-file.ts';
import { Problem } from '../kernel/problem.ts';
import type { System } from '../system/system.ts';
import type { Containment } from './containment/containment.ts';
import type { Place } from './containment/place.ts';
import type { ProcessIdentity } from './containment/process-table.ts';

export interface Plan {
  readonly schemaVersion: 1;
  readonly tool: string;
  readonly run: string;
  readonly runFolder: string;
  /** The environment's short unique name, and its disposable folder. */
  readonly environment: string;
  readonly workspace: string;
  readonly containment: Containment;
  readonly seed: string;
  /** The values of `${matrix.NAME}` in this environment. */
  readonly variant: Readonly<Record<string, string>>;
  readonly startedAt: string;
  /** The launcher, and in which boot of the machine. */
  readonly launcher: ProcessIdentity | undefined;
  readonly bootId: string;
  readonly place: Place;
  /** Take a snapshot of each resource that supports it after the jobs. */
  readonly snapshots?: boolean;
  readonly system: System;
}

/** The plan as it is stored, without the values of secrets, which a config in code may have inserted. */
export function withoutSecrets(plan: Plan, secrets: Readonly<Record<string, string | undefined>>): Plan {
  return { ...plan, system: redactOurs(plan.system, createRedactor(secrets), 'hidden') };
}

/** The plan with the values of secrets restored, for removing what it created. */
export function withSecrets(plan: Plan, env: Readonly<Record<string, string | undefined>>): Plan {
  const { secrets } = plan.system;
  if (secrets.length === 0) return plan;
  const put = (value: unknown): unknown => {
    if (typeof value === 'string')
      return showSecrets(value, (name) => (secrets.includes(name) ? env[name] : undefined));
    if (Array.isArray(value)) return value.map(put);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [put(key), put(inner)]));
  };
  return { ...plan, system: put(plan.system) as System };
}

export function writePlan(plan: Plan): void {
  writeDocument(planFile(plan.runFolder), plan);
}

export function readPlan(runFolder: string): Plan {
  try {
    const plan = parseExactJson(readOwnFile(planFile(runFolder))) as Plan | null;
    if (Array.isArray(plan?.system?.secrets)) return plan as Plan;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw unreadable(runFolder, 'its plan is damaged');
}

/**
 * A copy in the workspace, so that the environment can be swept when the run folder was deleted. It contains no
 * secrets.
 */
export function copyPlan({ runFolder, workspace }: Plan): void {
  copyFileSync(planFile(runFolder), planFile(workspace), constants.COPYFILE_EXCL);
}

/** The folder with the plan of a workspace: its run folder, or the workspace itself. */
export function planFolder(runFolder: string, workspace: string): string | undefined {
  return [runFolder, workspace].find((folder) => existsSync(planFile(folder)));
}

/**
 * A plan to act upon from a folder that was found: it must be owned by us and, unless the folder may have been moved,
 * belong to this folder.
 */
export function readFoundPlan(
  folder: string,
  as: 'runFolder' | 'workspace' | 'anywhere' = 'runFolder',
): Plan {
  const stats = lstatSync(folder);
  const foreign = stats.isDirectory()
    ? foreignness(stats)
    : 'is a link, or another entry that is not a folder';
  if (foreign !== undefined) throw unreadable(folder, `its run folder ${folder} ${foreign}`);
  const plan = readPlan(folder);
  const { run, environment, workspace, system } = plan;
  const isWhole = [run, environment, workspace, system.folder].every((text) => typeof text === 'string');
  if (!isWhole || !Array.isArray(system.resources)) throw unreadable(folder, 'its plan is damaged');
  if (as !== 'anywhere' && plan[as] !== realpathSync(folder))
    throw unreadable(folder, `its plan belongs to another folder: ${plan[as]}`);
  return plan;
}

function unreadable(runFolder: string, what: string): Problem {
  return new Problem({
    code: 'run.unreadable',
    where: planFile(runFolder),
    what,
    allowed: 'a plan as Shakedown wrote it, in the folder where it was written',
    next: `remove ${runFolder}: an environment of this folder that is still up then goes down by itself`,
  });
}

function planFile(runFolder: string): string {
  return path.join(runFolder, 'plan.json');
}
