/** A run whose evidence goes into a report. */
import path from 'node:path';
import { type RunPlan, readRunPlan } from '../run/run-plan.ts';

export interface ReportSource {
  readonly folder: string;
  /** The folder relative to the working folder. */
  readonly shown: string;
  readonly plan: RunPlan;
}

export function readSource(folder: string, cwd: string): ReportSource {
  return { folder, shown: path.relative(cwd, folder) || '.', plan: readRunPlan(folder) };
}

/** The folder of the system, where the run is among the others; undefined for one that was brought from elsewhere. */
export function systemFolderOf({ folder }: Pick<ReportSource, 'folder'>): string | undefined {
  const [runs, state] = [path.dirname(folder), path.dirname(path.dirname(folder))];
  const isStored = path.basename(runs) === 'runs' && path.basename(state) === '.shakedown';
  return isStored ? path.dirname(state) : undefined;
}
