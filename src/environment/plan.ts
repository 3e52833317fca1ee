/** What an environment is made from, stored as `plan.json` in the run folder before anything starts. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { System } from '../system/system.ts';
import type { Containment } from './containment/containment.ts';
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
  /** What `${matrix.NAME}` means in this environment. */
  readonly variant: Readonly<Record<string, string>>;
  readonly startedAt: string;
  /** Whoever launched it, and in which boot of the machine. */
  readonly launcher: ProcessIdentity | undefined;
  readonly bootId: string;
  readonly system: System;
}

export function writePlan(plan: Plan): void {
  writeFileSync(planFile(plan.runFolder), `${JSON.stringify(plan, undefined, 2)}\n`, { mode: 0o600 });
}

export function readPlan(runFolder: string): Plan {
  return JSON.parse(readFileSync(planFile(runFolder), 'utf8')) as Plan;
}

function planFile(runFolder: string): string {
  return path.join(runFolder, 'plan.json');
}
