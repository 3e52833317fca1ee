/** What a connection gives, when it is opened and when a step acts on it. */
import { measured, requested, type StepEvidence, system } from '../kind/evidence.ts';
import { tcpFormat } from './format.ts';

export const tcpEvidence: StepEvidence = {
  format: tcpFormat,
  fields: {
    connected: requested,
    received: { ...system, isContent: true, isWireList: true },
    raw: { ...system, isContent: true },
    closedBy: { ...system, isRare: true, isOptional: true, enum: ['peer', 'us', 'reset'] },
    broken: { ...measured, isRare: true },
    bytesSent: requested,
    bytesReceived: measured,
  },
};
