/** Sabotages one attempt: each of its checks, and what none of them reads. */
import { type AttemptView, viewAttempt } from '../../checks/attempt-view.ts';
import { derivedKinds } from '../../checks/derived-queries.ts';
import type { AttemptEvent } from '../../journal/trial-event.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import { type CheckUnderTest, checksUnderTest } from './check-under-test.ts';
import { examineDerived } from './derived-vitality.ts';
import { findExposures } from './exposure.ts';
import type { RunFacts } from './run-facts.ts';
import { testControlled } from './test-controlled.ts';
import { twinGuards } from './twin-places.ts';
import { awaitedEdges, findUnreadCalls } from './unread-calls.ts';
import { examine, type Vitality } from './vitality.ts';

export interface ExaminedCheck extends Named, Omit<Vitality, 'vital' | 'guards'> {
  /** Null if it cannot be examined: a closure, or a check that asserts only on failures. */
  readonly vital: boolean | null;
  /** The places where no mutant survived. */
  readonly guards: readonly string[];
}

export interface Subject {
  readonly view: AttemptView;
  readonly checksUnderTest: readonly CheckUnderTest[];
}

export function subjectOf(events: readonly AttemptEvent[]): Subject | undefined {
  const view = viewAttempt(events);
  return view && { view, checksUnderTest: checksUnderTest(view) };
}

export function sabotageAttempt({ view, checksUnderTest }: Subject, facts: RunFacts) {
  const examined = checksUnderTest.map((checkUnderTest) => ({
    checkUnderTest,
    vitality: examine(checkUnderTest, testControlled(view, checkUnderTest), facts),
  }));
  const derived = derivedChecks(view);
  const checks = [
    ...examined.map(({ checkUnderTest, vitality }) => toCheck(checkUnderTest, vitality)),
    ...derived.map(({ check }) => check),
    ...unseen(view, checksUnderTest),
  ];
  const readers = examined.map(({ checkUnderTest, vitality: { guards } }) => ({ checkUnderTest, guards }));
  const guards = new Set([
    ...readers.flatMap(({ checkUnderTest, guards }) =>
      [...guards].map((path) => `${checkUnderTest.source} ${path}`),
    ),
    ...twinGuards(view, readers),
    ...derived.flatMap(({ places }) => [...places]),
  ]);
  const { exposures, counterfactual } = findExposures(view, checksUnderTest, guards, checks.length);
  const read = new Set([...readEdges(view, checks), ...awaitedEdges(view)]);
  const calls = findUnreadCalls(view, read, checks.length);
  return { checks, exposures: [...exposures, ...calls.exposures], counterfactual, edges: calls.edges };
}

type Named = Pick<CheckUnderTest, 'id' | 'line' | 'source'>;

function toCheck({ id, line, source }: Named, { guards, ...vitality }: Vitality): ExaminedCheck {
  return { id, line, source, ...vitality, guards: [...guards] };
}

function derivedChecks(view: AttemptView) {
  return view.checks
    .filter(({ kind }) => derivedKinds.includes(kind))
    .map((check) => {
      const examined = examineDerived(check, view);
      if (!examined)
        return { check: notExamined(check, 'it asserts only on failures'), places: new Set<string>() };
      const { places, ...vitality } = examined;
      return { check: toCheck(check, vitality), places };
    });
}

/** Checks for which the journal has nothing to falsify. */
function unseen(view: AttemptView, checksUnderTest: readonly CheckUnderTest[]): readonly ExaminedCheck[] {
  const known = new Set(checksUnderTest.map(({ id }) => id));
  return view.checks
    .filter(({ id, kind }) => !known.has(id) && !derivedKinds.includes(kind))
    .map((check) =>
      notExamined(
        check,
        check.opaque ? 'a closure decides it' : 'nothing that it observed is in the journal',
      ),
    );
}

function notExamined({ id, line, source }: Named, why: string): ExaminedCheck {
  return { id, line, source, vital: null, kind: null, why, mutants: 0, killed: 0, guards: [] };
}

/** Edges on which a missing call would make a check fail. */
function readEdges({ checks: records }: AttemptView, checks: readonly ExaminedCheck[]): ReadonlySet<string> {
  const vital = new Set(checks.flatMap(({ id, vital: isVital }) => (isVital ? [id] : [])));
  return new Set(
    records
      .filter(({ id }) => vital.has(id))
      .flatMap(({ kind, query, id }) => {
        const edge = checkKind(kind)?.edge?.(query);
        if (edge) return [`${edge.from} -> ${edge.to}`];
        return derivedKinds.includes(kind) ? (checks.find((one) => one.id === id)?.guards ?? []) : [];
      }),
  );
}
