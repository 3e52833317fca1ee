/** What a reader without JavaScript sees of a report: the verdict, the reasons, and what broke. */
import type { CheckVerdict, RunVerdict, TrialVerdict, Verdict } from '../../checks/verdict.ts';
import { counted } from '../../kernel/counted.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { printable } from '../../kernel/printable.ts';
import { isBad } from '../ci/trial-outcome.ts';
import { blameText } from '../terminal/format-blame.ts';
import { html } from './html-text.ts';

const mostTrials = 100;
const mostReasons = 100;
const textChars = 4_000;

export function staticSummary(run: RunVerdict): string {
  const { verdict, exitCode, reasons, counts, durationMs, seed, revision, tool } = run;
  const bad = run.trials.filter(isBad);
  return `<main class="static">
<h1>${text(verdict)}: ${text(run.run)}</h1>
<p>${text(countsText(counts))} in ${text(formatDuration(durationMs))}; exit code ${exitCode}</p>
<p>${text(tool)}, seed <code>${text(seed)}</code>${revision === null ? '' : `, revision <code>${text(revision)}</code>`}</p>
${list(
  reasons.slice(0, mostReasons).map((reason) => text(`${reason.exitCode}: ${reason.text}`)),
  reasons.length,
)}
${bad.slice(0, mostTrials).map(section).join('\n')}
${bad.length > mostTrials ? `<p>and ${counted(bad.length - mostTrials, 'further trial')} that did not pass</p>` : ''}
<noscript><p>With JavaScript, this file shows all trials and what happened in them.</p></noscript>
</main>`;
}

const shown: readonly Verdict[] = ['passed', 'failed', 'unstable', 'unknown', 'expected-failure', 'skipped'];

function countsText(counts: RunVerdict['counts']): string {
  const parts = shown.filter((verdict) => counts[verdict] > 0).map((one) => `${counts[one]} ${one}`);
  return `${counted(counts.selected, 'trial')}: ${parts.join(', ') || 'nothing was judged'}`;
}

function section(trial: TrialVerdict): string {
  const { id, title, verdict, cause, checks, blame, repro, file, line } = trial;
  const words = blameText(blame);
  return `<section>
<h2>${text(id)}: ${text(verdict)}</h2>
${title === undefined ? '' : `<p>${text(title)}</p>`}
<p>${text(cause?.text ?? 'for no known reason')}${words === '' ? '' : `<br>${text(words)}`}</p>
${list(checks.filter(isBad).map(checkText))}
<p><code>${text(repro)}</code><br>${text(`${file}:${line}`)}</p>
</section>`;
}

function checkText({ id, title, verdict, expected, observed, explanation }: CheckVerdict): string {
  return `${text(title ?? id)}: ${text(verdict)}
<dl><dt>expected</dt><dd><code>${text(expected)}</code></dd><dt>observed</dt><dd><code>${text(observed)}</code></dd></dl>${explanation === undefined ? '' : text(explanation)}`;
}

function list(items: readonly string[], all = items.length): string {
  if (items.length === 0) return '';
  const more = all > items.length ? `<li>and ${all - items.length} more</li>` : '';
  return `<ul>${items.map((item) => `<li>${item}</li>`).join('\n')}${more}</ul>`;
}

/** Of observed values as well: cut, and nothing in it controls anything. */
function text(value: string): string {
  const cut = value.length > textChars ? `${value.slice(0, textChars)}…` : value;
  return html(printable(cut));
}
