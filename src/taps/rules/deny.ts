/** The rule under which the provider is gone: open connections are reset, and new ones are reset at once. */
import { cutGate } from './cut.ts';
import type { Rule } from './rule.ts';

/**
 * Unlike `refuse`, where the kernel refuses uncounted, every connection attempt is recorded as `connection.refused`
 * because of a rule. So it is known which consumers met it.
 */
export interface Deny {
  readonly rule: 'deny';
}

export function denyRule(): Rule {
  return { kind: 'deny', listens: true, admits: false, gate: () => cutGate('reset', 0) };
}
