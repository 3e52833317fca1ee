/** The limits of a design: cost, weight, and build zone. */
import { hasDefect } from './defects.ts';

export interface Design {
  readonly cost: number;
  readonly weight: number;
  /** Its extent on each axis. */
  readonly reach: readonly number[];
}

const most = { cost: 100, weight: 5, reach: 10 } as const;

export function exceeded({ cost, weight, reach }: Design): readonly string[] {
  return [
    ...(cost <= most.cost ? [] : ['price']),
    ...(weight <= most.weight || hasDefect('weight-ignored') ? [] : ['weight']),
    ...(reach.every((length) => length <= most.reach) ? [] : ['build_zone']),
  ];
}
