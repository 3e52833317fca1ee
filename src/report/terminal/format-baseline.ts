/** Formats what the baseline of sabotage accepts, and what it accepts in vain. */
import type { BaselinePart, FindingName, Held } from '../../campaigns/sabotage/baseline.ts';
import { item, type Line, paragraph } from './line.ts';

/** `prune` is the command that removes stale entries. */
export function formatBaseline<Part extends BaselinePart>(
  { accepted, stale }: Omit<Held<Part, FindingName<Part>>, 'open'>,
  nameOf: (finding: FindingName<Part>) => string,
  prune: string,
): readonly Line[] {
  const gone = stale.map((entry) => {
    const place = `shakedown/sabotage-baseline.yaml${entry.line === undefined ? '' : `:${entry.line}`}`;
    const text = `${nameOf(entry)} is accepted in ${place}, and is no longer a finding: ${prune}`;
    return item('  ✗ ', text, 'red');
  });
  const kept = accepted.map((entry) => item('  · ', `${nameOf(entry)}: accepted, ${entry.reason}`, 'dim'));
  return paragraph('Baseline', [...gone, ...kept]);
}
