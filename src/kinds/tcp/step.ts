/** A connection that stays open under the step's name. */

import { type StepKind, serviceTarget, withoutKey } from '../kind/step-kind.ts';
import { tcpEvidence } from './evidence.ts';
import { tcpFlow } from './flow.ts';

export const tcpStep: StepKind = {
  driver: 'tcp',
  needsListener: true,
  target: serviceTarget,
  opens: () => true,
  evidence: tcpEvidence,
  unsent: ['tcp', 'codec'],
  flow: tcpFlow,
  toDriver: (spec) => ({ step: { ...withoutKey(spec, 'tcp'), target: spec.tcp } }),
};
