/** Steps that act on a service itself rather than through one of its boundaries. */

import { limits } from '../../kernel/limits.ts';
import { alike, requested, system } from '../kind/evidence.ts';
import { type StepKind, serviceTarget } from '../kind/step-kind.ts';
import { serviceFlow } from './flow.ts';

const onService = {
  driver: 'service',
  target: serviceTarget,
  evidence: {
    fields: { ...alike('service did', requested), killed: { ...system, isRare: true, isOptional: true } },
  },
} as const satisfies StepKind;

export const stopStep: StepKind = { ...onService };
export const killStep: StepKind = { ...onService };
export const pauseStep: StepKind = { ...onService };
export const resumeStep: StepKind = { ...onService };
/** Starting a service may take as long as booting it. */
export const startStep: StepKind = { ...onService, timeoutMs: limits.readyWithinMs };
/** The method of all of them. */
export const restartStep: StepKind = { ...startStep, flow: serviceFlow };
