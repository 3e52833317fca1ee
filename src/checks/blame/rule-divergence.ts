/** Rule 4, first divergence: the only party with the same input as in the passing run and a different output. */

import { outside } from '../../journal/topology.ts';
import { defined } from '../../kernel/defined.ts';
import { looksAtEdge } from '../../kernel/edge-name.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import { clipText } from '../../patterns/print-value.ts';
import type { AttemptView } from '../attempt-view.ts';
import { logGateId } from '../judge-logs.ts';
import { isStepCheck } from '../judge-steps.ts';
import type { CheckVerdict } from '../verdict.ts';
import type { Blame } from './blame.ts';
import { alignCalls } from './reference/align-calls.ts';
import { cameOtherwise } from './reference/arrivals.ts';
import { digestTraffic } from './reference/digest-of.ts';
import { areRelated, type Divergence, type Origins, originsOf } from './reference/divergence.ts';
import { earlierDivergences } from './reference/earlier-divergences.ts';
import { type CompareContext, callDivergences } from './reference/find-divergences.ts';
import { orderDivergences } from './reference/order-divergences.ts';
import { outputDivergences, preparedDivergences } from './reference/output-divergences.ts';
import { checkOutputName, logOutputName, sharesStore } from './reference/outputs-of.ts';
import { enoughRuns, type ReferenceCall, type ReferenceDigest } from './reference/reference-digest.ts';
import { hasStoreFailed } from './store-calls.ts';
import { type Traffic, trafficOf } from './traffic.ts';
import { openStreams, sharedPlaces, unseenInput } from './unseen-input.ts';

export interface Divergent {
  /** Set if exactly one service, or job, is the origin. */
  readonly blame?: Blame;
  /** Why no party can be named; absent if one is. */
  readonly why?: string;
  /** The party that began to differ, where that is not proven. */
  readonly suspect?: string;
  /** Parties that received something different from the passing run. */
  readonly affected: ReadonlySet<string>;
  /** By its receiver: what differs of what passed before the attempt began, where noise is known. */
  readonly before?: ReadonlyMap<string, string>;
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
  if (reference.of !== digest.of)
    return { why: 'the trial, or the system around it, has changed since it last passed', affected: none };
  if (reference.cut || digest.cut)
    return { why: 'too much traffic to compare with the passing run', affected: none };
  const aligned = alignCalls(reference.calls, digest.calls, reference.runs >= enoughRuns);
  const context: CompareContext = { reference, now, aligned, isWhole: traffic.view.ended?.end === 'done' };
  const earlier = earlierDivergences(reference, digest, traffic);
  const before = receivers(reference.runs >= enoughRuns ? earlier : []);
  const failed = verdicts.filter(
    ({ verdict, id }) =>
      verdict === 'failed' && Object.hasOwn(reference.held, id) && reference.held[id] === digest.held[id],
  );
  if (failed.length === 0)
    return {
      why: 'the failed checks were absent or different when the trial passed',
      affected: none,
      before,
    };
  const byCalls = callDivergences(context);
  const fromOwnStores = byCalls.filter((one) => isFromOwnStore(one, context, traffic));
  const found = [
    ...byCalls.filter((one) => !fromOwnStores.includes(one)),
    ...outputDivergences(
      context,
      failed.map(({ id }) => id),
      traffic,
    ),
    ...orderDivergences(failed, traffic),
    ...preparedDivergences(context, traffic),
    ...earlier,
  ];
  const affected = new Set(found.flatMap(({ to }) => to));
  if (!found.some(({ sure }) => sure))
    return { ...nothingSure(found, failed, context, traffic), affected, before };
  return { ...rootOf(found, failed, { ...context, fromOwnStores }, traffic), affected, before };
}

function receivers(some: readonly Divergence[]): ReadonlyMap<string, string> {
  const known = some.filter(({ unkept }) => !unkept);
  return new Map(known.flatMap(({ to, text }) => to.map((party) => [party, text] as const)));
}

interface Comparing extends CompareContext {
  /** They are not followed: whoever they came to caused them. */
  readonly fromOwnStores: readonly Divergence[];
}

/** What a store answers to its only user is what that user wrote, or when it asked; not so what was there before, or its trouble. */
function isFromOwnStore(one: Divergence, { reference, now }: CompareContext, traffic: Traffic): boolean {
  const { party, to, sentAt, sentThen } = one;
  if (party === null || !traffic.isStore(party)) return false;
  const [user] = to;
  if (user === undefined || sharesStore(user, traffic)) return false;
  const hasFailed = traffic.calls.some(({ seq, call }) => one.seqs.includes(seq) && hasStoreFailed(call));
  const wrote = (calls: readonly ReferenceCall[], until = Number.NEGATIVE_INFINITY): boolean =>
    calls.some(
      (call) =>
        call.from === user &&
        call.to === party &&
        !call.optional &&
        call.began < until &&
        areRelated(one, call),
    );
  return !hasFailed && (wrote(now.digest.calls, sentAt) || wrote(reference.calls, sentThen));
}

function withoutStatements({ stores: _stores, ...digest }: ReferenceDigest): ReferenceDigest {
  return { ...digest, calls: digest.calls.filter(({ about }) => about === undefined) };
}

/** The first failed check that shows a divergence, followed back to its origin; without one, all divergences. */
function rootOf(
  found: readonly Divergence[],
  failed: readonly CheckVerdict[],
  context: Comparing,
  traffic: Traffic,
): Omit<Divergent, 'affected' | 'before'> {
  const isNoiseKnown = context.reference.runs >= enoughRuns;
  const shown = failed
    .map(({ id }) => found.filter((one) => isSeenBy(id, one, traffic.view)))
    .filter((some) => some.length > 0);
  const led = shown.map((some) => ({ some, origins: originsOf(some, found, traffic) }));
  const answers = led.map(({ some, origins }) => {
    // What a failed check shows differs for certain; if it is a consequence of something else, that may be noise.
    const isShown = origins.roots.every((root) => some.includes(root));
    if (isNoiseKnown || isShown) return fromOrigins(origins, context, traffic);
    return { why: tooFew, ...suspectOf(origins.roots, traffic) };
  });
  const proven = answers.find(({ blame }) => blame);
  if (proven || !isNoiseKnown) return proven ?? answers[0] ?? { why: tooFew };
  const sure = found.filter((one) => one.sure);
  const all = fromOrigins(originsOf(sure, found, traffic), context, traffic);
  // What began elsewhere than what the checks show may be a coincidence.
  const isShown = led.some(({ origins }) => origins.roots.some(({ party }) => party === all.blame?.party));
  return isShown ? all : (answers[0] ?? all);
}

/** The only service or job among those that began to differ. */
function suspectOf(roots: readonly Divergence[], traffic: Traffic): Pick<Divergent, 'suspect'> {
  // What cannot be compared may as well be the same.
  if (roots.some(({ unkept }) => unkept)) return {};
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

function fromOrigins(
  { roots, doubts }: Origins,
  context: Comparing,
  traffic: Traffic,
): Omit<Divergent, 'affected' | 'before'> {
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
  if (first.unkept) return { why: `it cannot be told where the difference began: ${text}` };
  const doubt = doubts.find((one) => one !== first) ?? doubts[0];
  if (doubt === first)
    return { why: `${party} may have begun to differ, but that is not certain: ${text}`, ...suspect };
  if (doubt)
    return {
      why: `${party} may have begun to differ (${text}), but not everything can be compared: ${doubt.text}`,
      ...suspect,
    };
  if (!isDoer(party, traffic)) return { why: `${party} began to differ from the passing run: ${text}` };
  const unseen = unseenInput(party, roots, traffic);
  if (unseen !== undefined)
    return {
      why: `${party} began to differ (${text}), but not all of its input is observed: ${unseen}`,
      // Whoever shares a place with it, or writes to it, is as likely.
      ...(sharedPlaces(party, traffic).length + openStreams(party, traffic).length > 0 ? {} : suspect),
    };
  // Who sent it in that order is as likely.
  const otherwise = cameOtherwise(party, roots, context);
  if (otherwise !== undefined) return { why: `${party} began to differ (${text}), but ${otherwise}` };
  return { blame: toBlame(party, roots, context) };
}

/** The failed check held then, so at least this differs. */
function nothingSure(
  found: readonly Divergence[],
  failed: readonly CheckVerdict[],
  { aligned }: CompareContext,
  traffic: Traffic,
): Pick<Divergent, 'why' | 'suspect'> {
  const { view } = traffic;
  const seen = found.filter((one) => failed.some(({ id }) => isSeenBy(id, one, view)));
  const shown = seen[0] ?? found[0];
  if (shown)
    return {
      why: `the traffic differs from the passing run, perhaps by chance: ${shown.text}`,
      ...suspectOf(originsOf(seen, found, traffic).roots, traffic),
    };
  const { missing, extra } = aligned;
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
  if (read && edge !== undefined) return read.from !== '*' && read.to !== '*' && looksAtEdge([edge], read);
  if (!isStepCheck(id) && check?.kind !== 'exchange') return false;
  const name = check?.kind === 'exchange' ? check.query.exchange : id.slice('step '.length);
  // It is not known beforehand which service a step of a flow calls.
  const asked = view.record.steps.find((one) => one.name === name)?.to;
  return to.includes(outside) && (asked === undefined || asked === party);
}

function toBlame(party: string, roots: readonly Divergence[], { fromOwnStores }: Comparing): Blame {
  const first = roots.reduce((earliest, root) =>
    (root.sentAt ?? Number.POSITIVE_INFINITY) < (earliest.sentAt ?? Number.POSITIVE_INFINITY)
      ? root
      : earliest,
  );
  const from = fromOwnStores.some(({ to }) => to.includes(party)) ? ' from others' : '';
  return {
    party,
    ...defined({ edge: first.edge, edgeUnsaid: first.edgeUnsaid }),
    rule: 4,
    because: `it received the same${from} as when the trial passed, but behaved differently: ${first.text}`,
    evidence: [...new Set(roots.flatMap(({ seqs }) => seqs))],
  };
}
