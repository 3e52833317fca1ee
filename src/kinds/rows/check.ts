/** Rows of a table, in a service's own database or schema. */

import { type CheckKind, serviceParty } from '../kind/check-kind.ts';
import type { Observation, Pattern, Row } from '../kind/flow-method.ts';
import type { Spec } from '../kind/step-kind.ts';

export interface RowsFlow {
  readonly rows: <R = Row>(
    table: string,
    where?: Pattern,
    options?: { readonly columns?: readonly string[]; readonly orderBy?: string },
  ) => Observation<readonly R[]>;
}

export const rowsCheck: CheckKind = {
  gives: 'list',
  needsProof: true,
  readsResources: ['postgres', 'sqlite'],
  readsNoService: true,
  query: (named, own) => {
    const [service, ...table] = String(named).split('.');
    return { service, table: table.join('.'), ...own };
  },
  source: ({ service, table }) => `rows ${String(service)}.${String(table)}`,
  target: (written) => {
    const [name = ''] = written.split('.');
    return name === '*' ? undefined : { name: name.replace(/^!/, '') };
  },
  parties: serviceParty,
  change: 'row',
  unwanted: { table: 'elsewhere', op: 'inserted', row: { id: 7 } },
  operations: ['inserted', 'updated', 'deleted'],
  flow: (table: string, where: unknown, options: Spec) => ({ rows: table, where, ...options }),
  takes: 'where',
  comparesAsSql: true,
  madeBy: 'service-alone',
  unread: 'stored',
};
