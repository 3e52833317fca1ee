/** Lines that a service printed since the attempt began. */

import { type CheckKind, serviceParty, serviceQuery } from '../kind/check-kind.ts';
import { measured, system } from '../kind/evidence.ts';
import type { Observation } from '../kind/flow-method.ts';
import { type Spec, serviceTarget } from '../kind/step-kind.ts';

export interface LogsFlow {
  readonly logs: (
    service: string,
    options?: { readonly match?: string; readonly records?: true },
  ) => Observation<readonly { readonly line: number; readonly text: string }[]>;
}

export const logsCheck: CheckKind = {
  gives: 'list',
  needsProof: true,
  query: serviceQuery,
  source: ({ service }) => `logs ${String(service)}`,
  target: serviceTarget,
  parties: serviceParty,
  fields: () => ({ line: { ...measured, isCounter: true }, text: system }),
  comparesWithBefore: true,
  flow: (service: string, options: Spec) => ({ logs: service, ...options }),
  isByLine: true,
  unread: 'ignored',
  forms: { match: 'expression' },
  filters: ({ match }) => (typeof match === 'string' ? [['text', match]] : []),
};
