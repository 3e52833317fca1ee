/** Everything that changed since the attempt began. */

import { callFields } from '../calls/check.ts';
import type { CheckKind } from '../kind/check-kind.ts';
import { alike, requested, system } from '../kind/evidence.ts';
import type { Observation, Row } from '../kind/flow-method.ts';

export interface ChangesFlow {
  readonly changes: (kinds: readonly ('rows' | 'redis' | 'files' | 'calls')[]) => Observation<readonly Row[]>;
}

export const changesCheck: CheckKind = {
  gives: 'list',
  query: (named) => ({ kinds: named }),
  source: () => 'changes',
  comparesWithBefore: true,
  isClosed: true,
  flow: (kinds: readonly string[]) => ({ changes: kinds }),
  fields: () => ({ ...callFields, ...alike('from to protocol', system), kind: requested }),
  // Which it has depends on what changed.
  keys: () => undefined,
  unread: 'stored',
};
