/** The rule under which nothing is forwarded until it is lifted; a full tap then stops the sender. */
import { covers, type Direction, type Rule } from './rule.ts';

export interface Hold {
  readonly rule: 'hold';
  readonly direction?: Direction | 'both';
}

export function holdRule(hold: Hold): Rule {
  return {
    kind: 'hold',
    listens: true,
    gate: ({ direction }) =>
      covers(hold.direction, direction) ? { decide: () => ({ then: 'wait' }) } : undefined,
  };
}
