/** `--list`: which trials would run, and why each would or would not. */
import { entriesFor } from '../../campaigns/run/quarantine-of-run.ts';
import type { RunPlan } from '../../campaigns/run/run-plan.ts';
import type { Call } from '../call/verb.ts';

export function listTrials(call: Call, plan: RunPlan): void {
  const { trials, declared } = plan;
  if (call.json) {
    const shown = trials.map(({ checks, ...trial }) => ({ ...trial, checks: checks.map(({ id }) => id) }));
    call.terminal.out(JSON.stringify({ declared, selected: trials.length, trials: shown }));
    return;
  }
  const width = Math.min(60, Math.max(...trials.map(({ id }) => id.length)));
  for (const trial of trials) {
    const { id, title, tags, isolation, skipReason, asTwin, regression, generated } = trial;
    const notes = [
      isolation,
      ...(regression?.shownRedOn === null ? ['a regression trial not shown red'] : []),
      ...(generated ? ['generated'] : []),
      ...entriesFor(plan, id).map(({ until, owner }) => `in quarantine until ${until} (${owner})`),
      ...(tags.length > 0 ? [tags.join(' ')] : []),
      ...(asTwin ? ['included as a twin'] : []),
      ...(skipReason === undefined ? [] : [`skipped: ${skipReason}`]),
    ];
    call.terminal.out(`${id.padEnd(width)}  ${title ?? ''}`.trimEnd());
    const below = `${' '.repeat(width)}  ${notes.join(', ')}  ${trial.file}:${trial.line}`;
    call.terminal.out(call.terminal.paint('dim', below));
  }
  call.terminal.out(`\n${trials.length} of ${declared} trials`);
}
