/** Whether an expected result can still arrive: over an open connection, in the parts of its evidence that grow. */
import type { Act, ActEvidence } from '../../drivers/driver.ts';
import { isMap } from '../../kernel/is-map.ts';

/** `holds` judges the final parts; where they do not hold, nothing that arrives later can change that. */
export function mayStillCome(act: Act, expect: unknown, holds: (expect: unknown) => boolean): boolean {
  const evidence = act.evidence();
  if (isOver(evidence) || isBeyondReading(evidence, expect)) return false;
  if (act.grows === undefined) return true;
  const final = withoutKeys(expect, act.grows);
  return final === undefined || holds(final);
}

/** Nothing more arrives over a closed connection, or from a program that has ended. */
function isOver({ closedBy, exitCode, signal, error }: ActEvidence): boolean {
  return [closedBy, exitCode, signal, error].some((end) => end !== undefined && end !== null);
}

/** After bytes that cannot be decoded no later message can be either; only the end can still be awaited. */
function isBeyondReading({ broken }: ActEvidence, expect: unknown): boolean {
  const wanted = isMap(expect) ? Object.keys(expect) : ['closedBy'];
  return broken !== undefined && wanted.every((key) => key === 'received' || key === 'connected');
}

/** Undefined where an operator depends on such a key, so that the rest cannot be separated. */
function withoutKeys(expect: unknown, keys: readonly string[]): unknown {
  const isPlain = isMap(expect) && !Object.keys(expect).some((key) => key.startsWith('$'));
  if (isPlain) return Object.fromEntries(Object.entries(expect).filter(([key]) => !keys.includes(key)));
  return speaksOf(expect, keys) ? undefined : expect;
}

function speaksOf(expect: unknown, keys: readonly string[]): boolean {
  if (typeof expect !== 'object' || expect === null) return false;
  return Object.entries(expect).some(([key, inner]) => keys.includes(key) || speaksOf(inner, keys));
}
