/** `quiet` in a flow, and what it gives. */
import { alike, measured, requested, type StepEvidence } from '../kind/evidence.ts';
import type { Duration, FlowSteps } from '../kind/flow-method.ts';

export interface QuietFlow {
  /** Waits until every edge is idle. */
  readonly quiet: (options?: { readonly within?: Duration }) => Promise<void>;
}

export function quietFlow({ act }: FlowSteps): QuietFlow {
  return { quiet: async (options) => void (await act({ quiet: true }, options)) };
}

export const quietEvidence: StepEvidence = {
  fields: { ...alike('quiet busy busyBytes unwatched', measured), waitedMs: requested },
};
