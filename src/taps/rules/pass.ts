/** The rule that disturbs nothing: the example from which to write another. */
import type { Rule } from './rule.ts';

export interface Pass {
  readonly rule: 'pass';
}

export function passRule(): Rule {
  return { kind: 'pass', listens: true, gate: () => undefined };
}
