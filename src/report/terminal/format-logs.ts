/** Processes that died, and the logs of the services involved in the failure. */
import type { CheckVerdict } from '../../checks/verdict.ts';
import { type AttemptEvent, type EventOf, eventsOf } from '../../journal/trial-event.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { declaredIn } from './attempt-parts.ts';
import { callOutcome } from './call-outcome.ts';
import { firstOf, type Line, labelled, line, wholeLine } from './line.ts';
import { storyLimits } from './story-limits.ts';

export function formatDeaths(events: readonly AttemptEvent[]): readonly Line[] {
  return eventsOf(events, 'node.exited')
    .filter(({ expected }) => !expected)
    .map(({ kind, name, code, signal, at }) => {
      const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
      return line(`    ${kind} ${name} ended by itself after ${formatDuration(at)}, ${how}`, 'red');
    });
}

export function formatLogs(
  events: readonly AttemptEvent[],
  checks: readonly CheckVerdict[],
  columns: number,
  expected: readonly number[] = [],
): readonly Line[] {
  const failed = checks.filter(({ verdict }) => verdict === 'failed');
  const gate = failed.find(({ id }) => id === 'logs');
  const errors = gatedErrors(events, checks);
  const bad = new Set(errors.map(({ text }) => text));
  const { shown, others } = chooseTails(events, failed, expected);
  const inTails = new Set(shown.flatMap(({ lines }) => lines));
  const apart = errors.filter(({ text }) => !inTails.has(text));
  const advice = gate && errors.length > 0 ? gate.explanation?.split('\n').at(-1) : undefined;
  return [
    ...firstOf(
      apart,
      storyLimits.errorLines,
      ({ service, text, raisedAt }) => [
        line(`    ${service} ! ${text}`, 'red'),
        ...(raisedAt === undefined ? [] : [wholeLine(`      at ${raisedAt}`, 'red')]),
      ],
      (left) => line(`    … and ${left} more error lines`, 'red'),
    ),
    ...shown.flatMap(({ service, lines }) => [
      line(`    the last lines of ${service}:`),
      ...lines.map((text) =>
        bad.has(text) ? line(`      ! ${text}`, 'red') : line(`      | ${text}`, 'dim'),
      ),
    ]),
    ...(others.length > 0 ? labelled('    ', `not shown: ${others.join(', ')}`, columns, 'dim') : []),
    ...(advice === undefined ? [] : labelled('    ', advice, columns, 'dim')),
  ];
}

/** Those for which the log gate failed the trial: it counts only lines that are not allowed. */
export function gatedErrors(
  events: readonly AttemptEvent[],
  checks: readonly CheckVerdict[],
): readonly EventOf<'log.error'>[] {
  const gate = checks.find(({ id, verdict }) => id === 'logs' && verdict === 'failed');
  return eventsOf(events, 'log.error').filter(({ seq }) => gate?.evidence.includes(seq));
}

function chooseTails(
  events: readonly AttemptEvent[],
  failed: readonly CheckVerdict[],
  expected: readonly number[],
) {
  const parts = partOf(events, failed, expected);
  const ranked = eventsOf(events, 'log.tail')
    .filter(({ lines }) => lines.length > 0)
    .map(({ service, lines }) => ({
      service,
      lines: lines.slice(-storyLimits.logLines),
      part: parts.get(service) ?? 0,
    }))
    .sort((a, b) => b.part - a.part);
  // If no service stands out, any may be involved.
  const involved = ranked.some(({ part }) => part > 0) ? ranked.filter(({ part }) => part > 0) : ranked;
  const shown = involved.slice(0, storyLimits.logServices);
  return { shown, others: ranked.filter((tail) => !shown.includes(tail)).map(({ service }) => service) };
}

/** How much a service is involved: it died, it logged an error or failed a check, it did not answer well. */
function partOf(
  events: readonly AttemptEvent[],
  failed: readonly CheckVerdict[],
  expected: readonly number[],
): ReadonlyMap<string, number> {
  const parts = new Map<string, number>();
  const add = (name: string, part: number): void => {
    parts.set(name, Math.max(part, parts.get(name) ?? 0));
  };
  for (const { name, expected } of eventsOf(events, 'node.exited')) if (!expected) add(name, 3);
  for (const { service } of eventsOf(events, 'log.error')) add(service, 2);
  for (const { id, query } of declaredIn(events).checks) {
    const looked = failed.some((check) => check.id === id) ? [query.service, query.from, query.to] : [];
    for (const name of looked) if (typeof name === 'string') add(name, 2);
  }
  for (const call of eventsOf(events, 'call'))
    if (callOutcome(call, 0, expected.includes(call.seq)).failed) add(call.to, 1);
  for (const { to } of eventsOf(events, 'connection.refused')) add(to, 1);
  return parts;
}
