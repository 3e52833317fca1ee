/** The evidence of an `http` step in a few words. */
import { formatSize } from '../../kernel/size.ts';
import type { EvidenceFormat } from '../kind/evidence.ts';

export const httpFormat: EvidenceFormat = {
  when: ['status'],
  words: ({ status, json, text, events, bytes }, show) => {
    const body = json ?? text ?? events;
    const said = body !== undefined && body !== '' ? show(body) : bodySize(bytes);
    return `status ${String(status)}, ${said}`;
  },
};

function bodySize(bytes: unknown): string {
  return typeof bytes === 'number' && bytes > 0 ? `a body of ${formatSize(bytes)}` : 'no body';
}
