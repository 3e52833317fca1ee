/** Tells what sabotage has found: checks that cannot fail first, then what nobody reads, then the score. */
import type { AcceptedFinding } from '../../campaigns/sabotage/baseline.ts';
import { weightOf } from '../../campaigns/sabotage/risk.ts';
import { type Sabotaged, withoutCase } from '../../campaigns/sabotage/sabotage-run.ts';
import {
  columnsFor,
  type Line,
  labelled,
  line,
  printLines,
  type ReportOptions,
} from '../../report/terminal/line.ts';
import type { VacuousCheck } from './vacuous-checks.ts';

export interface Told {
  readonly sabotaged: Sabotaged;
  readonly open: readonly VacuousCheck[];
  readonly accepted: readonly (VacuousCheck & { readonly reason: string })[];
  readonly stale: readonly AcceptedFinding<'offline'>[];
  /** How many exposures are told. */
  readonly most: number;
}

export function tellSabotage(told: Told, options: ReportOptions): readonly string[] {
  const columns = columnsFor(options);
  return printLines(
    [
      ...tellVacuous(told, columns),
      ...tellAccepted(told, columns),
      ...tellNotJudged(told.sabotaged, columns),
      ...tellExposures(told, columns),
      ...tellScore(told, columns),
    ],
    options,
  );
}

function tellVacuous({ open }: Told, columns: number): readonly Line[] {
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

function tellAccepted({ accepted, stale }: Told, columns: number): readonly Line[] {
  const gone = stale.flatMap(({ trial, check, line: at }) =>
    labelled(
      '  ✗ ',
      `${trial}, ${check} is accepted in shakedown/sabotage-baseline.yaml${at === undefined ? '' : `:${at}`}, and is no finding any more: shakedown sabotage --prune`,
      columns,
      'red',
    ),
  );
  const kept = accepted.flatMap(({ trial, check, reason }) =>
    labelled('  · ', `${trial}, ${check}: accepted, ${reason}`, columns, 'dim'),
  );
  return gone.length + kept.length === 0 ? [] : [line('Baseline', 'bold'), ...gone, ...kept, line('')];
}

function tellNotJudged({ notJudged }: Sabotaged, columns: number): readonly Line[] {
  if (notJudged.length === 0) return [];
  return [
    line('Not put to the test', 'bold'),
    ...notJudged.slice(0, 10).flatMap(({ trial, why }) => labelled('  ? ', `${trial}: ${why}`, columns)),
    ...(notJudged.length > 10 ? [line(`    … ${notJudged.length - 10} more`, 'dim')] : []),
    line(''),
  ];
}

/** The gravest, one of each trial before a second of any. */
function tellExposures({ sabotaged: { exposures }, most }: Told, columns: number): readonly Line[] {
  const shown = gravest(exposures, most);
  if (shown.length === 0) return [];
  return [
    line('What nobody reads, the gravest first', 'bold'),
    ...shown.flatMap(({ trial, file, line: at, text, check }) => [
      ...labelled('  • ', `${withoutCase(trial)}: ${text}`, columns),
      ...labelled('    ', `a check belongs after ${file}:${at}`, columns, 'dim'),
      ...check.split('\n').map((yaml) => line(`    ${yaml}`, 'dim')),
    ]),
    ...(exposures.length > shown.length
      ? [line(`  … ${exposures.length - shown.length} more: --exposures N, or --json`, 'dim')]
      : []),
    line(''),
  ];
}

function gravest(exposures: Sabotaged['exposures'], most: number): Sabotaged['exposures'] {
  const seen = new Map<string, number>();
  return exposures
    .map((exposure) => {
      const name = withoutCase(exposure.trial);
      const nth = seen.get(name) ?? 0;
      seen.set(name, nth + 1);
      const rank = (exposure.lost === undefined ? weightOf(exposure.risk) : 1_000) - nth * 15;
      return { exposure, rank };
    })
    .sort((a, b) => b.rank - a.rank)
    .slice(0, most)
    .map(({ exposure }) => exposure);
}

function tellScore({ sabotaged, open }: Told, columns: number): readonly Line[] {
  const { vital, checks, vitality, mutants, exposures, trials, edges } = sabotaged;
  const unread = edges.filter(({ read, calls }) => read < calls);
  const weak = new Set(open.map(({ trial }) => trial)).size;
  return [
    ...labelled(
      '',
      `vitality ${percent(vitality)}: ${vital} of ${checks} checks can fail, by ${mutants} lies told to ${trials.length === 1 ? 'one trial' : `${trials.length} trials`}`,
      columns,
      open.length === 0 ? 'green' : 'bold',
    ),
    ...(weak === 0
      ? []
      : [line(`${weak === 1 ? 'one trial holds' : `${weak} trials hold`} a check that cannot fail`)]),
    line(`${exposures.length} places that nobody reads`, 'dim'),
    ...unread.flatMap(({ edge, read, calls }) =>
      labelled('', `${edge}: ${read} of ${calls} kinds of calls are read`, columns, 'dim'),
    ),
  ];
}

/** Never 100 where something is missing. */
function percent(part: number): string {
  return `${Math.floor(part * 1_000) / 10} %`;
}
