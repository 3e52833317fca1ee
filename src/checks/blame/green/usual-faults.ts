/** What is wrong in an attempt although it passed: it is usual there, and nobody is blamed for it later. */

import { isOwnFailure } from '../legality.ts';
import { illegalOutputs, usualName } from '../rule-illegal.ts';
import { ownFailureRule } from '../rule-own-failure.ts';
import { brokenRelays } from '../rule-relay.ts';
import { unreachableRule } from '../rule-unreachable.ts';
import type { Traffic } from '../traffic.ts';

export function usualFaults(traffic: Traffic): readonly string[] {
  const names = [
    ...illegalOutputs(traffic).map(({ party, breach }) => usualName(party, breach.rule)),
    ...traffic.calls.filter(isOwnFailure).map(({ call }) => usualName(call.to, ownFailureRule)),
    ...brokenRelays(traffic).map((broken) => broken.usualName),
    ...traffic.view.refusals.map(({ to }) => usualName(to, unreachableRule)),
  ];
  return [...new Set(names)].sort();
}
