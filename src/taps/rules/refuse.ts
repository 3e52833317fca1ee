/** The rule that closes the port: clients get ECONNREFUSED, as if nothing had ever listened there. */
import { cutGate } from './cut.ts';
import type { Rule } from './rule.ts';

export interface Refuse {
  readonly rule: 'refuse';
  /** Open connections continue unless requested otherwise. */
  readonly existing?: 'keep' | 'reset';
}

export function refuseRule(refuse: Refuse): Rule {
  return {
    kind: 'refuse',
    listens: false,
    gate: () => (refuse.existing === 'reset' ? cutGate('reset', 0) : undefined),
  };
}
