/** Classifies each test from all mutants: vital, vacuous or unproven, and which mutants survived it. Pure. */

import { mutantText } from '../../../journal/mutant-kinds.ts';
import type { ObservedTest } from '../../../journal/observation.ts';
import { defined } from '../../../kernel/defined.ts';
import type { ForeignFinding, ForeignOutcome, MutatedRun, TestState } from './foreign-sabotage.ts';
import { wholeCommand } from './judge-mutated-run.ts';

/** One mutant, with the outcome of each test and which tests certainly met it. */
export interface ReportedMutant extends MutatedRun {
  /** `api -> db`: where it was applied. */
  readonly edges: readonly string[];
  readonly met: ReadonlySet<string>;
}

/** `healthy` are the tests that passed in the healthy run. */
export function judgeForeign(healthy: readonly ObservedTest[], runs: readonly ReportedMutant[]) {
  const met = runs.filter(({ outcome }) => outcome !== 'not-met');
  const judged = healthy.map((test) => judgeTest(test, met));
  return {
    tests: judged.map(({ test }) => test),
    findings: judged.flatMap(({ findings }) => findings),
    mutants: met.reduce((sum, { tests }) => sum + Object.values(tests).filter(shows).length, 0),
  };
}

function shows(outcome: ForeignOutcome | undefined): boolean {
  return outcome === 'green' || outcome === 'red' || outcome === 'skipped';
}

function judgeTest(test: ObservedTest, runs: readonly ReportedMutant[]) {
  const { id, file, line } = test;
  const by = (...wanted: readonly ForeignOutcome[]): readonly ReportedMutant[] =>
    runs.filter(({ tests }) => wanted.includes(tests[id] ?? 'not-met'));
  const green = by('green', 'skipped');
  const state: TestState =
    by('red').length > 0 ? 'vital' : isVacuous(test, green, runs) ? 'vacuous' : 'unproven';
  const place = defined({ file, line });
  return {
    test: {
      id,
      ...place,
      state,
      noticed: by('red').map(nameOf),
      staysGreen: green.map(nameOf),
      neverTouches: green.filter((mutant) => relation(test, mutant) === 'never').map(nameOf),
      provesNothing: by('proves-nothing').map(nameOf),
    },
    findings: findingsOf(test, state, green).map((finding) => ({ ...finding, test: id, ...place })),
  };
}

/** It met a mutant that concerns it, and everything that it may use can be mutated. */
function isVacuous(
  test: ObservedTest,
  green: readonly ReportedMutant[],
  runs: readonly ReportedMutant[],
): boolean {
  if (touchesNothing(test)) return green.length > 0;
  const services = Map.groupBy(runs, ({ service }) => service);
  const unasked = [...services.values()].filter((group) => !group.some(({ tests }) => shows(tests[test.id])));
  const mayUseUnasked = unasked.some((group) => group.some((mutant) => relation(test, mutant) !== 'never'));
  return !mayUseUnasked && green.some((mutant) => relation(test, mutant) !== 'never');
}

type Finding = Omit<ForeignFinding, 'test' | 'file' | 'line'>;

function findingsOf(
  test: ObservedTest,
  state: TestState,
  green: readonly ReportedMutant[],
): readonly Finding[] {
  if (state === 'vacuous')
    return [{ service: '*', mutant: '*', kind: 'cannot-fail', text: whyVacuous(test, green) }];
  return green
    .filter((mutant) => relation(test, mutant) === 'depends')
    .map(({ service, mutant, tests }) => ({
      service,
      mutant,
      kind: 'stays-green' as const,
      text: `it ${tests[test.id] === 'skipped' ? 'skips itself' : 'stays green'} with ${service} ${mutantText[mutant]}, which it met`,
    }));
}

/** `depends`: it certainly met the mutant. `never`: nothing called the mutated service while it may have run. */
function relation(test: ObservedTest, mutant: ReportedMutant): 'depends' | 'never' | 'unknown' {
  const { touches, mayTouch = [] } = test;
  const uses = mutant.edges.some((edge) => touches && Object.hasOwn(touches, edge));
  // Calls made while it ran may be work left by an earlier test: they count only if the healthy run has them, too.
  const met = mutant.met.has(test.id) && (uses || !touches);
  if ((met || test.id === wholeCommand) && isSentToAll(mutant)) return 'depends';
  if (!touches) return 'unknown';
  const isNear = uses || mutant.met.has(test.id) || mutant.edges.some((edge) => mayTouch.includes(edge));
  return isNear ? 'unknown' : 'never';
}

/** Its time is known, and nothing was called then. */
function touchesNothing({ touches, mayTouch = [] }: ObservedTest): boolean {
  return touches !== undefined && Object.keys(touches).length + mayTouch.length === 0;
}

/**
 * Answers of others are given call by call, as the healthy run made them: once a test has failed and left calls out,
 * the answer given to the next test may happen to be the right one.
 */
function isSentToAll({ mutant, tests }: ReportedMutant): boolean {
  return mutant !== 'other-tenant' || Object.values(tests).every((outcome) => outcome === 'green');
}

function whyVacuous(test: ObservedTest, green: readonly ReportedMutant[]): string {
  const skipped = green.filter(({ tests }) => tests[test.id] === 'skipped').length;
  const does =
    skipped === 0 ? 'stays green' : skipped === green.length ? 'skips itself' : 'stays green or skips itself';
  const runs = green.length === 1 ? 'the one mutant' : `all ${green.length} mutants`;
  const what = `${does} under ${runs} that it could have killed`;
  if (touchesNothing(test)) return `it ${what}, and touches nothing of the system`;
  return `it ${what}: nothing that it asserts depends on the system`;
}

function nameOf({ service, mutant }: MutatedRun): string {
  return `${service} ${mutant}`;
}
