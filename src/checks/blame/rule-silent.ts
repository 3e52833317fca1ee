/** Rule 1, silent: somebody waited in vain, and behind that wait stands a party that had all it needed and said nothing. */

import { isListening } from '../../journal/call-event.ts';
import { outside } from '../../journal/topology.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { stepCheckId } from '../judge-steps.ts';
import { edgeOf, nameOf, type SeenCall } from '../seen-call.ts';
import type { CheckVerdict } from '../verdict.ts';
import type { Blame } from './blame.ts';
import type { Traffic } from './traffic.ts';

/** Those whom the trial told to be silent are not to blame for it. */
export function blameSilence(traffic: Traffic, verdicts: readonly CheckVerdict[]): Blame | undefined {
  const held = verdicts.filter(({ verdict }) => verdict === 'passed').map(({ id }) => id);
  const found = findSilent(traffic, new Set(held));
  if (found?.party == null || traffic.isPlayed(found.party)) return undefined;
  return traffic.view.felt.some((felt) => edgeOf(felt) === found.edge) ? undefined : found;
}

/** Where a step has held, its trial had meant it to wait in vain. */
export function findSilent(traffic: Traffic, held: ReadonlySet<string> = new Set()): Blame | undefined {
  if (!waitedInVain(traffic, held)) return undefined;
  const found = traffic.calls
    .filter(({ call }) => call.from === outside && isUnanswered(call))
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

/** Moments by which an end that was passed on may come earlier or later than the end itself. */
const passedOnMs = 50;

/** Down the calls that were still open when the wait ended; nobody when they lead to several parties. */
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

/** Whoever is given less may be slow only. */
const leastMs = 2_000;

/** Silent is who had at least half of the time for itself; who waits for something that nobody sees may be waiting still. */
function silence(call: SeenCall, traffic: Traffic): Blame | undefined {
  const { to, startedAt, endedAt } = call.call;
  const answered = traffic.within(call).map((inner) => Math.min(inner.call.endedAt, endedAt));
  const aloneMs = endedAt - Math.max(startedAt, ...answered);
  if (aloneMs < leastMs || aloneMs < (endedAt - startedAt) / 2) return undefined;
  if (traffic.unseenFrom(to).length > 0) return undefined;
  const asked = answered.length === 0 ? '' : ', after everything that it asked had been answered';
  return {
    party: to,
    edge: call.edge,
    rule: 1,
    because: `${to} gave no answer for ${formatDuration(Math.round(aloneMs))}${asked} (${nameOf(call)})`,
    evidence: [call.seq],
  };
}
