/** What is wrong with a run as workflow commands of GitHub Actions, which it shows beside the lines of the files. */
import type { CheckVerdict, RunReason, RunVerdict, TrialVerdict } from '../../checks/verdict.ts';
import { printable } from '../../kernel/printable.ts';
import { isBad, trialOutcome } from './trial-outcome.ts';

/** GitHub shows no more than ten of a step. */
const mostAnnotations = 10;
const messageChars = 4_000;

/** `placeOf` gives the file of a trial relative to the repository. */
export function githubAnnotations(
  { reasons, trials }: RunVerdict,
  placeOf: (trial: TrialVerdict) => string,
): readonly string[] {
  const byId = new Map(trials.map((trial) => [trial.id, trial]));
  const isOver = reasons.length > mostAnnotations;
  const shown = reasons.slice(0, isOver ? mostAnnotations - 1 : mostAnnotations);
  const lines = shown.map((reason) => {
    const trial = byId.get(reason.trial ?? '');
    return trial ? ofTrial(trial, reason, placeOf(trial)) : command({ title: 'shakedown' }, reason.text);
  });
  const rest = `and ${reasons.length - shown.length} further reasons: see the summary of the job`;
  return isOver ? [...lines, command({ title: 'shakedown' }, rest)] : lines;
}

function ofTrial(trial: TrialVerdict, reason: RunReason, file: string): string {
  const failing = trial.checks.filter(isBad);
  const cause = trialOutcome(trial).message || reason.text;
  const message = [
    cause,
    ...failing.map(describe).filter((text) => !cause.includes(text)),
    `see it again: ${trial.repro}`,
  ];
  const { id, verdict, line } = trial;
  return command({ file, line: String(line), title: `${id} ${verdict}` }, message.join('\n'));
}

function describe({ id, expected, observed }: CheckVerdict): string {
  return `${id}: expected ${expected}, observed ${observed}`;
}

function command(properties: Readonly<Record<string, string>>, message: string): string {
  const given = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`);
  const text = message.length > messageChars ? `${message.slice(0, messageChars)}…` : message;
  return `::error ${given.join(',')}::${escapeData(text)}`;
}

function escapeData(text: string): string {
  return printable(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
