/** Whether what is expected of an act can still come: over a connection that is open, in the parts of its evidence that grow. */
import type { Act, ActEvidence } from '../../drivers/driver.ts';

/** `holds` judges the parts that are final; where they do not hold, nothing that comes later mends it. */
export function mayStillCome(act: Act, expect: unknown, holds: (expect: unknown) => boolean): boolean {
  const evidence = act.evidence();
  if (isOver(evidence) || isBeyondReading(evidence, expect)) return false;
  if (act.grows === undefined) return true;
  const final = withoutKeys(expect, act.grows);
  return final === undefined || holds(final);
}

/** Nothing more can come over a connection that was closed, or of a program that has ended. */
function isOver({ closedBy, exitCode, signal, error }: ActEvidence): boolean {
  return [closedBy, exitCode, signal, error].some((end) => end !== undefined && end !== null);
}

/** Bytes came that make no message: whatever follows them makes none either, and only the end can still be waited for. */
function isBeyondReading({ broken }: ActEvidence, expect: unknown): boolean {
  const wanted = isMap(expect) ? Object.keys(expect) : ['closedBy'];
  return broken !== undefined && wanted.every((key) => key === 'received' || key === 'connected');
}

/** Undefined where an operator rests on such a key, so that the rest cannot be told apart. */
function withoutKeys(expect: unknown, keys: readonly string[]): unknown {
  const isPlain = isMap(expect) && !Object.keys(expect).some((key) => key.startsWith('$'));
  if (isPlain) return Object.fromEntries(Object.entries(expect).filter(([key]) => !keys.includes(key)));
  return speaksOf(expect, keys) ? undefined : expect;
}

function speaksOf(expect: unknown, keys: readonly string[]): boolean {
  if (typeof expect !== 'object' || expect === null) return false;
  return Object.entries(expect).some(([key, inner]) => keys.includes(key) || speaksOf(inner, keys));
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
