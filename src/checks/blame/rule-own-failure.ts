/** Rule 2, too: a service that reports a failure, or logs an error, although all of its input was good. */
import { outside } from '../../journal/topology.ts';
import { logGateId } from '../judge-logs.ts';
import { nameOf } from '../seen-call.ts';
import type { CheckVerdict } from '../verdict.ts';
import type { Blame } from './blame.ts';
import { gotGoodAnswers, gotLegalInput, isFailure, isOwnFailure } from './legality.ts';
import { sharesStore } from './reference/outputs-of.ts';
import { usualName } from './rule-illegal.ts';
import type { Traffic } from './traffic.ts';
import { sharedPlaces } from './unseen-input.ts';

export const ownFailureRule = 'failed';

export function blameOwnFailure(traffic: Traffic, usual: ReadonlySet<string>): Blame | undefined {
  const found = traffic.calls.filter((call) => {
    const { to, endedAt } = call.call;
    return (
      isOwnFailure(call) &&
      !usual.has(usualName(to, ownFailureRule)) &&
      !traffic.disturbanceOf(call) &&
      hadAllItNeeded(to, endedAt, traffic)
    );
  });
  const [first] = found;
  if (!first || found.some(({ call }) => call.to !== first.call.to)) return undefined;
  const { to, response } = first.call;
  const said = response && response.status >= 500 ? `status ${response.status}` : 'an internal error';
  return {
    party: to,
    edge: first.edge,
    rule: 2,
    because: `it answered ${said}, although all of its input was legal and every answer to it was good (${nameOf(first)})`,
    evidence: found.map(({ seq }) => seq),
  };
}

/** A party that refused a request, or lost one that the trial stopped, may log an error about that. */
export function blameComplaint(traffic: Traffic, verdicts: readonly CheckVerdict[]): Blame | undefined {
  const gate = verdicts.find(({ id, verdict }) => id === logGateId && verdict === 'failed');
  const lines = traffic.view.logErrors.filter(({ seq }) => gate?.evidence.includes(seq));
  const [first] = lines;
  if (!first || lines.some(({ service }) => service !== first.service)) return undefined;
  const { service } = first;
  const isCalm =
    !traffic.view.events.some(({ type }) => type === 'node.stopped' || type === 'node.exited') &&
    !traffic.askedOf(service).some(isFailure) &&
    // Input from another service may be legal, and still be the reason for the error.
    traffic.askedOf(service).every(({ call }) => call.from === outside || traffic.isPlayed(call.from));
  if (!isCalm || !hadAllItNeeded(service, Number.POSITIVE_INFINITY, traffic)) return undefined;
  return {
    party: service,
    rule: 2,
    because: `it logged an error, although all of its input was legal and every answer to it was good: ${first.text.slice(0, 200)}`,
    evidence: lines.map(({ seq }) => seq),
  };
}

/** Data from a database that is not observed, or from a place that others write to, may be the reason. */
function hadAllItNeeded(party: string, until: number, traffic: Traffic): boolean {
  return (
    traffic.view.topology !== undefined &&
    traffic.kindOf(party) === 'service' &&
    traffic.unseenFrom(party).length === 0 &&
    !sharesStore(party, traffic) &&
    sharedPlaces(party, traffic).length === 0 &&
    traffic.view.felt.length === 0 &&
    gotLegalInput(party, until, traffic) &&
    gotGoodAnswers(party, until, traffic)
  );
}
