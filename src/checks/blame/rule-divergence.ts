/** Rule 4, first divergence: the only party with the same input as in the passing run and a different output. */

import { outside } from '../../journal/topology.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import { clipText } from '../../patterns/print-value.ts';
import type { AttemptView } from '../attempt-view.ts';
import { logGateId } from '../judge-logs.ts';
import { isStepCheck } from '../judge-steps.ts';
import { nameOf, type SeenCall } from '../seen-call.ts';
import type { CheckVerdict } from '../verdict.ts';
import type { Blame } from './blame.ts';
import { alignCalls } from './reference/align-calls.ts';
import { digestTraffic } from './reference/digest-of.ts';
import { type Divergence, type Origins, originsOf } from './reference/divergence.ts';
import { type CompareContext, callDivergences } from './reference/find-divergences.ts';
import { findMixedIds } from './reference/mixed-ids.ts';
import { outputDivergences, preparedDivergences } from './reference/output-divergences.ts';
import { checkOutputName, hasHiddenInput, logOutputName, sharesStore } from './reference/outputs-of.ts';
import { enoughRuns, type ReferenceDigest } from './reference/reference-digest.ts';
import { type Traffic, trafficOf } from './traffic.ts';

export interface Divergent {
  /** Set if exactly one service, or job, is the origin. */
  readonly blame?: Blame;
  /** Why no party can be named; absent if one is. */
  readonly why?: string;
  /** The party that began to differ, where that is not proven. */
  readonly suspect?: string;
  /** Parties that received something different from the passing run. */
  readonly affected: ReadonlySet<string>;
}

export function compareWithReference(
  traffic: Traffic,
  verdicts: readonly CheckVerdict[],
  reference: ReferenceDigest,
): Divergent {
  const none = new Set<string>();
  const now = digestTraffic(traffic);
  const { digest } = now;
  // Of one of the two, only what passed between services is known.
  if (traffic.hasStatements && (!reference.stores || digest.cut))
    return compareWithReference(trafficOf(traffic.view, false), verdicts, withoutStatements(reference));
  if (reference.stores && !traffic.hasStatements)
    return compareWithReference(traffic, verdicts, withoutStatements(reference));
  if (reference.version !== 1 || reference.of !== digest.of)
    return { why: 'the trial, or the system around it, has changed since it last passed', affected: none };
  if (reference.cut || digest.cut)
    return { why: 'too much traffic to compare with the passing run', affected: none };
  const context: CompareContext = { reference, now, isWhole: traffic.view.ended?.end === 'done' };
  const failed = verdicts.filter(
    ({ verdict, id }) =>
      verdict === 'failed' && Object.hasOwn(reference.held, id) && reference.held[id] === digest.held[id],
  );
  if (failed.length === 0)
    return { why: 'the failed checks were absent or different when the trial passed', affected: none };
  const found = [
    ...callDivergences(context).filter((one) => !isFromOwnStore(one, traffic)),
    ...outputDivergences(
      context,
      failed.map(({ id }) => id),
      traffic,
    ),
    ...preparedDivergences(context, traffic),
  ];
  const affected = new Set(found.flatMap(({ to }) => to));
  if (!found.some(({ sure }) => sure))
    return { ...(mixUp(context, traffic) ?? nothingSure(found, failed, context, traffic)), affected };
  return { ...rootOf(found, failed, traffic, reference.runs >= enoughRuns), affected };
}

/** What a store answers to its only user is what that user wrote, or when it asked. */
function isFromOwnStore({ party, to }: Divergence, traffic: Traffic): boolean {
  if (party === null || !traffic.isStore(party)) return false;
  const [user] = to;
  return user !== undefined && !sharesStore(user, traffic);
}

function withoutStatements({ stores: _stores, ...digest }: ReferenceDigest): ReferenceDigest {
  return { ...digest, calls: digest.calls.filter(({ about }) => about === undefined) };
}

/** The first failed check that shows a divergence, followed back to its origin; without one, all divergences. */
function rootOf(
  found: readonly Divergence[],
  failed: readonly CheckVerdict[],
  traffic: Traffic,
  isNoiseKnown: boolean,
): Omit<Divergent, 'affected'> {
  const shown = failed
    .map(({ id }) => found.filter((one) => isSeenBy(id, one, traffic.view)))
    .filter((some) => some.length > 0);
  const begun = [...shown, ...(isNoiseKnown ? [found.filter(({ sure }) => sure)] : [])];
  const answers = begun.map((some) => {
    const origins = originsOf(some, found, traffic.isPlayed);
    // What a failed check shows differs for certain; if it is a consequence of something else, that may be noise.
    const isShown = origins.roots.every((root) => some.includes(root));
    if (isNoiseKnown || isShown) return fromOrigins(origins, traffic);
    return { why: tooFew, ...suspectOf(origins.roots, traffic) };
  });
  return answers.find(({ blame }) => blame) ?? answers[0] ?? { why: tooFew };
}

/** The only service or job among those that began to differ. */
function suspectOf(roots: readonly Divergence[], traffic: Traffic): Pick<Divergent, 'suspect'> {
  const doers = roots.flatMap(({ party }) => (party !== null && isDoer(party, traffic) ? [party] : []));
  const [suspect] = doers;
  return suspect !== undefined && new Set(doers).size === 1 ? { suspect } : {};
}

/** It does something by itself, other than a store or a peer that we play. */
function isDoer(party: string, traffic: Traffic): boolean {
  const kind = traffic.kindOf(party);
  return (kind === 'service' || kind === 'job') && !traffic.isStore(party);
}

const tooFew = `the differences from the passing runs may be noise: at least ${enoughRuns} passing runs are needed`;

function fromOrigins({ roots, isDoubtful }: Origins, traffic: Traffic): Omit<Divergent, 'affected'> {
  const [first] = roots;
  const parties = [...new Set(roots.map(({ party }) => party))];
  if (!first) return { why: 'every difference may be a consequence of another one' };
  const { party, text } = first;
  const suspect = suspectOf(roots, traffic);
  if (parties.length > 1)
    return {
      why: `several parties began to differ from the passing run: ${parties.map((name) => name ?? 'an unknown party').join(', ')}`,
      ...suspect,
    };
  if (party === null) return { why: `${text}, and its origin was not observed` };
  if (isDoubtful)
    return {
      why: `${party} may have begun to differ, but not everything can be compared: ${text}`,
      ...suspect,
    };
  if (!isDoer(party, traffic)) return { why: `${party} began to differ from the passing run: ${text}` };
  if (hasHiddenInput(party, traffic))
    return { why: `${party} began to differ, but not all of its input is observed: ${text}`, ...suspect };
  return { blame: toBlame(party, roots) };
}

/** The failed check held then, so at least this differs. */
function nothingSure(
  found: readonly Divergence[],
  failed: readonly CheckVerdict[],
  { reference, now }: CompareContext,
  traffic: Traffic,
): Pick<Divergent, 'why' | 'suspect'> {
  const { view } = traffic;
  const seen = found.filter((one) => failed.some(({ id }) => isSeenBy(id, one, view)));
  const shown = seen[0] ?? found[0];
  if (shown)
    return {
      why: `the traffic differs from the passing run, perhaps by chance: ${shown.text}`,
      ...suspectOf(originsOf(seen, found, traffic.isPlayed).roots, traffic),
    };
  const { missing, extra } = alignCalls(reference.calls, now.digest.calls);
  const but = missing.length + extra.length > 0 ? 'apart from calls that may also be absent, ' : '';
  const [{ id = '', observed = '' } = {}] = failed;
  return {
    why: `${but}the traffic is the same as when the trial passed; only \`${id}\`, which held then, observed ${clipText(observed)}`,
  };
}

/** Whether a check shows this very divergence. */
function isSeenBy(id: string, { output, edge, party, to }: Divergence, view: AttemptView): boolean {
  if (output !== undefined)
    return output === logOutputName
      ? id === logGateId
      : output === id || output === checkOutputName(id) || output === `${checkOutputName(id)} ${party}`;
  const check = view.checks.find((one) => one.id === id);
  const read = check && checkKind(check.kind)?.edge?.(check.query);
  if (read) return `${read.from} -> ${read.to}` === edge;
  if (!isStepCheck(id) && check?.kind !== 'exchange') return false;
  const name = check?.kind === 'exchange' ? check.query.exchange : id.slice('step '.length);
  // It is not known beforehand which service a step of a flow calls.
  const asked = view.record.steps.find((one) => one.name === name)?.to;
  return to.includes(outside) && (asked === undefined || asked === party);
}

function toBlame(party: string, roots: readonly Divergence[]): Blame {
  const first = roots.reduce((earliest, root) =>
    (root.sentAt ?? Number.POSITIVE_INFINITY) < (earliest.sentAt ?? Number.POSITIVE_INFINITY)
      ? root
      : earliest,
  );
  return {
    party,
    ...(first.edge === undefined ? {} : { edge: first.edge }),
    rule: 4,
    because: `it received the same as when the trial passed, but behaved differently: ${first.text}`,
    evidence: [...new Set(roots.flatMap(({ seqs }) => seqs))],
  };
}

/** Only ids differ: perhaps one is where another belongs. */
function mixUp({ reference, now }: CompareContext, traffic: Traffic): Pick<Divergent, 'blame'> | undefined {
  if (reference.runs < enoughRuns || reference.looseLinks) return undefined;
  const mixed = findMixedIds(alignCalls(reference.calls, now.digest.calls), now.digest.calls);
  if (!mixed || traffic.kindOf(mixed.party) !== 'service' || hasHiddenInput(mixed.party, traffic))
    return undefined;
  const call = now.calls[mixed.place] as SeenCall;
  return {
    blame: {
      party: mixed.party,
      edge: call.edge,
      rule: 4,
      because: `it mixed up ids: ${mixed.isAnswer ? 'the answer to' : 'the request of'} ${nameOf(call)} has ${mixed.id}, where ${mixed.expected} belongs`,
      evidence: [call.seq],
    },
  };
}
