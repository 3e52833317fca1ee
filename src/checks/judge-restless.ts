/** Of a system that did not come to rest nobody can say that something will not happen. */
import type { AttemptView } from './attempt-view.ts';
import type { CheckVerdict } from './verdict.ts';

/** What held as an absence while edges were still busy is unknown. */
export function openIfRestless(
  verdicts: readonly CheckVerdict[],
  view: AttemptView,
): readonly CheckVerdict[] {
  const { restless } = view;
  if (!restless) return verdicts;
  const absences = new Set(view.checks.filter(({ absence }) => absence).map(({ id }) => id));
  const explanation = `the system had not come to rest: ${restless.busy.join(', ')} still busy`;
  return verdicts.map((check) =>
    check.verdict === 'passed' && absences.has(check.id)
      ? { ...check, verdict: 'unknown', explanation }
      : check,
  );
}
