/** From all lies that were told to what each test is worth: vital, vacuous, or unproven, and which lies it believed. Pure. */
import type { ObservedTest } from '../../../journal/observation.ts';
import { lieWords } from '../live/sabotage-live.ts';
import type { ForeignFinding, ForeignOutcome, ForeignTest, LiedRun, TestState } from './foreign-sabotage.ts';
import { wholeCommand } from './judge-lied-run.ts';

export interface JudgedTests {
  readonly tests: readonly ForeignTest[];
  readonly findings: readonly ForeignFinding[];
  readonly mutants: number;
}

/** One lie, with what the tests did under it and which of them surely met it. */
export interface ToldLie extends LiedRun {
  /** `api -> db`: where it was told. */
  readonly edges: readonly string[];
  readonly met: ReadonlySet<string>;
}

/** `healthy` are the tests that passed when nobody lied. */
export function judgeForeign(healthy: readonly ObservedTest[], lies: readonly ToldLie[]): JudgedTests {
  const met = lies.filter(({ outcome }) => outcome !== 'not-met');
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

function judgeTest(
  test: ObservedTest,
  lies: readonly ToldLie[],
): { readonly test: ForeignTest; readonly findings: readonly ForeignFinding[] } {
  const { id, file, line } = test;
  const by = (...wanted: readonly ForeignOutcome[]): readonly ToldLie[] =>
    lies.filter(({ tests }) => wanted.includes(tests[id] ?? 'not-met'));
  const green = by('green', 'skipped');
  const state: TestState =
    by('red').length > 0 ? 'vital' : isBelieving(test, green, lies) ? 'vacuous' : 'unproven';
  const place = { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) };
  return {
    test: {
      id,
      ...place,
      state,
      noticed: by('red').map(nameOf),
      staysGreen: green.map(nameOf),
      neverTouches: green.filter((lie) => relation(test, lie) === 'never').map(nameOf),
      provesNothing: by('proves-nothing').map(nameOf),
    },
    findings: findingsOf(test, state, green).map((finding) => ({ ...finding, test: id, ...place })),
  };
}

/** It was told a lie that concerns it, and there is nobody whom it may use and who could not lie to it. */
function isBelieving(test: ObservedTest, green: readonly ToldLie[], lies: readonly ToldLie[]): boolean {
  if (touchesNothing(test)) return green.length > 0;
  const services = Map.groupBy(lies, ({ service }) => service);
  const unasked = [...services.values()].filter((told) => !told.some(({ tests }) => shows(tests[test.id])));
  const mayUseUnasked = unasked.some((told) => told.some((lie) => relation(test, lie) !== 'never'));
  return !mayUseUnasked && green.some((lie) => relation(test, lie) !== 'never');
}

type Finding = Omit<ForeignFinding, 'test' | 'file' | 'line'>;

function findingsOf(test: ObservedTest, state: TestState, green: readonly ToldLie[]): readonly Finding[] {
  if (state === 'vacuous')
    return [{ service: '*', lie: '*', kind: 'cannot-fail', text: whyVacuous(test, green) }];
  return green
    .filter((lie) => relation(test, lie) === 'depends')
    .map(({ service, lie, tests }) => ({
      service,
      lie,
      kind: 'stays-green' as const,
      text: `it ${tests[test.id] === 'skipped' ? 'skips itself' : 'stays green'} with ${service} ${lieWords[lie]}, which it met`,
    }));
}

/** `depends`: it surely met the lie. `never`: in all the time in which it may have run, nobody spoke to the one who lied. */
function relation(test: ObservedTest, lie: ToldLie): 'depends' | 'never' | 'unknown' {
  const { touches, mayTouch = [] } = test;
  const uses = lie.edges.some((edge) => touches && Object.hasOwn(touches, edge));
  // What was spoken while it ran may have been work that an earlier test had left: it counts where the healthy run has it, too.
  const met = lie.met.has(test.id) && (uses || !touches);
  if ((met || test.id === wholeCommand) && isLieToAll(lie)) return 'depends';
  if (!touches) return 'unknown';
  const isNear = uses || lie.met.has(test.id) || lie.edges.some((edge) => mayTouch.includes(edge));
  return isNear ? 'unknown' : 'never';
}

/** Where it is known when it ran, and nothing was called then. */
function touchesNothing({ touches, mayTouch = [] }: ObservedTest): boolean {
  return touches !== undefined && Object.keys(touches).length + mayTouch.length === 0;
}

/**
 * Answers of others are given call by call, as the healthy run made them: once a test has failed and left calls out, what the next
 * one is given may happen to be the truth.
 */
function isLieToAll({ lie, tests }: ToldLie): boolean {
  return lie !== 'other-tenant' || Object.values(tests).every((outcome) => outcome === 'green');
}

function whyVacuous(test: ObservedTest, green: readonly ToldLie[]): string {
  const skipped = green.filter(({ tests }) => tests[test.id] === 'skipped').length;
  const does =
    skipped === 0 ? 'stays green' : skipped === green.length ? 'skips itself' : 'stays green or skips itself';
  const lies = green.length === 1 ? 'the one lie' : `all ${green.length} lies`;
  const what = `${does} under ${lies} that it could have noticed`;
  if (touchesNothing(test)) return `it ${what}, and touches nothing of the system`;
  return `it ${what}: nothing that it asserts depends on the system`;
}

function nameOf({ service, lie }: LiedRun): string {
  return `${service} ${lie}`;
}
