/** What live sabotage of somebody else's tests has shown, as a person reads it. */
import type { AcceptedFinding, Held } from '../../campaigns/sabotage/baseline.ts';
import type {
  ForeignFinding,
  ForeignSabotage,
  ForeignTest,
  LiedRun,
} from '../../campaigns/sabotage/foreign/foreign-sabotage.ts';
import { lieWords } from '../../campaigns/sabotage/live/sabotage-live.ts';
import { outside } from '../../environment/wiring/edges.ts';
import { isCrossed, type Observation } from '../../journal/observation.ts';
import type { ExitCode } from '../../kernel/exit-codes.ts';
import {
  columnsFor,
  type Line,
  labelled,
  line,
  printLines,
  type ReportOptions,
  wholeLine,
} from '../../report/terminal/line.ts';

export interface ForeignTold extends Held<'foreign', ForeignFinding> {
  readonly sabotage: ForeignSabotage;
  readonly seen: Omit<Observation, 'leaks'>;
  readonly leaks: readonly string[];
  readonly exitCode: ExitCode;
}

export function tellForeign(told: ForeignTold, options: ReportOptions = {}): string[] {
  const { sabotage, open, accepted, stale, leaks } = told;
  const columns = columnsFor(options);
  const lines = [
    ...tellVacuous(open, columns),
    ...tellStaysGreen(open, columns),
    ...tellLoose(sabotage, columns),
    ...tellUnproven(sabotage.tests, columns),
    ...tellUntold(sabotage, columns),
    ...tellAccepted(accepted, stale, columns),
    ...block(
      'left behind',
      leaks.map((leak) => wholeLine(`  ${leak}`, 'red')),
    ),
    line(''),
    ...tellSum(told, columns),
    ...(options.runFolder === undefined ? [] : [wholeLine(`evidence    ${options.runFolder}`)]),
    ...(open.length === 0 ? [] : [wholeLine('to accept   shakedown sabotage --live --accept REASON -- …')]),
  ];
  return printLines(lines, options);
}

/** One line while it goes on: `  db dead: 11 notice, 3 stay green`. */
export function tellLiedRun({ service, lie, outcome, because, tests }: LiedRun): string {
  const name = `  ${service} ${lieWords[lie]}: `;
  if (outcome !== 'judged')
    return `${name}${outcome === 'not-met' ? '' : 'proves nothing, '}${because ?? ''}`;
  const count = (...wanted: readonly string[]): number =>
    Object.values(tests).filter((one) => wanted.includes(one)).length;
  const counts = [
    [count('red'), 'notice'],
    [count('green'), 'stay green'],
    [count('skipped'), 'skip themselves'],
    [count('proves-nothing'), 'prove nothing'],
  ] as const;
  return `${name}${counts
    .filter(([number]) => number > 0)
    .map(([number, words]) => `${number} ${words}`)
    .join(', ')}`;
}

const mostTold = 40;
const mostNamed = 12;

function tellVacuous(open: readonly ForeignFinding[], columns: number): readonly Line[] {
  const found = open.filter(({ kind }) => kind === 'cannot-fail');
  return block(found.length === 1 ? '1 test cannot fail' : `${found.length} tests cannot fail`, [
    ...found.slice(0, mostTold).flatMap((finding) => tellFinding(finding, finding.text, columns)),
    ...more(found.length - mostTold),
  ]);
}

function tellStaysGreen(open: readonly ForeignFinding[], columns: number): readonly Line[] {
  const found = open.filter(({ kind }) => kind === 'stays-green');
  const groups = Map.groupBy(found, ({ service, lie }) => `${service} ${lie === '*' ? '' : lieWords[lie]}`);
  return [...groups].flatMap(([lie, group]) =>
    block(`${group.length === 1 ? '1 test stays' : `${group.length} tests stay`} green with ${lie}`, [
      ...group.slice(0, mostTold).flatMap((finding) => tellFinding(finding, finding.text, columns)),
      ...more(group.length - mostTold),
    ]),
  );
}

function tellFinding(
  { test, file, line: at }: ForeignFinding,
  text: string,
  columns: number,
): readonly Line[] {
  const place = file === undefined ? '' : `  ${file}${at === undefined ? '' : `:${at}`}`;
  return [line(`  ✗ ${test}${place}`, 'red'), ...labelled('      ', text, columns)];
}

/** Those that other lies turned red: maybe they do not use the one who lied. */
function tellLoose(
  { tests, lies, findings, unattributed }: ForeignSabotage,
  columns: number,
): readonly Line[] {
  const vital = tests.filter(({ state }) => state === 'vital');
  const lines = lies.flatMap(({ service, lie, outcome }) => {
    const name = `${service} ${lie}`;
    const found = findings.filter((finding) => finding.service === service && finding.lie === lie);
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
    return labelled(`  ${service} ${lieWords[lie]}: `, parts.join('; '), columns, 'dim', mostNamed);
  });
  const why =
    unattributed === null
      ? []
      : labelled('  ', `calls cannot be told apart by test: ${unattributed}`, columns, 'dim');
  return block(
    'stay green, and are alive: other lies turn them red',
    lines.length === 0 ? [] : [...lines, ...why],
  );
}

function tellUnproven(tests: readonly ForeignTest[], columns: number): readonly Line[] {
  const unproven = tests.filter(({ state }) => state === 'unproven');
  return block('not shown either way: no lie asked anything that they assert', [
    ...unproven.slice(0, mostTold).flatMap(({ id }) => labelled('  ? ', id, columns, 'yellow')),
    ...more(unproven.length - mostTold),
  ]);
}

function tellUntold({ notPossible, notCounted }: ForeignSabotage, columns: number): readonly Line[] {
  return [
    ...block(
      'not told',
      notPossible.flatMap(({ service, lie, because }) =>
        labelled('  - ', `${service} ${lieWords[lie]}: ${because}`, columns, 'dim'),
      ),
    ),
    ...block('skipped when nobody lied, and not counted', [
      ...notCounted.slice(0, mostTold).flatMap((id) => labelled('  - ', id, columns, 'dim')),
      ...more(notCounted.length - mostTold),
    ]),
  ];
}

function tellAccepted(
  accepted: readonly (ForeignFinding & { readonly reason: string })[],
  stale: readonly AcceptedFinding<'foreign'>[],
  columns: number,
): readonly Line[] {
  return [
    ...block(
      'accepted for now',
      accepted.flatMap(({ test, service, lie, reason }) =>
        labelled('  · ', `${test} with ${service} ${lie}: ${reason}`, columns, 'dim'),
      ),
    ),
    ...block(
      'accepted once, and no finding any more: shakedown sabotage --live --prune -- …',
      stale.flatMap(({ test, service, lie }) =>
        labelled('  ✗ ', `${test} with ${service} ${lie}`, columns, 'red'),
      ),
    ),
  ];
}

function tellSum({ sabotage, seen, exitCode }: ForeignTold, columns: number): readonly Line[] {
  const { vitality, vital, checks, mutants, perTest } = sabotage;
  if (mutants === 0) return labelled('', nothingShown(seen), columns, 'red');
  const percent = `${Math.floor(vitality * 100)} %`;
  const what = perTest ? `${vital} of ${checks} tests notice some lie` : whole(vital);
  return labelled('', `vitality ${percent}: ${what}`, columns, exitCode === 0 ? 'green' : 'bold');
}

function whole(vital: number): string {
  const told = vital === 1 ? 'the command notices some lie' : 'the command notices no lie';
  return `${told}; to hear it of single tests, let the runner write JUnit to $SHAKEDOWN_JUNIT`;
}

function nothingShown({ edges }: Omit<Observation, 'leaks'>): string {
  return edges.some((edge) => edge.from === outside && isCrossed(edge))
    ? 'nothing was shown: no lie was met by a test that had passed'
    : 'nothing was shown: the command touched nothing of the system';
}

function more(number: number): readonly Line[] {
  return number > 0 ? [line(`  … and ${number} more, all in sabotage.json`, 'dim')] : [];
}

function block(heading: string, lines: readonly Line[]): readonly Line[] {
  return lines.length === 0 ? [] : [line(''), line(heading, 'bold'), ...lines];
}
