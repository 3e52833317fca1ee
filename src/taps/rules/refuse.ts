/** The rule that closes the port: who connects gets ECONNREFUSED, as if nobody had ever listened there. */
import { cutGate } from './cut.ts';
import type { Rule } from './rule.ts';

export interface Refuse {
  readonly rule: 'refuse';
  /** Connections that are open already go on, unless told otherwise. */
  readonly existing?: 'keep' | 'reset';
}

export function refuseRule(refuse: Refuse): Rule {
  return {
    kind: 'refuse',
    listens: false,
    gate: () => (refuse.existing === 'reset' ? cutGate('reset', 0) : undefined),
  };
}
