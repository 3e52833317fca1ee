/** What was observed during a foreign test command, for a person: the command, its tests, the edges, what is wrong. */
import type { RunReason, RunVerdict } from '../../checks/verdict.ts';
import {
  type EdgeTraffic,
  isCrossed,
  type Observation,
  type ObservedTest,
} from '../../journal/observation.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { formatSize } from '../../kernel/size.ts';
import { padText, widthOf } from './fit-text.ts';
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
import { storyLimits } from './story-limits.ts';

export function formatObservation(
  seen: Observation,
  verdict: RunVerdict,
  options: ReportOptions = {},
): string[] {
  const columns = columnsFor(options);
  const lines = [
    ...formatCommand(seen, columns),
    ...formatTests(seen, columns),
    ...formatEdges(seen, columns),
    ...formatUntapped(seen, columns),
    ...formatRest(seen, columns),
    ...formatReasons(verdict, columns),
    line(''),
    ...(options.runFolder === undefined ? [] : [wholeLine(`evidence    ${options.runFolder}`)]),
    ...(verdict.exitCode === 0 ? [] : [wholeLine(`see again   ${verdict.trials[0]?.repro ?? ''}`)]),
  ];
  return printLines(lines, options);
}

function formatCommand({ command }: Observation, columns: number): readonly Line[] {
  const { argv, exitCode, signal, timedOut, durationMs } = command;
  const how = timedOut
    ? 'did not end'
    : signal === null
      ? `ended with ${exitCode}`
      : `was ended by ${signal}`;
  const isGood = exitCode === 0 && !timedOut;
  return labelled(
    '',
    `${argv.join(' ')} ${how} after ${formatDuration(durationMs)}`,
    columns,
    isGood ? 'green' : 'red',
  );
}

function formatTests({ tests, junit, attribution }: Observation, columns: number): readonly Line[] {
  if (tests.length === 0) {
    const why = junit.asked || junit.files.length > 0 ? 'the report contains no test' : noReport;
    return labelled('tests       ', why, columns, 'dim');
  }
  const of = (outcome: ObservedTest['outcome']): readonly ObservedTest[] =>
    tests.filter((test) => test.outcome === outcome);
  const failed = of('failed');
  const counts = (['passed', 'failed', 'skipped'] as const)
    .filter((outcome) => of(outcome).length > 0)
    .map((outcome) => `${of(outcome).length} ${outcome}`);
  return [
    line(`tests       ${tests.length} in the report: ${counts.join(', ')}`),
    ...failed.slice(0, storyLimits.reasons).flatMap((test) => formatFailed(test, columns)),
    ...more(failed.length - storyLimits.reasons, 'failed'),
    ...labelled('whose calls ', attributed(attribution, tests), columns, 'dim'),
  ];
}

const noReport =
  'nothing is known of single tests: let the runner write JUnit to $SHAKEDOWN_JUNIT, or name it with --junit';

function formatFailed({ id, file, line: at, message }: ObservedTest, columns: number): readonly Line[] {
  const place = file === undefined ? '' : ` (${file}${at === undefined ? '' : `:${at}`})`;
  return labelled('  ✗ ', `${id}${place}: ${message ?? 'the runner gives no reason'}`, columns, 'red');
}

function attributed({ by, because }: Observation['attribution'], tests: readonly ObservedTest[]): string {
  if (by === null) return `calls cannot be attributed to tests: ${because}`;
  const ran = tests.filter(({ outcome }) => outcome !== 'skipped');
  const idle = ran.filter(
    ({ touches, mayTouch }) => touches && Object.keys(touches).length + (mayTouch?.length ?? 0) === 0,
  );
  const names = idle.slice(0, storyLimits.reasons).map(({ id }) => id);
  const rest = idle.length > names.length ? ` and ${idle.length - names.length} more` : '';
  return idle.length === 0 ? because : `${because}; nothing was called in ${names.join(', ')}${rest}`;
}

function formatEdges({ edges }: Observation, columns: number): readonly Line[] {
  const crossed = edges.filter(isCrossed);
  const idle = edges.filter((edge) => !isCrossed(edge)).map(nameOf);
  const width = Math.max(0, ...crossed.map((edge) => widthOf(nameOf(edge))));
  return [
    line(''),
    line('edges', 'bold'),
    ...crossed.map((edge) =>
      line(`  ${padText(nameOf(edge), width)}  ${trafficOf(edge)}`, edge.errors > 0 ? 'yellow' : undefined),
    ),
    ...(idle.length === 0 ? [] : labelled('  never crossed: ', idle.join(', '), columns, 'dim')),
  ];
}

function nameOf({ from, to }: EdgeTraffic): string {
  return `${from} -> ${to}`;
}

function trafficOf({
  calls,
  errors,
  statuses,
  connections,
  refused,
  bytesSent,
  bytesReceived,
  isWatched,
}: EdgeTraffic): string {
  const answers = Object.entries(statuses).map(([status, count]) => `${status} ×${count}`);
  const shown = [
    ...(isWatched ? [count(calls, 'call')] : [count(connections, 'new connection')]),
    ...(isWatched ? answers : [`${formatSize(bytesSent)} out, ${formatSize(bytesReceived)} back`]),
    ...(errors === 0 ? [] : [count(errors, 'error')]),
    ...(refused === 0 ? [] : [`${refused} refused`]),
  ];
  return shown.join(', ');
}

function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}

function formatUntapped({ untapped }: Observation, columns: number): readonly Line[] {
  return block(
    'connections that no tap can observe',
    untapped.flatMap(({ from, address, where, because }) =>
      labelled('  ', `${from} -> ${address} (${where}): ${because}`, columns, 'dim'),
    ),
  );
}

function formatRest({ errorLines, unscripted, strays }: Observation, columns: number): readonly Line[] {
  const list = (texts: readonly string[]): readonly Line[] => [
    ...texts.slice(0, storyLimits.reasons).flatMap((text) => labelled('  ', text, columns)),
    ...more(texts.length - storyLimits.reasons, ''),
  ];
  return [
    ...block('new error lines', list(errorLines.map(({ service, text }) => `${service} ! ${text}`))),
    ...block('requests without a declared answer', list(unscripted)),
    ...block('outlived the command, and was ended', list(strays)),
  ];
}

function formatReasons({ reasons, exitCode }: RunVerdict, columns: number): readonly Line[] {
  if (reasons.length === 0) return [];
  return block(`Exit code ${exitCode}`, [
    ...reasons.slice(0, storyLimits.reasons).flatMap((reason) => formatReason(reason, columns)),
    ...more(reasons.length - storyLimits.reasons, ''),
  ]);
}

function formatReason({ exitCode, text }: RunReason, columns: number): readonly Line[] {
  return labelled(`  ${exitCode}  `, text, columns, 'red');
}

function more(number: number, what: string): readonly Line[] {
  return number > 0 ? [line(`  … and ${number} more ${what}`.trimEnd(), 'dim')] : [];
}
