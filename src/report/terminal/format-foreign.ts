/** Formats the result of live sabotage with an external test command. */
import type {
  ForeignFinding,
  ForeignSabotage,
  ForeignTest,
  MutatedRun,
} from '../../campaigns/sabotage/foreign/foreign-sabotage.ts';
import type { SabotagedCommand } from '../../campaigns/sabotage/foreign/sabotage-command.ts';
import { mutantText } from '../../journal/mutant-kinds.ts';
import { isCrossed, type Observation } from '../../journal/observation.ts';
import { outside } from '../../journal/topology.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { formatBaseline } from './format-baseline.ts';
import {
  block,
  columnsFor,
  type Line,
  labelled,
  line,
  printLines,
  type ReportOptions,
  wholeLine,
} from './line.ts';

export function formatForeign(shown: SabotagedCommand, options: ReportOptions = {}): string[] {
  const { sabotage, open, leaks } = shown;
  const columns = columnsFor(options);
  const lines = [
    ...formatVacuous(open, columns),
    ...formatStaysGreen(open, columns),
    ...formatLoose(sabotage, columns),
    ...formatUnproven(sabotage.tests, columns),
    ...formatNotRun(sabotage, columns),
    line(''),
    ...formatBaseline<'foreign'>(
      shown,
      ({ test, service, mutant }) => `${test} with ${service} ${mutant}`,
      'shakedown sabotage --live --prune -- …',
      columns,
    ),
    ...block(
      'left behind',
      leaks.map((leak) => wholeLine(`  ${leak}`, 'red')),
    ),
    line(''),
    ...formatSum(shown, columns),
    ...(options.runFolder === undefined ? [] : [wholeLine(`evidence    ${options.runFolder}`)]),
    ...(open.length === 0 ? [] : [wholeLine('to accept   shakedown sabotage --live --accept REASON -- …')]),
  ];
  return printLines(lines, options);
}

export function formatHealthy({ command }: SabotagedCommand['seen'], runs: number): string {
  return `\nhealthy after ${formatDuration(command.durationMs)}; ${runs} mutants to apply`;
}

/** A progress line: `  db dead: 11 fail, 3 stay green`. */
export function formatMutatedRun({ service, mutant, outcome, because, tests }: MutatedRun): string {
  const name = `  ${service} ${mutantText[mutant]}: `;
  if (outcome !== 'judged')
    return `${name}${outcome === 'not-met' ? '' : 'proves nothing, '}${because ?? ''}`;
  const count = (...wanted: readonly string[]): number =>
    Object.values(tests).filter((one) => wanted.includes(one)).length;
  const counts = [
    [count('red'), 'fail'],
    [count('green'), 'stay green'],
    [count('skipped'), 'skip themselves'],
    [count('proves-nothing'), 'prove nothing'],
  ] as const;
  return `${name}${counts
    .filter(([number]) => number > 0)
    .map(([number, words]) => `${number} ${words}`)
    .join(', ')}`;
}

const mostShown = 40;
const mostNamed = 12;

function formatVacuous(open: readonly ForeignFinding[], columns: number): readonly Line[] {
  const found = open.filter(({ kind }) => kind === 'cannot-fail');
  return block(found.length === 1 ? '1 test cannot fail' : `${found.length} tests cannot fail`, [
    ...found.slice(0, mostShown).flatMap((finding) => formatFinding(finding, finding.text, columns)),
    ...more(found.length - mostShown),
  ]);
}

function formatStaysGreen(open: readonly ForeignFinding[], columns: number): readonly Line[] {
  const found = open.filter(({ kind }) => kind === 'stays-green');
  const groups = Map.groupBy(
    found,
    ({ service, mutant }) => `${service} ${mutant === '*' ? '' : mutantText[mutant]}`,
  );
  return [...groups].flatMap(([mutant, group]) =>
    block(`${group.length === 1 ? '1 test stays' : `${group.length} tests stay`} green with ${mutant}`, [
      ...group.slice(0, mostShown).flatMap((finding) => formatFinding(finding, finding.text, columns)),
      ...more(group.length - mostShown),
    ]),
  );
}

function formatFinding(
  { test, file, line: at }: ForeignFinding,
  text: string,
  columns: number,
): readonly Line[] {
  const place = file === undefined ? '' : `  ${file}${at === undefined ? '' : `:${at}`}`;
  return [line(`  ✗ ${test}${place}`, 'red'), ...labelled('      ', text, columns)];
}

/** Tests that other mutants turned red: they may not use the mutated service. */
function formatLoose(
  { tests, runs, findings, unattributed }: ForeignSabotage,
  columns: number,
): readonly Line[] {
  const vital = tests.filter(({ state }) => state === 'vital');
  const lines = runs.flatMap(({ service, mutant, outcome }) => {
    const name = `${service} ${mutant}`;
    const found = findings.filter((finding) => finding.service === service && finding.mutant === mutant);
    const isFound = (id: string): boolean => found.some((finding) => finding.test === id);
    const green =
      outcome === 'judged'
        ? vital.filter(({ id, staysGreen }) => staysGreen.includes(name) && !isFound(id))
        : [];
    const never = green.filter(({ neverTouches }) => neverTouches.includes(name));
    if (green.length === 0) return [];
    const rest = green.filter((test) => !never.includes(test)).map(({ id }) => id);
    const named = rest.slice(0, mostNamed).join(', ');
    const others = rest.length > mostNamed ? ` and ${rest.length - mostNamed} more` : '';
    const parts = [
      ...(rest.length > 0 ? [`${rest.length} may not use it: ${named}${others}`] : []),
      ...(never.length > 0 ? [`${never.length} never touch it`] : []),
    ];
    return labelled(`  ${service} ${mutantText[mutant]}: `, parts.join('; '), columns, 'dim', mostNamed);
  });
  const why =
    unattributed === null
      ? []
      : labelled('  ', `calls cannot be attributed to tests: ${unattributed}`, columns, 'dim');
  return block(
    'stay green, but can fail: other mutants turn them red',
    lines.length === 0 ? [] : [...lines, ...why],
  );
}

function formatUnproven(tests: readonly ForeignTest[], columns: number): readonly Line[] {
  const unproven = tests.filter(({ state }) => state === 'unproven');
  return block('inconclusive: no mutant changed anything that they assert', [
    ...unproven.slice(0, mostShown).flatMap(({ id }) => labelled('  ? ', id, columns, 'yellow')),
    ...more(unproven.length - mostShown),
  ]);
}

function formatNotRun({ notPossible, notCounted }: ForeignSabotage, columns: number): readonly Line[] {
  return [
    ...block(
      'not applied',
      notPossible.flatMap(({ service, mutant, because }) =>
        labelled('  - ', `${service} ${mutantText[mutant]}: ${because}`, columns, 'dim'),
      ),
    ),
    ...block('skipped without a mutant, and not counted', [
      ...notCounted.slice(0, mostShown).flatMap((id) => labelled('  - ', id, columns, 'dim')),
      ...more(notCounted.length - mostShown),
    ]),
  ];
}

function formatSum({ sabotage, seen, exitCode }: SabotagedCommand, columns: number): readonly Line[] {
  const { vitality, vital, checks, mutants, perTest } = sabotage;
  if (mutants === 0) return labelled('', nothingShown(seen), columns, 'red');
  const percent = `${Math.floor(vitality * 100)} %`;
  const what = perTest ? `${vital} of ${checks} tests kill a mutant` : whole(vital);
  return labelled('', `vitality ${percent}: ${what}`, columns, exitCode === 0 ? 'green' : 'bold');
}

function whole(vital: number): string {
  const shown = vital === 1 ? 'the command kills a mutant' : 'the command kills no mutant';
  return `${shown}; for a result per test, let the runner write JUnit to $SHAKEDOWN_JUNIT`;
}

function nothingShown({ edges }: Omit<Observation, 'leaks'>): string {
  return edges.some((edge) => edge.from === outside && isCrossed(edge))
    ? 'inconclusive: no test that had passed met a mutant'
    : 'inconclusive: the command touched nothing of the system';
}

function more(number: number): readonly Line[] {
  return number > 0 ? [line(`  … and ${number} more, all in sabotage.json`, 'dim')] : [];
}
