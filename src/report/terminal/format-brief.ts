/** A trial that did not pass, on one screen: what broke, expected and observed, who is to blame, what to type next. */
import type { Blame } from '../../checks/blame/blame.ts';
import type { CheckVerdict, TrialVerdict } from '../../checks/verdict.ts';
import { type AttemptEvent, eventsOf } from '../../journal/trial-event.ts';
import { counted } from '../../kernel/counted.ts';
import { edgeOf } from '../../kernel/edge-name.ts';
import { shellWord } from '../../kernel/shell-word.ts';
import type { Mismatch } from '../../patterns/match-result.ts';
import { formatUnknown } from './format-checks.ts';
import { formatDeaths, gatedErrors } from './format-logs.ts';
import { formatExcuse } from './format-quarantine.ts';
import { formatEvidence } from './format-steps.ts';
import {
  andMore,
  columnsFor,
  firstOf,
  item,
  type Line,
  line,
  type ReportOptions,
  wholeLine,
  wrapLines,
} from './line.ts';
import { briefLimits } from './story-limits.ts';

export function formatBrief(
  verdict: TrialVerdict,
  events: readonly AttemptEvent[],
  options: ReportOptions,
): readonly Line[] {
  const columns = columnsFor(options);
  const { title, file, line: at, id, repro, blame } = verdict;
  const broke = wrapLines(whatBroke(verdict, events, columns), columns);
  const run = options.runFolder?.split('/').at(-1) ?? 'latest';
  return [
    ...(title === undefined ? [] : [item('  ', title, undefined, 2)]),
    line(`  ${file}:${at}`, 'dim'),
    ...formatExcuse(verdict),
    line(''),
    ...firstOf(
      broke,
      // A line that says there is one more is no shorter.
      broke.length === briefLimits.broke + 1 ? broke.length : briefLimits.broke,
      (one) => one,
      (left) => line(`  … ${counted(left, 'more line')}`, 'dim'),
    ),
    ...(broke.length > 0 ? [line('')] : []),
    ...formatParty(blame),
    wholeLine(`${label('again')}${repro}`, 'cyan'),
    wholeLine(`${label('more')}shakedown report ${run} ${shellWord(id)} --verbose`, 'cyan'),
    line(''),
  ];
}

/** The cause first, so that whatever is cut is a consequence. */
function whatBroke(
  { checks, faults, cause }: TrialVerdict,
  events: readonly AttemptEvent[],
  columns: number,
): readonly Line[] {
  const deaths = drawDeaths(events);
  const errors = drawErrors(events, checks);
  const isShown = ({ id }: CheckVerdict): boolean =>
    (id === 'processes' && deaths.length > 0) || (id === 'logs' && errors.length > 0);
  const broken = checks.filter((check) => isBroken(check) && !isShown(check));
  const isCause = ({ observed }: CheckVerdict): number => (cause?.text.includes(observed) ? 0 : 1);
  const failed = broken.toSorted((a, b) => isCause(a) - isCause(b));
  const isAlone = failed.length + deaths.length + errors.length === 0;
  const unknown = isAlone ? formatUnknown(checks, '  ') : [];
  // The headline, or what is unknown, says the same.
  const apart = faults.filter(({ kind, text }) => text !== cause?.text && !(isAlone && kind === 'unknown'));
  const shown = failed.slice(0, briefLimits.checks);
  const others = failed.slice(briefLimits.checks).map(({ id }) => id);
  return [
    ...deaths,
    ...(deaths.length > 0 ? errors : []),
    ...drawFailedSteps(events, checks),
    ...shown.flatMap((check) => drawCheck(check, shown, events, columns)),
    ...(others.length > 0 ? [item('  ✗ ', `and ${others.length} more: ${others.join(', ')}`, 'red', 1)] : []),
    ...(deaths.length > 0 ? [] : errors),
    ...unknown,
    ...firstOf(apart, briefLimits.faults, ({ text }) => item('  ! ', text, 'yellow', 2), andMore('  ')),
    ...drawDisturbances(events),
  ];
}

function isBroken({ verdict }: CheckVerdict): boolean {
  return verdict === 'failed' || verdict === 'unstable';
}

/** With what the process said last: usually why. */
function drawDeaths(events: readonly AttemptEvent[]): readonly Line[] {
  const dead = eventsOf(events, 'node.exited').filter(({ expected }) => !expected);
  const died = formatDeaths(events).map(({ text }) => item('  ✗ ', text.trim(), 'red', 1));
  const [first] = dead;
  const saying = first ? lastWords(first.name, events) : [];
  return [...died.slice(0, briefLimits.deaths), ...saying.map((text) => line(`      | ${text}`, 'dim'))];
}

/** Nothing where its error lines are shown anyway. */
function lastWords(service: string, events: readonly AttemptEvent[]): readonly string[] {
  if (eventsOf(events, 'log.error').some((one) => one.service === service)) return [];
  const tail = eventsOf(events, 'log.tail').find((one) => one.service === service)?.lines ?? [];
  const lines = tail.filter((text) => /\w{3}/.test(text) && !text.startsWith('Node.js v'));
  const complaint = lines.findLastIndex((text) => complaints.test(text));
  return complaint < 0 ? lines.slice(-briefLimits.logLines) : lines.slice(complaint, complaint + 1);
}

/** What a runtime says when it gives up; not a line of the stack below it. */
const complaints = /^(?!\s).*(?:error|exception|fault|fatal|panic|abort)\w*\b/i;

/** New lines of a log for which the trial fails. */
function drawErrors(events: readonly AttemptEvent[], checks: readonly CheckVerdict[]): readonly Line[] {
  return firstOf(
    gatedErrors(events, checks),
    briefLimits.logLines,
    ({ service, text, raisedAt }) => [
      item('  ✗ ', `new error line of ${service}: ${text}`, 'red', 2),
      ...(raisedAt === undefined ? [] : [wholeLine(`      at ${raisedAt}`, 'red')]),
    ],
    andMore('    ', ' error lines'),
  );
}

/** Steps that failed without a check that says so, and how the attempt ended. */
function drawFailedSteps(events: readonly AttemptEvent[], checks: readonly CheckVerdict[]): readonly Line[] {
  const judged = new Set(checks.filter(isBroken).map(({ id }) => id));
  return eventsOf(events, 'step.ended').flatMap(({ step, outcome, because }) => {
    if (outcome === 'done' || judged.has(`step ${step}`)) return [];
    return [item('  ✗ ', `step ${step}${actionOf(step, events)}: ${because ?? outcome}`, 'red', 2)];
  });
}

function actionOf(step: string, events: readonly AttemptEvent[]): string {
  const started = eventsOf(events, 'step.started').find((event) => event.step === step);
  return started === undefined ? '' : ` (${started.action})`;
}

/** The first in more detail: the others are usually consequences. */
function drawCheck(
  check: CheckVerdict,
  shown: readonly CheckVerdict[],
  events: readonly AttemptEvent[],
  columns: number,
): readonly Line[] {
  const { id, title, line: at } = check;
  const about = id.startsWith('step ') ? actionOf(id.slice('step '.length), events) : '';
  const name = `${id}${about} (line ${at})`;
  const because = followsFrom(check, shown);
  if (because !== undefined) return [item('  ✗ ', `${name}: ${because}`, 'red', 2)];
  const { path, expected, observed } = firstDifference(check);
  const isFirst = check === shown[0];
  const mostLines = isFirst ? 3 : 1;
  return [
    item('  ✗ ', title === undefined ? name : `${name}: ${title}`, 'red', 1),
    ...(path === '$' ? [] : [item(part('at'), path, undefined, 1)]),
    item(part('expected'), expected || 'nothing', 'green', mostLines),
    item(part('observed'), observed || 'nothing', 'red', mostLines),
    ...(isFirst ? [...drawAnswer(check, path, events, columns), ...why(check, path)] : []),
  ];
}

/** Of a choice, where its first alternative differs. */
function firstDifference(check: CheckVerdict): Pick<Mismatch, 'path' | 'expected' | 'observed'> {
  const [first = { ...check, path: '$' }, ...others] = check.mismatches ?? [];
  const isChoice = first.expected.startsWith('one of: ');
  return (isChoice ? others.find(({ path }) => path.startsWith(first.path)) : undefined) ?? first;
}

/** It failed only since another one did, which is shown in full. */
function followsFrom({ observed }: CheckVerdict, shown: readonly CheckVerdict[]): string | undefined {
  const [, before, id] = /^(.*?`([^`]+)` failed): /.exec(observed) ?? [];
  return shown.some((one) => one.id === id) ? before : undefined;
}

/** The answer of which a part differs. */
function drawAnswer(
  { evidence, observed }: CheckVerdict,
  path: string,
  events: readonly AttemptEvent[],
  columns: number,
): readonly Line[] {
  const answer = eventsOf(events, 'step.ended').find(({ seq }) => evidence.includes(seq));
  if (!answer || path === '$') return [];
  const text = formatEvidence(answer.evidence, 2 * (columns - part('').length));
  return text.endsWith(observed) ? [] : [item(part('answer'), text, 'dim', 2)];
}

/** Other words about it than the difference and the time: how long a wait was, what a step could not do, further places. */
function why(
  { expected, observed, explanation = '', mismatches = [] }: CheckVerdict,
  at: string,
): readonly Line[] {
  const also = mismatches.slice(1).flatMap(({ path }) => (path === at ? [] : [path]));
  const rest = explanation
    .split('\n')
    .filter((text) => !/^(?:expected|observed|at) {2}|^(?:seen )?at \d|^$/.test(text))
    .map((text) => text.replace(/; the last value seen: .*$/, ''))
    .filter((text) => text !== expected && !observed.includes(text));
  // Of two texts over several lines: those that differ, without the ones around them.
  const changed = ['-', '+'].flatMap((sign) =>
    rest.filter((text) => text.startsWith(`${sign} `)).slice(0, briefLimits.changed),
  );
  const words = rest.filter((text) => !/^[-+ ] /.test(text));
  return [
    ...(also.length > 0 ? [item(part('also at'), also.join(', '), 'dim', 1)] : []),
    ...changed.map((text) => item(part(''), text, undefined, 1)),
    ...words.slice(0, 1).map((text) => item(part(''), text, 'dim', 2)),
  ];
}

function drawDisturbances(events: readonly AttemptEvent[]): readonly Line[] {
  const felt = eventsOf(events, 'disturbance.felt');
  const [first] = felt;
  if (!first) return [];
  const more = felt.length > 1 ? `, and ${felt.length - 1} more` : '';
  return [item('    ', `the trial disturbed ${edgeOf(first)}: ${first.what}${more}`, 'yellow', 1)];
}

function formatParty(blame: Blame | null): readonly Line[] {
  if (!blame) return [];
  const { party, suspect, because } = blame;
  if (party !== null) return [item(label('to blame'), `${party}${edgeIn(blame)}: ${because}`, 'red', 2)];
  if (suspect !== undefined)
    return [item(label('suspect'), `${suspect}${edgeIn(blame)}, not proven: ${because}`, 'yellow', 2)];
  return [item(label('to blame'), `not known: ${because}`, 'yellow', 3)];
}

function edgeIn({ edge, edgeUnsaid }: Blame): string {
  return edge === undefined || !edgeUnsaid ? '' : ` (${edge})`;
}

function label(text: string): string {
  return `  ${text.padEnd(10)}`;
}

function part(text: string): string {
  return `      ${text.padEnd(10)}`;
}
