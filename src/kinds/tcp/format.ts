/** The evidence of a connection in a few words. */
import type { EvidenceFormat } from '../kind/evidence.ts';

export const tcpFormat: EvidenceFormat = {
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
};

const closers: Readonly<Record<string, string>> = {
  peer: 'closed by the other side',
  us: 'closed by us',
  reset: 'reset by the other side',
};
