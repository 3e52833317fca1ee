/** The rule under which the provider is gone: what is open is reset, and whoever connects is reset at once. */
import { cutGate } from './cut.ts';
import type { Rule } from './rule.ts';

/**
 * Unlike `refuse`, which lets the kernel say no where nobody can count it, every knock is written down: `connection.refused`
 * because of a rule. So it is known who has met it.
 */
export interface Deny {
  readonly rule: 'deny';
}

export function denyRule(): Rule {
  return { kind: 'deny', listens: true, admits: false, gate: () => cutGate('reset', 0) };
}
