/** Which parts of an observation are the trial's own doing: what it sent itself, and what merely repeats that. */
import type { AttemptView } from '../../checks/attempt-view.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import type { PathKey } from '../../patterns/value-path.ts';

export interface OwnDoing {
  /** The trial wrote it itself; no system can lie about it. */
  isOwn(keys: readonly PathKey[]): boolean;
  /** The system said it, and the trial had said the same under the same name. */
  isEcho(keys: readonly PathKey[], value: unknown): boolean;
}

/** Parts of an answer that our own side makes. */
const ownParts = new Set<PathKey>([
  'request',
  'bytesSent',
  'transport',
  'connected',
  'did',
  'service',
  'reached',
  'waitedMs',
]);

export function ownDoing(view: AttemptView, step: string | undefined): OwnDoing {
  if (step === undefined) return { isOwn: () => false, isEcho: () => false };
  const sent = sentBy(view, step);
  return {
    isOwn: (keys) => {
      const [first, second, third] = keys;
      return ownParts.has((first === 'answers' && typeof second === 'number' ? third : first) ?? '');
    },
    // A header comes back only by a promise, such as that of an id for tracing.
    isEcho: (keys, value) => !keys.includes('headers') && isSaid(sent, nameOf(keys), value),
  };
}

/** What the step sent, and what was sent before on the same connection. */
function sentBy({ events, record }: AttemptView, step: string): readonly unknown[] {
  const opener = record.steps.find(({ name }) => name === step)?.driver === 'on';
  return events.flatMap((event) =>
    event.type === 'step.started' && (event.step === step || (opener && event.step.startsWith(step)))
      ? [event.sent]
      : [],
  );
}

function nameOf(keys: readonly PathKey[]): string {
  return String(keys.findLast((key) => typeof key === 'string') ?? '').toLowerCase();
}

/** Values that nobody would take for a copy, even under the same name. */
const common = new Set<unknown>([true, false, null, '', 0, 1]);

function isSaid(sent: unknown, name: string, value: unknown): boolean {
  if (common.has(value) || typeof value === 'object') return false;
  const isLong = typeof value === 'string' && value.length >= 8;
  const visit = (inner: unknown, under: string): boolean => {
    if (Array.isArray(inner)) return inner.some((element) => visit(element, under));
    if (isPlainMap(inner))
      return Object.entries(inner).some(([key, below]) => visit(below, key.toLowerCase()));
    return inner === value && (under === name || isLong);
  };
  return visit(sent, '');
}
