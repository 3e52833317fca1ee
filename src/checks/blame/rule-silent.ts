/** Rule 1, silent: a wait timed out, of a step or for a call, and behind it is a party that had all it needed and sent nothing. */

import { isListening } from '../../journal/call-event.ts';
import { outside } from '../../journal/topology.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { type EdgeEnds, edgeOf } from '../../kernel/edge-name.ts';
import { isMap } from '../../kernel/is-map.ts';
import { stepCheckId } from '../judge-steps.ts';
import { nameOf, type SeenCall } from '../seen-call.ts';
import type { CheckVerdict } from '../verdict.ts';
import type { Blame } from './blame.ts';
import { mayBeWaiting, passedOnMs } from './may-be-waiting.ts';
import type { Traffic } from './traffic.ts';

/** Parties that the trial made silent are not to blame. */
export function blameSilence(traffic: Traffic, verdicts: readonly CheckVerdict[]): Blame | undefined {
  const held = verdicts.filter(({ verdict }) => verdict === 'passed').map(({ id }) => id);
  const found = findSilent(traffic, new Set(held));
  if (found?.party == null || traffic.isPlayed(found.party)) return undefined;
  return traffic.view.felt.some((felt) => edgeOf(felt) === found.edge) ? undefined : found;
}

/** If a step held, its trial intended the wait to time out. */
export function findSilent(traffic: Traffic, held: ReadonlySet<string> = new Set()): Blame | undefined {
  const isLate = waitedInVain(traffic, held);
  const awaited = awaitedCalls(traffic);
  const found = traffic.calls
    .filter(
      (one) => isUnanswered(one.call) && (awaited.has(nameOf(one)) || (isLate && one.call.from === outside)),
    )
    .map((call) => deepest(call, traffic, new Set()));
  const [first] = found;
  if (!first || found.some((one) => one?.call.to !== first.call.to)) return undefined;
  return silence(first, traffic);
}

/** The trial, or one of its steps, ran out of time. */
function waitedInVain({ view }: Traffic, held: ReadonlySet<string>): boolean {
  if (view.ended?.end === 'timeout') return true;
  return [...view.steps].some(
    ([name, { evidence }]) => !held.has(stepCheckId(name)) && hasTimedOut(evidence),
  );
}

/** The calls that a wait looked at until its time was up, and that had no answer then. */
function awaitedCalls({ view }: Traffic): ReadonlySet<string> {
  const late = [...view.probes.values()].filter(({ end }) => end?.end === 'deadline');
  const seen = late.map(({ samples }) => samples.at(-1)).map((last) => last && 'value' in last && last.value);
  const calls = seen.flat().filter((one) => isMap(one) && one.incomplete === 'in-flight') as SeenInFlight[];
  return new Set(calls.map((call) => nameOf({ number: call.crossing, edge: edgeOf(call) })));
}

/** `crossing`: the n-th of its edge in this attempt. */
type SeenInFlight = EdgeEnds & { readonly crossing: number };

function hasTimedOut(evidence: unknown): boolean {
  if (typeof evidence !== 'object' || evidence === null) return false;
  const { error, answers } = evidence as { error?: { kind?: unknown }; answers?: unknown };
  return error?.kind === 'timeout' || (Array.isArray(answers) && answers.some(hasTimedOut));
}

function isUnanswered(call: SeenCall['call']): boolean {
  return (
    ['in-flight', 'unanswered', 'cut', 'cancelled'].includes(call.incomplete ?? '') && !isListening(call)
  );
}

/** Follows the calls that were still open when the wait ended; none if they lead to several parties. */
function deepest(call: SeenCall, traffic: Traffic, passed: Set<number>): SeenCall | undefined {
  if (passed.has(call.seq)) return undefined;
  passed.add(call.seq);
  const open = traffic
    .within(call)
    .filter((inner) => isUnanswered(inner.call) && inner.call.endedAt >= call.call.endedAt - passedOnMs);
  const [first] = open;
  if (!first) return call;
  const parties = new Set(open.map((inner) => inner.call.to));
  return parties.size === 1 ? deepest(first, traffic, passed) : undefined;
}

/** With less time, a party may just be slow. */
const leastMs = 2_000;

/** A party is silent if it had at least half of the time for itself, and cannot be waiting for anything. */
function silence(call: SeenCall, traffic: Traffic): Blame | undefined {
  const { to, startedAt, endedAt } = call.call;
  const answered = traffic.within(call).map((inner) => Math.min(inner.call.endedAt, endedAt));
  const aloneMs = endedAt - Math.max(startedAt, ...answered);
  if (aloneMs < leastMs || aloneMs < (endedAt - startedAt) / 2) return undefined;
  if (mayBeWaiting(call, traffic)) return undefined;
  const asked = answered.length === 0 ? '' : ', after everything that it asked had been answered';
  return {
    party: to,
    edge: call.edge,
    rule: 1,
    because: `${to} gave no answer for ${formatDuration(Math.round(aloneMs))}${asked} (${nameOf(call)})`,
    evidence: [call.seq],
  };
}
