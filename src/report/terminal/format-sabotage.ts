/** Formats the result of sabotage: checks that cannot fail first, then unchecked values, then the score. */
import type { NotJudged, Sabotaged } from '../../campaigns/sabotage/sabotage-run.ts';
import type { SabotagedRun } from '../../campaigns/sabotage/sabotage-stored.ts';
import { formatBaseline } from './format-baseline.ts';
import { firstOf, item, type Line, line, paragraph, printLines, type ReportOptions } from './line.ts';

export interface SabotageReport extends SabotagedRun {
  /** The exposures that are shown: the most severe ones. */
  readonly shown: Sabotaged['exposures'];
}

export function formatSabotage(report: SabotageReport, options: ReportOptions): readonly string[] {
  return printLines(
    [
      ...formatVacuous(report),
      ...formatBaseline<'offline'>(
        report,
        ({ trial, check }) => `${trial}, ${check}`,
        'shakedown sabotage --prune',
      ),
      ...formatNotJudged(report.sabotaged),
      ...formatExposures(report),
      ...formatScore(report),
    ],
    options,
  );
}

function formatVacuous({ open }: SabotageReport): readonly Line[] {
  return paragraph(
    'Checks that cannot fail',
    open.flatMap(({ trial, check, file, line: at, why }) => [
      item('  ✗ ', `${trial}, ${check}`, 'red'),
      item('      ', `${file}:${at}`, 'dim'),
      item('      ', why),
    ]),
  );
}

function formatNotJudged({ notJudged }: Sabotaged): readonly Line[] {
  const draw = ({ trial, why }: NotJudged): Line => item('  ? ', `${trial}: ${why}`);
  const more = (left: number): Line => line(`    … ${left} more`, 'dim');
  return paragraph('Not tested', firstOf(notJudged, 10, draw, more));
}

function formatExposures({ sabotaged: { exposures }, shown }: SabotageReport): readonly Line[] {
  if (shown.length === 0) return [];
  return paragraph('What no check reads, most severe first', [
    ...shown.flatMap(({ trial, file, line: at, text, check }) => [
      item('  • ', `${trial}: ${text}`),
      ...(check === ''
        ? [item('    ', `no value of it holds in every run: ${file}:${at}`, 'dim')]
        : [item('    ', `${isOfStep(check) ? 'in' : 'a check belongs after'} ${file}:${at}`, 'dim')]),
      ...check
        .split('\n')
        .filter(Boolean)
        .map((yaml) => line(`    ${yaml}`, 'dim')),
    ]),
    ...(exposures.length > shown.length
      ? [line(`  … ${exposures.length - shown.length} more: --exposures N, or --json`, 'dim')]
      : []),
  ]);
}

/** It belongs to a step, wherever that is. */
function isOfStep(check: string): boolean {
  return check.trimStart().startsWith('expect:');
}

function formatScore({ sabotaged, open }: SabotageReport): readonly Line[] {
  const { vital, checks, vitality, mutants, exposures, trials, edges } = sabotaged;
  const unread = edges.filter(({ read, calls }) => read < calls);
  const weak = new Set(open.map(({ trial }) => trial)).size;
  const where = trials.length === 1 ? 'one trial' : `${trials.length} trials`;
  const score = `vitality ${percent(vitality)}: ${vital} of ${checks} checks can fail, by ${mutants} mutants applied to ${where}`;
  return [
    item('', score, open.length === 0 ? 'green' : 'bold'),
    ...(weak === 0
      ? []
      : [line(`${weak === 1 ? 'one trial has' : `${weak} trials have`} a check that cannot fail`)]),
    ...formatUnexamined(sabotaged),
    line(`${exposures.length} places that no check reads`, 'dim'),
    ...unread.map(({ edge, read, calls }) =>
      item('', `${edge}: ${read} of ${calls} kinds of calls are read`, 'dim'),
    ),
  ];
}

/** Closures that could not be run again on other answers, and checks that assert on failures alone. */
function formatUnexamined({ trials }: Sabotaged): readonly Line[] {
  const open = trials.flatMap(({ checks }) => checks.filter(({ vital }) => vital === null)).length;
  if (open === 0) return [];
  return [
    line(
      `${open} ${open === 1 ? 'check is' : 'checks are'} not among them: closures, and what asserts on failures alone`,
      'dim',
    ),
  ];
}

/** Rounded down: 100 only when nothing is missing. */
function percent(part: number): string {
  return `${Math.floor(part * 1_000) / 10} %`;
}
