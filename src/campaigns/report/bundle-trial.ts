/** `report --bundle`: one trial that did not pass in one file, with all that is needed to understand it elsewhere. */

import { judgedBadly, type TrialVerdict } from '../../checks/verdict.ts';
import { didYouMean } from '../../kernel/nearest.ts';
import { badUsage } from '../../kernel/problem.ts';
import { shellWord } from '../../kernel/shell-word.ts';
import type { ReportParts } from './gather-report.ts';
import type { JudgedRun } from './merge-shards.ts';

export function bundleParts(
  run: JudgedRun,
  word: string | undefined,
): ReportParts & { readonly trial: string } {
  const { verdict, plan } = run;
  const trial = chosen(verdict.trials, word);
  const { id } = trial;
  const { platform, arch, version } = process;
  const variant = Object.entries(plan.variant).map(([name, value]) => `${name}=${value}`);
  const words = [
    'shakedown',
    'run',
    '--seed',
    plan.seed,
    ...(variant.length > 0 ? ['--variant', variant.join(',')] : []),
    id,
  ];
  return {
    trial: id,
    sources: [run],
    isWhole: true,
    verdict: {
      ...verdict,
      trials: [trial],
      reasons: verdict.reasons.filter((reason) => reason.trial === id || reason.trial === undefined),
      requirements: verdict.requirements.filter(({ trials }) => trials.includes(id)),
    },
    notes: [
      `One trial of ${verdict.counts.selected}, packed on ${platform} ${arch} with Node.js ${version}`,
      `Perform it in the project, on this revision: ${words.map(shellWord).join(' ')}`,
    ],
  };
}

/** A file name that says what it is, whatever signs the id has. */
export function bundleName({ plan }: JudgedRun, trial: string): string {
  return `${plan.run}-${trial.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 100)}.html`;
}

function chosen(trials: readonly TrialVerdict[], word: string | undefined): TrialVerdict {
  const bad = trials.filter(({ verdict }) => judgedBadly(verdict));
  const [only] = bad;
  const found =
    word === undefined ? (bad.length === 1 ? only : undefined) : trials.find(({ id }) => id === word);
  if (found) return found;
  const ids = (bad.length > 0 ? bad : trials).map(({ id }) => id);
  const next = 'name the trial: shakedown report RUN TRIAL --bundle';
  throw badUsage(
    'shakedown report --bundle',
    word === undefined ? `${bad.length} trials did not pass` : `the run has no trial ${JSON.stringify(word)}`,
    ids.slice(0, 20).join(', '),
    word === undefined ? next : didYouMean(word, ids, next),
  );
}
