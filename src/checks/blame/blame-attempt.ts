/** `blameAttempt`: the party to blame for a failed attempt, by ordered rules. A wrong name is worse than none. Pure. */
import { outside } from '../../journal/topology.ts';
import { defined } from '../../kernel/defined.ts';
import type { AttemptView } from '../attempt-view.ts';
import { unfeltDisturbs } from '../judge-disturbs.ts';
import { isScriptFault, sentAgainBy, spentBudget } from '../judge-scripts.ts';
import type { CheckVerdict } from '../verdict.ts';
import type { Blame } from './blame.ts';
import { involvedParties } from './involved-parties.ts';
import { blameRung } from './ladder.ts';
import { isDigest, type ReferenceDigest } from './reference/reference-digest.ts';
import { compareWithReference, type Divergent } from './rule-divergence.ts';
import { blameIllegal } from './rule-illegal.ts';
import { blameComplaint, blameOwnFailure } from './rule-own-failure.ts';
import { blameRelay } from './rule-relay.ts';
import { blameSilence } from './rule-silent.ts';
import { blameDeath, blameUnreachable } from './rule-unreachable.ts';
import { mostBlamedCalls, type Traffic, trafficOf } from './traffic.ts';

/**
 * `reference` comes from passing runs of the same trial; `usualElsewhere` are faults that were seen in other passing
 * trials. Null if nothing failed.
 */
export function blameAttempt(
  view: AttemptView,
  verdicts: readonly CheckVerdict[],
  reference?: ReferenceDigest,
  usualElsewhere: readonly string[] = [],
): Blame | null {
  if (!hasFailed(view, verdicts) || spentBudget(view)) return null;
  const traffic = trafficOf(view);
  const known = isDigest(reference) ? reference : undefined;
  const divergent = known && compareWithReference(traffic, verdicts, known);
  const usual = new Set([...(known?.usual ?? []), ...usualElsewhere]);
  const candidates = [
    () => blameDeath(traffic),
    () => blameRung(traffic, verdicts),
    () => blameUnreachable(traffic, usual),
    () => blameSilence(traffic, verdicts),
    () => blameIllegal(traffic, usual),
    () => blameOwnFailure(traffic, usual),
    () => blameComplaint(traffic, verdicts),
    () => blameRelay(traffic, usual),
    () => divergent?.blame,
  ];
  const involved = involvedParties(view, verdicts);
  // The performer of the trial, and the peers that we play for it, did what the trial says.
  const isSuspect = (party: string | null): boolean =>
    party !== null && party !== outside && !traffic.isPlayed(party) && involved.has(party);
  for (const candidate of candidates) {
    const blame = candidate();
    if (!blame || !isSuspect(blame.party)) continue;
    return isContradicted(blame, divergent)
      ? blameUnknown(traffic, involved, divergent, contradiction(blame, divergent))
      : blame;
  }
  return blameUnknown(traffic, involved, divergent);
}

function hasFailed({ ended }: AttemptView, verdicts: readonly CheckVerdict[]): boolean {
  const badEnds = ['timeout', 'step-failed', 'flow-failed'];
  return (
    verdicts.some(({ verdict }) => verdict === 'failed') ||
    (ended !== undefined && badEnds.includes(ended.end))
  );
}

/** It misbehaved, but only after it had received something new from another party. */
function isContradicted({ party, rule }: Blame, divergent: Divergent | undefined): boolean {
  if (rule === 4 || party === null || !divergent?.affected.has(party)) return false;
  if (divergent.before?.has(party)) return true;
  if (rule === 'ladder') return false;
  return divergent.blame !== undefined && divergent.blame.party !== party;
}

function contradiction({ party, because }: Blame, divergent: Divergent | undefined): string {
  const before = divergent?.before?.get(party ?? '');
  if (before !== undefined) return `${party} misbehaved (${because}), but ${before}`;
  return `${party} misbehaved (${because}), but ${divergent?.blame?.party} had sent something different from the passing run`;
}

/** `known` is what is known but does not suffice. */
function blameUnknown(
  traffic: Traffic,
  involved: ReadonlySet<string>,
  divergent: Divergent | undefined,
  known?: string,
): Blame {
  const suspect = known === undefined ? divergent?.suspect : (divergent?.blame?.party ?? undefined);
  const isMeant = (party: string): boolean =>
    suspect === undefined ? involved.has(party) : party === suspect;
  const because = [known ?? whyUnknown(traffic, divergent), whatWouldShow(traffic, divergent, isMeant)]
    .filter(Boolean)
    .join('; ');
  return { party: null, ...defined({ suspect }), rule: 5, because, evidence: [] };
}

function whyUnknown(traffic: Traffic, divergent: Divergent | undefined): string {
  const { view } = traffic;
  const [unfelt] = unfeltDisturbs(view);
  if (unfelt && view.ended?.end === 'done') return `${unfelt.name} on ${unfelt.edge} was never felt`;
  if (view.calls.length > mostBlamedCalls)
    return `more than ${mostBlamedCalls} calls crossed the edges, too many to be compared`;
  const asked = view.modelCalls.find(({ fault }) => isScriptFault(fault?.kind));
  const again = asked && sentAgainBy(view, asked);
  if (again !== undefined)
    return `${again} sent a request a second time, and the script of ${asked?.resource} has no line for it`;
  if (asked && !divergent)
    return `${asked.caller} made a request that is not in the script of ${asked.resource}, and it cannot be decided which of the two is wrong`;
  return divergent?.why ?? 'no party died, was silent, or broke a rule of a protocol or a relay';
}

/** The unread edges that matter: of the suspect, or, where there is none, of those that may have contributed. */
function whatWouldShow(
  traffic: Traffic,
  divergent: Divergent | undefined,
  isMeant: (party: string) => boolean,
): string {
  const { view } = traffic;
  if (!divergent) return 'once a whole run has passed, the next failure of this trial is compared with it';
  // Those of the harness itself and of jobs before the first step matter to nobody.
  const matters = (party: string): boolean => party !== outside && traffic.kindOf(party) !== 'job';
  const edges = (view.topology?.edges ?? [])
    .filter(({ from, to }) => matters(from) && (isMeant(from) || isMeant(to)))
    .flatMap(({ from, to }) => traffic.unseenFrom(from).filter((edge) => edge.to === to))
    .map(({ edge }) => edge);
  const unread = [...new Set(edges)].slice(0, 3);
  if (unread.length > 0) return `traffic on ${unread.join(', ')} cannot be observed`;
  const services = (view.topology?.parties ?? []).filter(({ kind }) => kind === 'service');
  const untapped = services.filter(
    ({ name }) => !view.topology?.edges.some(({ from, to }) => from === name || to === name),
  );
  const [first] = untapped;
  return first ? `no edge leads to or from ${first.name}: refer to it by \`\${${first.name}.url}\`` : '';
}
