/** Two runs side by side for a person: what broke first. */
import type { ComparedTrial, RunComparison, SlowerTrial } from '../../checks/run-comparison.ts';
import { counted } from '../../kernel/counted.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { formatCost, formatTokens, hasCost } from './format-cost.ts';
import {
  andMore,
  block,
  firstOf,
  item,
  type Line,
  line,
  printLines,
  type ReportOptions,
  type Style,
} from './line.ts';
import { storyLimits } from './story-limits.ts';

export function formatComparison(comparison: RunComparison, options: ReportOptions = {}): string[] {
  const { before, after, differences, newFailures, fixed, stillFailing, added, gone, slower } = comparison;
  const sums = [
    counted(newFailures.length, 'new failure'),
    `${fixed.length} fixed`,
    `${stillFailing.length} still failing`,
    `${slower.length} slower`,
  ];
  const lines: readonly Line[] = [
    item('', `${after.run} compared with ${before.run}: ${sums.join(', ')}`, 'bold'),
    item('', `what else differs: ${differences.join(', ') || 'nothing that is known'}`, 'dim'),
    ...trials('New failures', newFailures, 'red'),
    ...trials('Fixed', fixed, 'green'),
    ...trials('Still failing', stillFailing, 'yellow'),
    ...block('Slower than ever before', some(slower, formatSlower)),
    ...block(
      'In the second only',
      some(added, (id) => item('  ', id)),
    ),
    ...block(
      'In the first only',
      some(gone, (id) => item('  ', id)),
    ),
    line(''),
    item('time  ', `${formatDuration(before.durationMs)}, then ${formatDuration(after.durationMs)}`),
    ...([before, after].every(({ cost }) => !hasCost(cost))
      ? []
      : [item('cost  ', `${costOf(before)}, then ${costOf(after)}`)]),
  ];
  return printLines(lines, options);
}

function trials(heading: string, all: readonly ComparedTrial[], style: Style): readonly Line[] {
  const draw = ({ id, was, is, cause }: ComparedTrial): Line => {
    const before = was === null ? 'not there' : was;
    return item('  ', `${id}: ${before}, then ${is}${cause === null ? '' : `: ${cause}`}`, style);
  };
  return block(heading, some(all, draw));
}

function some<Item>(all: readonly Item[], draw: (one: Item) => Line): readonly Line[] {
  return firstOf(all, storyLimits.reasons, draw, andMore('  ', ', all with --json'));
}

function formatSlower({ id, beforeMs, afterMs, usual }: SlowerTrial): Line {
  const range = `${formatDuration(usual.leastMs)} to ${formatDuration(usual.mostMs)}`;
  const times = `${formatDuration(beforeMs)}, then ${formatDuration(afterMs)}`;
  return item('  ', `${id}: ${times}; ${range} in ${counted(usual.runs, 'earlier run')}`, 'yellow');
}

function costOf({ cost }: RunComparison['before']): string {
  return hasCost(cost) ? `${formatCost(cost)} (${formatTokens(cost)})` : 'nothing';
}
