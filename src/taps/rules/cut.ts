/** The rule that ends a connection, at once or after an exact number of bytes of one direction. */
import { type CutBy, covers, type Direction, type Gate, type Rule } from './rule.ts';

export interface Cut {
  readonly rule: 'cut';
  /** Whose bytes count; `both` counts each direction for itself. The end is always that of the whole connection. */
  readonly direction: Direction | 'both';
  /** Counted from when the rule was placed, or from the connection's beginning where that is later. Absent: at once. */
  readonly afterBytes?: number;
  readonly by: CutBy;
}

export function cutRule(cut: Cut): Rule {
  return {
    kind: 'cut',
    listens: true,
    gate: ({ direction }) =>
      covers(cut.direction, direction) ? cutGate(cut.by, cut.afterBytes ?? 0) : undefined,
  };
}

export function cutGate(by: CutBy, afterBytes: number): Gate {
  let leftBytes = afterBytes;
  return {
    decide: (front) => {
      if (leftBytes === 0) return { then: 'cut', by, afterDelivery: afterBytes > 0 };
      const bytes = Math.min(leftBytes, front?.length ?? 0);
      leftBytes -= bytes;
      return { then: 'pass', bytes };
    },
  };
}
