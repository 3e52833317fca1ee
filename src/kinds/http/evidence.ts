/** What an `http` step gives. */
import { formatSize } from '../../kernel/size.ts';
import { alike, errorText, measured, requested, type StepEvidence, system } from '../kind/evidence.ts';

export const httpEvidence: StepEvidence = {
  format: {
    when: ['status'],
    words: ({ status, json, text, events, bytes }, show) => {
      const body = json ?? text ?? events;
      const said = body !== undefined && body !== '' ? show(body) : bodySize(bytes);
      return `status ${String(status)}, ${said}`;
    },
  },
  fields: {
    ...alike('status headers', system),
    json: { ...system, isOptional: true, isContent: true, isBody: true },
    text: { ...system, isContent: true, isBody: true },
    events: { ...system, isContent: true, isWireList: true },
    endedBy: { ...system, enum: ['peer', 'timeout', 'cap'] },
    bytes: measured,
    rawBody: { ...measured, type: 'string', isRare: true },
    sha256: { ...measured, isHash: true },
    truncated: { ...measured, isRare: true },
    broken: { ...measured, type: 'string', isRare: true },
    trailers: system,
    request: requested,
    redirects: system,
  },
  outcome: {
    field: 'status',
    words: (status) => `status ${String(status)}`,
    opposite: (status) => (typeof status !== 'number' ? undefined : status < 400 ? 500 : 200),
    failure: {
      what: 'a status from 400 to 503 with an error in place of the answer',
      isWell: (status) => typeof status === 'number' && status < 400,
      answers: ({ json, text, ...healthy }) =>
        [400, 401, 404, 429, 500, 503].map((status) => ({
          ...healthy,
          status,
          ...(json === undefined ? {} : { json: { error: { code: 'failed', message: errorText } } }),
          ...(text === undefined ? {} : { text: errorText }),
        })),
    },
  },
};

function bodySize(bytes: unknown): string {
  return typeof bytes === 'number' && bytes > 0 ? `a body of ${formatSize(bytes)}` : 'no body';
}
