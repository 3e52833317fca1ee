/** What every check of an attempt expects, as a hash: the same check that held before and fails now is not wrong itself. */
import type { AttemptView } from '../../attempt-view.ts';
import { canonicalise } from '../../canonical-value.ts';
import { logGateId } from '../../judge-logs.ts';
import { processGateId } from '../../judge-processes.ts';
import { modelGateId, peerGateId } from '../../judge-scripts.ts';
import { stepCheckId } from '../../judge-steps.ts';
import { boundedValue, fingerprint } from './kept-value.ts';

export function expectationsOf({ record, checks }: AttemptView): Readonly<Record<string, string>> {
  const of = (...parts: readonly unknown[]): string =>
    fingerprint(JSON.stringify(canonicalise(boundedValue(parts))));
  return Object.fromEntries([
    ...checks.map(({ id, kind, query, mode, expect, count, golden, only }) => [
      id,
      of(kind, query, mode, expect, count, golden?.accepted, only),
    ]),
    ...record.steps.map(({ name, expect }) => [stepCheckId(name), of(expect)]),
    [logGateId, of(record.logs)],
    ...[processGateId, modelGateId, peerGateId].map((gate) => [gate, of('gate')]),
  ]);
}
