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
import { counted, firstNames } from '../../kernel/counted.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { formatBaseline } from './format-baseline.ts';
import {
  andMore,
  block,
  firstOf,
  formatLeaks,
  item,
  type Line,
  line,
  printLines,
  type ReportOptions,
  wholeLine,
} from './line.ts';

export function formatForeign(shown: SabotagedCommand, options: ReportOptions = {}): string[] {
  const { sabotage, open, leaks } = shown;
  const lines = [
    ...formatVacuous(open),
    ...formatStaysGreen(open),
    ...formatLoose(sabotage),
    ...formatUnproven(sabotage.tests),
    ...formatNotRun(sabotage),
    line(''),
    ...formatBaseline<'foreign'>(
      shown,
      ({ test, service, mutant }) => `${test} with ${service} ${mutant}`,
      'shakedown sabotage --live --prune -- …',
    ),
    ...formatLeaks('left behind', leaks),
    line(''),
    formatSum(shown),
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
  const counts = Object.entries(outcomes)
    .map(([outcome, words]) => ({
      words,
      count: Object.values(tests).filter((one) => one === outcome).length,
    }))
    .filter(({ count }) => count > 0);
  return `${name}${counts.map(({ count, words }) => `${count} ${words}`).join(', ')}`;
}

const outcomes = {
  red: 'fail',
  green: 'stay green',
  skipped: 'skip themselves',
  'proves-nothing': 'prove nothing',
} as const;

const mostShown = 40;
const mostNamed = 12;
const more = andMore('  ', ', all in sabotage.json');

function formatVacuous(open: readonly ForeignFinding[]): readonly Line[] {
  const found = open.filter(({ kind }) => kind === 'cannot-fail');
  return block(
    `${counted(found.length, 'test')} cannot fail`,
    firstOf(found, mostShown, formatFinding, more),
  );
}

function formatStaysGreen(open: readonly ForeignFinding[]): readonly Line[] {
  const found = open.filter(({ kind }) => kind === 'stays-green');
  const groups = Map.groupBy(
    found,
    ({ service, mutant }) => `${service} ${mutant === '*' ? '' : mutantText[mutant]}`,
  );
  return [...groups].flatMap(([mutant, group]) =>
    block(
      `${group.length === 1 ? '1 test stays' : `${group.length} tests stay`} green with ${mutant}`,
      firstOf(group, mostShown, formatFinding, more),
    ),
  );
}

function formatFinding({ test, file, line: at, text }: ForeignFinding): readonly Line[] {
  const place = file === undefined ? '' : `  ${file}${at === undefined ? '' : `:${at}`}`;
  return [line(`  ✗ ${test}${place}`, 'red'), item('      ', text)];
}

/** Tests that other mutants turned red: they may not use the mutated service. */
function formatLoose({ tests, runs, findings, unattributed }: ForeignSabotage): readonly Line[] {
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
    const parts = [
      ...(rest.length > 0 ? [`${rest.length} may not use it: ${firstNames(rest, mostNamed)}`] : []),
      ...(never.length > 0 ? [`${never.length} never touch it`] : []),
    ];
    return [item(`  ${service} ${mutantText[mutant]}: `, parts.join('; '), 'dim', mostNamed)];
  });
  if (lines.length === 0) return [];
  return block('stay green, but can fail: other mutants turn them red', [
    ...lines,
    ...(unattributed === null
      ? []
      : [item('  ', `calls cannot be attributed to tests: ${unattributed}`, 'dim')]),
  ]);
}

function formatUnproven(tests: readonly ForeignTest[]): readonly Line[] {
  const unproven = tests.filter(({ state }) => state === 'unproven');
  const lines = firstOf(unproven, mostShown, ({ id }) => item('  ? ', id, 'yellow'), more);
  return block('inconclusive: no mutant changed anything that they assert', lines);
}

function formatNotRun({ notPossible, notCounted }: ForeignSabotage): readonly Line[] {
  const notApplied = notPossible.map(({ service, mutant, because }) =>
    item('  - ', `${service} ${mutantText[mutant]}: ${because}`, 'dim'),
  );
  const skipped = firstOf(notCounted, mostShown, (id) => item('  - ', id, 'dim'), more);
  return [
    ...block('not applied', notApplied),
    ...block('skipped without a mutant, and not counted', skipped),
  ];
}

function formatSum({ sabotage, seen, exitCode }: SabotagedCommand): Line {
  const { vitality, vital, checks, mutants, perTest } = sabotage;
  if (mutants === 0) return item('', nothingShown(seen), 'red');
  const percent = `${Math.floor(vitality * 100)} %`;
  const what = perTest ? `${vital} of ${checks} tests kill a mutant` : whole(vital);
  return item('', `vitality ${percent}: ${what}`, exitCode === 0 ? 'green' : 'bold');
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
