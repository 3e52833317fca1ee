/** What stays open under a name, seen as one: all that was heard on it since it was opened, whichever step it came after. */
import type { ActEvidence } from '../../drivers/driver.ts';
import type { FlowPerformance } from './flow-performance.ts';

/** Another step on the connection; the first one makes it something that can be looked at as a whole. */
export function openLine(performance: FlowPerformance, line: string, step: string): void {
  const { attempt, lines } = performance;
  const steps = lines.get(line) ?? [];
  steps.push(step);
  lines.set(line, steps);
  if (steps.length > 1) return;
  const whole = `${line}-so-far`;
  attempt.stillOpen.add(whole);
  attempt.acts.set(whole, {
    done: Promise.resolve(),
    evidence: () => soFar(performance, line),
    sentBytes: () => 0,
  });
}

export function soFar({ attempt, lines }: FlowPerformance, line: string): ActEvidence {
  const steps = lines.get(line) ?? [];
  const all = steps.map((step): ActEvidence => attempt.acts.get(step)?.evidence() ?? {});
  return all.reduce(joined, {});
}

/** Texts and lists go on, numbers of bytes add up, everything else is as it is now. */
function joined(before: ActEvidence, next: ActEvidence): ActEvidence {
  const { error: _error, json: _json, durationMs: _durationMs, ...now } = next;
  const entries = Object.entries(now).map(([key, value]) => [key, goneOn(key, before[key], value)]);
  return { ...before, ...Object.fromEntries(entries) };
}

const growing = new Set(['received', 'raw', 'stdout', 'stderr', 'bytesSent', 'bytesReceived']);

function goneOn(key: string, before: unknown, next: unknown): unknown {
  if (!growing.has(key) || before === undefined) return next;
  if (Array.isArray(before) && Array.isArray(next)) return [...before, ...next];
  if (typeof before === 'string' && typeof next === 'string') return before + next;
  return typeof before === 'number' && typeof next === 'number' ? before + next : next;
}
