/** Lines of a JSON-lines file that a service writes. */

import { type CheckKind, serviceParty, serviceQuery } from '../kind/check-kind.ts';
import type { Observation, Pattern } from '../kind/flow-method.ts';
import { type Spec, serviceTarget } from '../kind/step-kind.ts';

export interface EventsFlow {
  readonly events: <Event = unknown>(
    service: string,
    options: { readonly file: string; readonly where?: Pattern },
  ) => Observation<readonly Event[]>;
}

export const eventsCheck: CheckKind = {
  gives: 'list',
  needsProof: true,
  query: serviceQuery,
  source: ({ service, file }) => `events ${String(service)} ${String(file)}`,
  target: serviceTarget,
  readsResources: ['volume'],
  parties: serviceParty,
  sourceKey: 'file',
  forms: { file: 'glob' },
  readsFile: ({ file }) => file,
  comparesWithBefore: true,
  flow: (service: string, options: Spec) => ({ events: service, ...options }),
  madeBy: 'service',
};
