/** A connection that stays open under the step's name. */
import { measured, requested, system } from '../kind/evidence.ts';
import { type StepKind, serviceTarget, withoutKey } from '../kind/step-kind.ts';
import { tcpFlow } from './flow.ts';

export const tcpStep: StepKind = {
  driver: 'tcp',
  needsListener: true,
  target: serviceTarget,
  opens: () => true,
  evidence: {
    format: {
      when: ['received'],
      words: ({ received, raw, closedBy, broken }, show) => {
        const messages = Array.isArray(received) ? received : [];
        const last = messages.at(-1);
        const parts = [
          messages.length === 1 ? `received ${show(last)}` : '',
          messages.length > 1 ? `received ${messages.length} messages, the last ${show(last)}` : '',
          messages.length === 0 && typeof raw === 'string' && raw !== '' ? `received ${show(raw)}` : '',
          typeof broken === 'string' ? `then something broken: ${broken}` : '',
          typeof closedBy === 'string' ? (closers[closedBy] ?? `closed by ${closedBy}`) : '',
        ].filter((part) => part !== '');
        return parts.length === 0 ? 'received nothing' : parts.join(', ');
      },
    },
    fields: {
      connected: requested,
      received: { ...system, isContent: true, isWireList: true },
      raw: { ...system, isContent: true },
      closedBy: { ...system, isRare: true, isOptional: true, enum: ['peer', 'us', 'reset'] },
      broken: { ...measured, type: 'string', isRare: true },
      pendingBytes: { ...measured, isRare: true, isOptional: true },
      bytesSent: requested,
      bytesReceived: measured,
    },
  },
  unsent: ['tcp', 'codec'],
  flow: tcpFlow,
  toDriver: (spec) => ({ step: { ...withoutKey(spec, 'tcp'), target: spec.tcp } }),
};

const closers: Readonly<Record<string, string>> = {
  peer: 'closed by the other side',
  us: 'closed by us',
  reset: 'reset by the other side',
};
