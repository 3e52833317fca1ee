/** A run as Markdown for the summary of a job of GitHub Actions; nothing that was observed is Markdown or HTML in it. */
import type { CheckVerdict, RunReason, RunVerdict, TrialVerdict, Verdict } from '../../checks/verdict.ts';
import { counted } from '../../kernel/counted.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { printable } from '../../kernel/printable.ts';
import { isBad, trialOutcome } from './trial-outcome.ts';

/** GitHub takes one megabyte of a step. */
const mostTrials = 40;
const mostReasons = 40;
const valueChars = 1_000;

export function githubSummary(run: RunVerdict): string {
  const { verdict, exitCode, counts, durationMs, reasons, trials } = run;
  const bad = trials.filter(isBad);
  const sums = order.filter((one) => counts[one] > 0).map((one) => `${counts[one]} ${one}`);
  const loose = reasons.filter(({ trial }) => !bad.some(({ id }) => id === trial));
  return `${[
    `## ${exitCode === 0 ? '✅' : '❌'} Shakedown: ${verdict}`,
    `${counted(counts.selected, 'trial')} in ${formatDuration(durationMs)}: ${sums.join(', ') || 'nothing was judged'}. Exit code ${exitCode}.`,
    ...reasonList(loose),
    ...bad.slice(0, mostTrials).map(trialSection),
    ...(bad.length > mostTrials ? [`and ${counted(bad.length - mostTrials, 'further trial')}`] : []),
    `<sub>${text(run.tool)}, run <code>${text(run.run)}</code>, seed <code>${text(run.seed)}</code></sub>`,
  ].join('\n\n')}\n\n`;
}

const order: readonly Verdict[] = ['passed', 'failed', 'unstable', 'unknown', 'expected-failure', 'skipped'];

function reasonList(reasons: readonly RunReason[]): readonly string[] {
  if (reasons.length === 0) return [];
  const more = reasons.length > mostReasons ? [`- and ${reasons.length - mostReasons} more`] : [];
  const shown = reasons.slice(0, mostReasons).map((reason) => `- ${text(reason.text)}`);
  return [[...shown, ...more].join('\n')];
}

function trialSection(trial: TrialVerdict): string {
  const { id, verdict, file, line, repro, checks } = trial;
  const failing = checks.filter(isBad);
  return [
    `<details><summary><b>${text(id)}</b> ${verdict}: ${text(trialOutcome(trial).message)}</summary>`,
    ...failing.map(checkLine),
    `<code>${text(repro)}</code><br><sub>${text(`${file}:${line}`)}</sub></details>`,
  ].join('\n');
}

function checkLine({ id, title, expected, observed }: CheckVerdict): string {
  return `<p>${text(title ?? id)}<br>expected <code>${text(expected)}</code><br>observed <code>${text(observed)}</code></p>`;
}

/** Every sign with a meaning in Markdown or HTML, as its number. */
function text(value: string): string {
  const cut = value.length > valueChars ? `${value.slice(0, valueChars)}…` : value;
  return printable(cut)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[&<>"'\\`*_{}[\]()#+!|~@:]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
