/** Formats what the baseline of sabotage accepts, and what it accepts in vain. */
import type { BaselinePart, FindingName, Held } from '../../campaigns/sabotage/baseline.ts';
import { type Line, labelled, line } from './line.ts';

/** `prune` is the command that removes stale entries. */
export function formatBaseline<Part extends BaselinePart>(
  { accepted, stale }: Omit<Held<Part, FindingName<Part>>, 'open'>,
  nameOf: (finding: FindingName<Part>) => string,
  prune: string,
  columns: number,
): readonly Line[] {
  const gone = stale.flatMap((entry) => {
    const place = `shakedown/sabotage-baseline.yaml${entry.line === undefined ? '' : `:${entry.line}`}`;
    const text = `${nameOf(entry)} is accepted in ${place}, and is no longer a finding: ${prune}`;
    return labelled('  ✗ ', text, columns, 'red');
  });
  const kept = accepted.flatMap((entry) =>
    labelled('  · ', `${nameOf(entry)}: accepted, ${entry.reason}`, columns, 'dim'),
  );
  return gone.length + kept.length === 0 ? [] : [line('Baseline', 'bold'), ...gone, ...kept, line('')];
}
