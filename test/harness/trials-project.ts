/** A small system with trials, and the results of a run: text, JSON, and exit code. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { RunVerdict, TrialVerdict, Verdict } from '../../src/checks/verdict.ts';
import { openDocument } from '../../src/journal/seal.ts';
import { makeProject, type Project } from './project.ts';
import { nothing } from './until.ts';

export type Files = Readonly<Record<string, string>>;

/** Trials by their ids, each as YAML without the id. */
export function trialsProject(config: string, trials: Files, files: Files = {}): Project {
  const written = Object.entries(trials).map(([id, text]) => [
    `trials/${id}.trial.yaml`,
    `id: ${id}\n${text}\n`,
  ]);
  return makeProject({
    'shakedown.yaml': `name: example\ntrials: "trials/**"\nsettle: 50ms\n${config}\n`,
    ...Object.fromEntries(written),
    ...files,
  });
}

export interface Performed {
  readonly code: number | null;
  /** The printed text, without line breaks inside sentences. */
  readonly text: string;
  readonly verdict: RunVerdict;
  /** Trials by verdict. */
  readonly verdicts: Readonly<Record<string, Verdict>>;
  trial(id: string): TrialVerdict;
}

/** Runs trials, and checks that nothing is left behind. */
export async function performTrials(project: Project, ...args: readonly string[]): Promise<Performed> {
  const { code, output } = await project.run(['run', ...args]);
  expect(project.left(), output).toEqual(nothing);
  return { ...latestVerdict(project), code, text: unfolded(output) };
}

/** The verdict of the newest run, as it is stored. */
export function latestVerdict(project: Project): Omit<Performed, 'code' | 'text'> {
  const file = path.join(project.folder, '.shakedown/latest/verdict.json');
  const verdict = JSON.parse(openDocument(readFileSync(file))) as RunVerdict;
  return {
    verdict,
    verdicts: Object.fromEntries(verdict.trials.map((trial) => [trial.id, trial.verdict])),
    trial: (id) => {
      const found = verdict.trials.find((trial) => trial.id === id);
      if (!found)
        throw new Error(`no trial ${id} among ${verdict.trials.map((trial) => trial.id).join(', ')}`);
      return found;
    },
  };
}

/** Joins sentences that were wrapped for the terminal. */
export function unfolded(output: string): string {
  return output.replaceAll(/\s+/g, ' ');
}
