/** Sabotages one attempt: each of its checks, and what none of them reads. */
import { type AttemptView, viewAttempt } from '../../checks/attempt-view.ts';
import { derivedKinds } from '../../checks/derived-queries.ts';
import type { AttemptEvent } from '../../journal/trial-event.ts';
import { defined } from '../../kernel/defined.ts';
import { looksAtEdge } from '../../kernel/edge-name.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import { type CheckUnderTest, checksUnderTest } from './check-under-test.ts';
import { examineDerived } from './derived-vitality.ts';
import { findExposures } from './exposure.ts';
import type { ReplayedCheck, ReplayedChecks } from './replay/examine-flow.ts';
import type { RunFacts } from './run-facts.ts';
import { namedValues } from './source-facts.ts';
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

/** `replayed`: for a flow, the checks that its code decides. `other`: the same trial in an earlier run. */
export function sabotageAttempt(
  { view, checksUnderTest }: Subject,
  facts: RunFacts,
  replayed?: ReplayedChecks,
  other?: AttemptView,
) {
  const named = namedValues(view);
  const examined = checksUnderTest.map((checkUnderTest) => {
    const own = testControlled(view, checkUnderTest);
    const byCode = replayed?.get(checkUnderTest.id);
    return {
      checkUnderTest,
      vitality: examine(checkUnderTest, { own, named, facts, ...defined({ replayed: byCode }) }),
    };
  });
  const derived = derivedChecks(view);
  const checks = [
    ...examined.map(({ checkUnderTest, vitality }) =>
      isUndecided(checkUnderTest, vitality, replayed)
        ? notExamined(checkUnderTest, 'the code of the flow decides it, and could not be run again')
        : toCheck(checkUnderTest, vitality),
    ),
    ...derived.map(({ check }) => check),
    ...unseen(view, checksUnderTest, replayed),
  ];
  const readers = examined.map(({ checkUnderTest, vitality: { guards } }) => ({ checkUnderTest, guards }));
  const guards = new Set([
    ...readers.flatMap(({ checkUnderTest, guards }) =>
      [...guards].map((path) => `${checkUnderTest.source} ${path}`),
    ),
    ...twinGuards(view, readers),
    ...derived.flatMap(({ places }) => [...places]),
  ]);
  const taken = new Set(view.checks.map(({ id }) => id));
  const { exposures, counterfactual } = findExposures(view, checksUnderTest, {
    guards,
    taken,
    checks: checks.length,
    guardsOf: (check) => examine(check, { own: testControlled(view, check), named, facts }).guards,
    ...defined({ other }),
  });
  const read = new Set([...readEdges(view, checks), ...awaitedEdges(view)]);
  const calls = findUnreadCalls(view, read, checks.length, taken);
  return { checks, exposures: [...exposures, ...calls.exposures], counterfactual, edges: calls.edges };
}

/** That another value would fail proves nothing where code computes the value, and that code did not run again. */
function isUndecided(
  { id, kind }: Pick<CheckUnderTest, 'id' | 'kind'>,
  { vital }: Vitality,
  replayed: ReplayedChecks = new Map(),
): boolean {
  return kind === 'value' && vital && !replayed.has(id);
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
function unseen(
  view: AttemptView,
  checksUnderTest: readonly CheckUnderTest[],
  replayed: ReplayedChecks = new Map(),
): readonly ExaminedCheck[] {
  const known = new Set(checksUnderTest.map(({ id }) => id));
  return view.checks
    .filter(({ id, kind }) => !known.has(id) && !derivedKinds.includes(kind))
    .map((check) => {
      const byCode = check.opaque && replayed.get(check.id);
      if (byCode) return closure(check, byCode);
      const why = check.opaque ? 'a closure decides it' : 'nothing that it observed is in the journal';
      return notExamined(check, why);
    });
}

function closure({ id, line, source }: Named, { vital, mutants, killed }: ReplayedCheck): ExaminedCheck {
  const why = `the closure is true whatever the flow is given: it held with ${mutants} mutants of the answers`;
  const fault = vital ? { kind: null, why: null } : { kind: 'tautological' as const, why };
  return { id, line, source, vital, ...fault, mutants, killed, guards: [] };
}

function notExamined({ id, line, source }: Named, why: string): ExaminedCheck {
  return { id, line, source, vital: null, kind: null, why, mutants: 0, killed: 0, guards: [] };
}

/** Edges on which a missing call would make a check fail. */
function readEdges(
  { checks: records, calls }: AttemptView,
  checks: readonly ExaminedCheck[],
): ReadonlySet<string> {
  const vital = new Set(checks.flatMap(({ id, vital: isVital }) => (isVital ? [id] : [])));
  return new Set(
    records
      .filter(({ id }) => vital.has(id))
      .flatMap(({ kind, query, id }) => {
        const edge = checkKind(kind)?.edge?.(query);
        const isPlain = edge?.from !== '*' && edge?.to !== '*';
        if (edge && isPlain)
          return calls.map((seen) => seen.edge).filter((name) => looksAtEdge([name], edge));
        return derivedKinds.includes(kind) ? (checks.find((one) => one.id === id)?.guards ?? []) : [];
      }),
  );
}
