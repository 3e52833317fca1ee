/** All that is drawn of an attempt: what happened in it, what is missing, what is worth a look, and which lanes are open at first. */
import type { TrialVerdict } from '../../../checks/verdict.ts';
import { align, type Pair, type Pairing } from '../compare/align.ts';
import { type Conversation, conversationsOf } from '../conversation/conversations.ts';
import type { ReportedAttempt } from '../embedded-report.ts';
import { ghostOf, type Item, itemsOf, shakedown } from '../sequence/items.ts';
import { type Lane, laneOf, lanesOf, openLanes } from '../sequence/lanes.ts';
import { badChecks } from './failure.ts';

/** Where checks and blame rest, and what differs from the passing attempt. */
export interface Emphasis {
  readonly blamed: ReadonlySet<string>;
  readonly blameSeqs: ReadonlySet<number>;
  readonly checkSeqs: ReadonlySet<number>;
  readonly pairings: ReadonlyMap<number, Pairing>;
}

export interface AttemptStory {
  /** With those that only the attempt that passed had. */
  readonly items: readonly Item[];
  readonly pairs: readonly Pair[];
  readonly lanes: readonly Lane[];
  readonly openAtFirst: ReadonlySet<string>;
  readonly emphasis: Emphasis;
  readonly conversations: readonly Conversation[];
}

export function storyOf(
  attempt: ReportedAttempt,
  reference: ReportedAttempt | undefined,
  verdict: TrialVerdict,
): AttemptStory {
  const own = itemsOf(attempt, new Set(badChecks(verdict).map(({ id }) => id)));
  const pairs = reference ? align(own, itemsOf(reference)) : [];
  const items = withGhosts(own, pairs);
  const lanes = lanesOf(attempt, items);
  const emphasis = emphasisOf(verdict, pairs);
  const { party, suspect, edge } = verdict.blame ?? {};
  const named = [party, suspect, ...(edge?.split(' -> ') ?? [])];
  const parties = named.filter((name) => typeof name === 'string');
  const differing = items.filter(({ seq }) => seq < 0 || emphasis.pairings.get(seq) === 'only-here');
  const seqs = [...emphasis.blameSeqs, ...emphasis.checkSeqs, ...differing.map(({ seq }) => seq)];
  const openAtFirst = openLanes(lanes, items, { parties, seqs: new Set(seqs) });
  return { items, pairs, lanes, openAtFirst, emphasis, conversations: conversationsOf(own, attempt.events) };
}

function withGhosts(own: readonly Item[], pairs: readonly Pair[]): readonly Item[] {
  const ghosts = pairs.flatMap(({ there, pairing, at }) =>
    there && pairing === 'only-there' ? [ghostOf(there, at)] : [],
  );
  return [...own, ...ghosts].sort((a, b) => a.at - b.at);
}

function emphasisOf(verdict: TrialVerdict, pairs: readonly Pair[]): Emphasis {
  const { blame } = verdict;
  const blamed = blame?.party ?? blame?.suspect;
  return {
    blamed: new Set(blamed === undefined || blamed === null ? [] : [laneOf(blamed)]),
    blameSeqs: new Set(blame?.evidence ?? []),
    checkSeqs: new Set(badChecks(verdict).flatMap(({ evidence }) => evidence)),
    pairings: new Map(
      pairs.flatMap(({ here, pairing }) =>
        here && here.kind !== 'check' ? [[here.seq, pairing] as const] : [],
      ),
    ),
  };
}

/** Events that are no rows, such as the end of a step, can be looked at, too. */
export function eventItem({ events }: ReportedAttempt, seq: number | undefined): Item | undefined {
  const event = events.find((one) => one.seq === seq);
  if (!event) return undefined;
  const place = 'service' in event ? String(event.service) : shakedown;
  const label = event.type === 'step.ended' ? `step ${event.step}: ${event.outcome}` : event.type;
  return { seq: event.seq, kind: 'step', at: event.at, from: place, to: place, label, event };
}
