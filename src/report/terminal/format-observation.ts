/** What was observed during a foreign test command, for a person: the command, its tests, the edges, what is wrong. */
import type { RunReason, RunVerdict } from '../../checks/verdict.ts';
import {
  type EdgeTraffic,
  isCrossed,
  type Observation,
  type ObservedTest,
} from '../../journal/observation.ts';
import { counted, firstNames } from '../../kernel/counted.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { edgeOf } from '../../kernel/edge-name.ts';
import { formatSize } from '../../kernel/size.ts';
import { padText, widthOf } from './fit-text.ts';
import {
  andMore,
  block,
  firstOf,
  item,
  type Line,
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
  const lines = [
    formatCommand(seen),
    ...formatTests(seen),
    ...formatEdges(seen),
    ...formatUntapped(seen),
    ...formatRest(seen),
    ...formatReasons(verdict),
    line(''),
    ...(options.runFolder === undefined ? [] : [wholeLine(`evidence    ${options.runFolder}`)]),
    ...(verdict.exitCode === 0 ? [] : [wholeLine(`see again   ${verdict.trials[0]?.repro ?? ''}`)]),
  ];
  return printLines(lines, options);
}

function formatCommand({ command }: Observation): Line {
  const { argv, exitCode, signal, timedOut, durationMs } = command;
  const how = timedOut
    ? 'did not end'
    : signal === null
      ? `ended with ${exitCode}`
      : `was ended by ${signal}`;
  const isGood = exitCode === 0 && !timedOut;
  const text = `${argv.join(' ')} ${how} after ${formatDuration(durationMs)}`;
  return item('', text, isGood ? 'green' : 'red');
}

function formatTests({ tests, junit, attribution }: Observation): readonly Line[] {
  if (tests.length === 0) {
    const why = junit.asked || junit.files.length > 0 ? 'the report contains no test' : noReport;
    return [item('tests       ', why, 'dim')];
  }
  const of = (outcome: ObservedTest['outcome']): readonly ObservedTest[] =>
    tests.filter((test) => test.outcome === outcome);
  const failed = of('failed');
  const counts = (['passed', 'failed', 'skipped'] as const)
    .filter((outcome) => of(outcome).length > 0)
    .map((outcome) => `${of(outcome).length} ${outcome}`);
  return [
    line(`tests       ${tests.length} in the report: ${counts.join(', ')}`),
    ...firstOf(failed, storyLimits.reasons, formatFailed, andMore('  ', ' failed')),
    item('whose calls ', attributed(attribution, tests), 'dim'),
  ];
}

const noReport =
  'nothing is known of single tests: let the runner write JUnit to $SHAKEDOWN_JUNIT, or name it with --junit';

function formatFailed({ id, file, line: at, message }: ObservedTest): Line {
  const place = file === undefined ? '' : ` (${file}${at === undefined ? '' : `:${at}`})`;
  return item('  ✗ ', `${id}${place}: ${message ?? 'the runner gives no reason'}`, 'red');
}

function attributed({ by, because }: Observation['attribution'], tests: readonly ObservedTest[]): string {
  if (by === null) return `calls cannot be attributed to tests: ${because}`;
  const ran = tests.filter(({ outcome }) => outcome !== 'skipped');
  const idle = ran.filter(
    ({ touches, mayTouch }) => touches && Object.keys(touches).length + (mayTouch?.length ?? 0) === 0,
  );
  if (idle.length === 0) return because;
  const names = idle.map(({ id }) => id);
  return `${because}; nothing was called in ${firstNames(names, storyLimits.reasons)}`;
}

function formatEdges({ edges }: Observation): readonly Line[] {
  const crossed = edges.filter(isCrossed);
  const idle = edges.filter((edge) => !isCrossed(edge)).map(edgeOf);
  const width = Math.max(0, ...crossed.map((edge) => widthOf(edgeOf(edge))));
  return [
    line(''),
    line('edges', 'bold'),
    ...crossed.map((edge) =>
      line(`  ${padText(edgeOf(edge), width)}  ${trafficOf(edge)}`, edge.errors > 0 ? 'yellow' : undefined),
    ),
    ...(idle.length === 0 ? [] : [item('  never crossed: ', idle.join(', '), 'dim')]),
  ];
}

function trafficOf(edge: EdgeTraffic): string {
  const { calls, errors, statuses, connections, refused, bytesSent, bytesReceived, isWatched } = edge;
  const answers = Object.entries(statuses).map(([status, count]) => `${status} ×${count}`);
  const shown = [
    ...(isWatched ? [counted(calls, 'call')] : [counted(connections, 'new connection')]),
    ...(isWatched ? answers : [`${formatSize(bytesSent)} out, ${formatSize(bytesReceived)} back`]),
    ...(errors === 0 ? [] : [counted(errors, 'error')]),
    ...(refused === 0 ? [] : [`${refused} refused`]),
  ];
  return shown.join(', ');
}

function formatUntapped({ untapped }: Observation): readonly Line[] {
  return block(
    'connections that no tap can observe',
    untapped.map(({ from, address, where, because }) =>
      item('  ', `${from} -> ${address} (${where}): ${because}`, 'dim'),
    ),
  );
}

function formatRest({ errorLines, unscripted, strays }: Observation): readonly Line[] {
  const list = (texts: readonly string[]): readonly Line[] =>
    firstOf(texts, storyLimits.reasons, (text) => item('  ', text), andMore('  '));
  return [
    ...block('new error lines', list(errorLines.map(({ service, text }) => `${service} ! ${text}`))),
    ...block('requests without a declared answer', list(unscripted)),
    ...block('outlived the command, and was ended', list(strays)),
  ];
}

function formatReasons({ reasons, exitCode }: RunVerdict): readonly Line[] {
  const draw = (reason: RunReason): Line => item(`  ${reason.exitCode}  `, reason.text, 'red');
  return block(`Exit code ${exitCode}`, firstOf(reasons, storyLimits.reasons, draw, andMore('  ')));
}
