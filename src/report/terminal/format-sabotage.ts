/** Formats the result of sabotage: checks that cannot fail first, then unchecked values, then the score. */
import type { Sabotaged } from '../../campaigns/sabotage/sabotage-run.ts';
import type { SabotagedRun } from '../../campaigns/sabotage/sabotage-stored.ts';
import { formatBaseline } from './format-baseline.ts';
import { columnsFor, type Line, labelled, line, printLines, type ReportOptions } from './line.ts';

export interface SabotageReport extends SabotagedRun {
  /** The exposures that are shown: the most severe ones. */
  readonly shown: Sabotaged['exposures'];
}

export function formatSabotage(report: SabotageReport, options: ReportOptions): readonly string[] {
  const columns = columnsFor(options);
  return printLines(
    [
      ...formatVacuous(report, columns),
      ...formatBaseline<'offline'>(
        report,
        ({ trial, check }) => `${trial}, ${check}`,
        'shakedown sabotage --prune',
        columns,
      ),
      ...formatNotJudged(report.sabotaged, columns),
      ...formatExposures(report, columns),
      ...formatScore(report, columns),
    ],
    options,
  );
}

function formatVacuous({ open }: SabotageReport, columns: number): readonly Line[] {
  if (open.length === 0) return [];
  return [
    line('Checks that cannot fail', 'bold'),
    ...open.flatMap(({ trial, check, file, line: at, why }) => [
      ...labelled('  ✗ ', `${trial}, ${check}`, columns, 'red'),
      ...labelled('      ', `${file}:${at}`, columns, 'dim'),
      ...labelled('      ', why, columns),
    ]),
    line(''),
  ];
}

function formatNotJudged({ notJudged }: Sabotaged, columns: number): readonly Line[] {
  if (notJudged.length === 0) return [];
  return [
    line('Not tested', 'bold'),
    ...notJudged.slice(0, 10).flatMap(({ trial, why }) => labelled('  ? ', `${trial}: ${why}`, columns)),
    ...(notJudged.length > 10 ? [line(`    … ${notJudged.length - 10} more`, 'dim')] : []),
    line(''),
  ];
}

function formatExposures(
  { sabotaged: { exposures }, shown }: SabotageReport,
  columns: number,
): readonly Line[] {
  if (shown.length === 0) return [];
  return [
    line('What no check reads, most severe first', 'bold'),
    ...shown.flatMap(({ trial, file, line: at, text, check }) => [
      ...labelled('  • ', `${trial}: ${text}`, columns),
      ...labelled('    ', `a check belongs after ${file}:${at}`, columns, 'dim'),
      ...check.split('\n').map((yaml) => line(`    ${yaml}`, 'dim')),
    ]),
    ...(exposures.length > shown.length
      ? [line(`  … ${exposures.length - shown.length} more: --exposures N, or --json`, 'dim')]
      : []),
    line(''),
  ];
}

function formatScore({ sabotaged, open }: SabotageReport, columns: number): readonly Line[] {
  const { vital, checks, vitality, mutants, exposures, trials, edges } = sabotaged;
  const unread = edges.filter(({ read, calls }) => read < calls);
  const weak = new Set(open.map(({ trial }) => trial)).size;
  return [
    ...labelled(
      '',
      `vitality ${percent(vitality)}: ${vital} of ${checks} checks can fail, by ${mutants} mutants applied to ${trials.length === 1 ? 'one trial' : `${trials.length} trials`}`,
      columns,
      open.length === 0 ? 'green' : 'bold',
    ),
    ...(weak === 0
      ? []
      : [line(`${weak === 1 ? 'one trial has' : `${weak} trials have`} a check that cannot fail`)]),
    line(`${exposures.length} places that no check reads`, 'dim'),
    ...unread.flatMap(({ edge, read, calls }) =>
      labelled('', `${edge}: ${read} of ${calls} kinds of calls are read`, columns, 'dim'),
    ),
  ];
}

/** Rounded down: 100 only when nothing is missing. */
function percent(part: number): string {
  return `${Math.floor(part * 1_000) / 10} %`;
}
