/** One attempt put to the test: each of its checks, and what none of them reads. */
import { type AttemptView, viewAttempt } from '../../checks/attempt-view.ts';
import { derivedKinds } from '../../checks/derived/derived-queries.ts';
import type { AttemptEvent } from '../../journal/trial-event.ts';
import { examineDerived } from './derived-vitality.ts';
import { type Examinee, examineesOf } from './examinee.ts';
import { type Counterfactual, type Exposure, findExposures } from './exposure.ts';
import { ownDoing } from './own-doing.ts';
import type { RunKnowledge } from './run-knowledge.ts';
import { twinGuards } from './twin-places.ts';
import { awaitedEdges, type EdgeScore, findUnreadCalls } from './unread-calls.ts';
import { examine, type Vacuity, type Vitality } from './vitality.ts';

export interface ExaminedCheck {
  readonly id: string;
  readonly line: number;
  /** Null for what cannot be examined: a closure, or what says itself only when something fails. */
  readonly vital: boolean | null;
  readonly kind: Vacuity | null;
  readonly why: string | null;
  readonly mutants: number;
  readonly killed: number;
  readonly source: string;
  /** The places about which it believes no lie. */
  readonly guards: readonly string[];
}

export interface ExaminedAttempt {
  readonly checks: readonly ExaminedCheck[];
  readonly exposures: readonly Exposure[];
  readonly counterfactual: readonly Counterfactual[];
  readonly edges: readonly EdgeScore[];
}

export interface Subject {
  readonly view: AttemptView;
  readonly examinees: readonly Examinee[];
}

export function subjectOf(events: readonly AttemptEvent[]): Subject | undefined {
  const view = viewAttempt(events);
  return view && { view, examinees: examineesOf(view) };
}

export function sabotageAttempt({ view, examinees }: Subject, knowledge: RunKnowledge): ExaminedAttempt {
  const examined = examinees.map((examinee) => ({
    examinee,
    vitality: examine(examinee, ownDoing(view, examinee), knowledge),
  }));
  const derived = derivedChecks(view);
  const checks = [
    ...examined.map(({ examinee, vitality }) => toCheck(examinee, vitality)),
    ...derived.map(({ check }) => check),
    ...unseen(view, examinees),
  ];
  const readers = examined.map(({ examinee, vitality: { guards } }) => ({ examinee, guards }));
  const guards = new Set([
    ...readers.flatMap(({ examinee, guards }) => [...guards].map((path) => `${examinee.source} ${path}`)),
    ...twinGuards(view, readers),
    ...derived.flatMap(({ places }) => [...places]),
  ]);
  const { exposures, counterfactual } = findExposures(view, examinees, guards, checks.length);
  const read = new Set([...readEdges(view, checks), ...awaitedEdges(view)]);
  const calls = findUnreadCalls(view, read, checks.length);
  return { checks, exposures: [...exposures, ...calls.exposures], counterfactual, edges: calls.edges };
}

function toCheck(
  { id, line, source }: Pick<Examinee, 'id' | 'line' | 'source'>,
  { guards, ...vitality }: Vitality,
): ExaminedCheck {
  return { id, line, source, ...vitality, guards: [...guards] };
}

interface DerivedCheck {
  readonly check: ExaminedCheck;
  readonly places: ReadonlySet<string>;
}

function derivedChecks(view: AttemptView): readonly DerivedCheck[] {
  return view.checks
    .filter(({ kind }) => derivedKinds.includes(kind))
    .map((check) => {
      const examined = examineDerived(check, view);
      if (!examined)
        return { check: notExamined(check, 'it speaks only of what went wrong'), places: new Set() };
      const { places, ...vitality } = examined;
      return { check: toCheck(check, vitality), places };
    });
}

/** Those for which the journal holds nothing that could be falsified. */
function unseen(view: AttemptView, examinees: readonly Examinee[]): readonly ExaminedCheck[] {
  const known = new Set(examinees.map(({ id }) => id));
  return view.checks
    .filter(({ id, kind }) => !known.has(id) && !derivedKinds.includes(kind))
    .map((check) =>
      notExamined(check, check.opaque ? 'a closure decides it' : 'nothing that it saw is in the journal'),
    );
}

function notExamined(
  { id, line, source }: { readonly id: string; readonly line: number; readonly source: string },
  why: string,
): ExaminedCheck {
  return { id, line, source, vital: null, kind: null, why, mutants: 0, killed: 0, guards: [] };
}

/** Edges on which a call that is missing would be noticed; `*` where the world is closed. */
function readEdges({ checks: records }: AttemptView, checks: readonly ExaminedCheck[]): ReadonlySet<string> {
  const vital = new Set(checks.flatMap(({ id, vital: isVital }) => (isVital ? [id] : [])));
  return new Set(
    records
      .filter(({ id }) => vital.has(id))
      .flatMap(({ kind, source, id }) => {
        if (kind === 'calls') return [source.replace(/^calls /, '')];
        if (kind === 'changes') return source.includes('calls') ? ['*'] : [];
        return derivedKinds.includes(kind) ? (checks.find((one) => one.id === id)?.guards ?? []) : [];
      }),
  );
}
