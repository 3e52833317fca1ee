/** Whether a check can fail: some mutant that a broken system could produce must make it fail. */
import { isContainer } from '../../kernel/exact-json.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import { stepField, stepOutcomes } from '../../kinds/step-kinds.ts';
import { matchPattern } from '../../patterns/match-pattern.ts';
import { type Claims, claimsOf } from '../../patterns/mutants/claims-of.ts';
import { applyMutant, type Mutant, pathOf, valueAt } from '../../patterns/mutants/mutant.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import { parsePath } from '../../patterns/value-path.ts';
import type { CheckUnderTest } from './check-under-test.ts';
import { declaredWords, refusedField } from './declared-away.ts';
import { impossibleCondition } from './impossible-condition.ts';
import { mutantsFor, mutantsUndeclared } from './mutants-for.ts';
import { deniedBy, isPlausible } from './plausible-mutant.ts';
import type { ReplayedCheck } from './replay/examine-flow.ts';
import type { RunFacts } from './run-facts.ts';
import type { NamedValues } from './source-facts.ts';
import type { TestControlled } from './test-controlled.ts';
import { likePath } from './walk-places.ts';

export type Vacuity =
  /** It reads nothing that the system decides. */
  | 'reads-nothing'
  /** It holds for any value in place of what it reads. */
  | 'accepts-anything'
  /** It holds for every outcome. */
  | 'any-outcome'
  /** It looks for something that is nowhere in the run. */
  | 'unknown-field'
  /** It repeats what the trial itself has sent. */
  | 'tautological'
  /** It asserts on list elements, but the list was empty. */
  | 'nothing-there';

export interface Vitality {
  readonly vital: boolean;
  readonly kind: Vacuity | null;
  /** One sentence, with the mutant that survived. */
  readonly why: string | null;
  readonly mutants: number;
  readonly killed: number;
  /** Places where no mutant survived, without element indexes. */
  readonly guards: ReadonlySet<string>;
}

/** The outcomes of the mutants. */
interface Tally {
  readonly guards: Set<string>;
  readonly survived: Mutant[];
  /** Killed, but no proof: see `Vacuity`. */
  readonly tautologies: Mutant[];
  readonly implausible: Mutant[];
  values: number;
  lists: number;
  counts: number;
  killed: number;
}

/** What is known of the trial of a check, and of the whole run. */
export interface Circumstances {
  readonly own: TestControlled;
  readonly named: NamedValues;
  readonly facts: RunFacts;
  /** In a flow, where code decides. */
  readonly replayed?: ReplayedCheck;
}

export function examine(checkUnderTest: CheckUnderTest, circumstances: Circumstances): Vitality {
  const { own, named, facts, replayed } = circumstances;
  const mutants = mutantsFor(checkUnderTest, own, facts);
  const claims = claimsOf(checkUnderTest.expectation.expect, checkUnderTest.value);
  const tally = tryMutants(checkUnderTest, claims, mutants, own, facts);
  const counted = { mutants: mutants.length, killed: tally.killed, guards: tally.guards };
  const impossible = impossibleCondition(checkUnderTest, named, facts);
  const fault =
    faultByCode(checkUnderTest, replayed) ??
    (impossible === undefined
      ? byDeclaration(faultOf(checkUnderTest, claims, tally, facts), checkUnderTest, claims, circumstances)
      : { kind: 'unknown-field' as const, why: impossible });
  // What code computed from an answer is judged by that code.
  const isVital = fault === undefined || (checkUnderTest.kind === 'value' && replayed?.vital === true);
  return isVital
    ? { vital: true, kind: null, why: null, ...counted }
    : { vital: false, ...fault, ...counted };
}

interface Fault {
  readonly kind: Vacuity;
  readonly why: string;
}

/** Why it cannot fail, where it would for what the source refuses. */
function byDeclaration(
  fault: Fault | undefined,
  checkUnderTest: CheckUnderTest,
  claims: Claims,
  { own, facts }: Circumstances,
): Fault | undefined {
  const { source, value, judge } = checkUnderTest;
  const fields = facts.declaredAt(source);
  if (fault === undefined || Object.keys(fields).length === 0) return fault;
  for (const mutant of mutantsUndeclared(checkUnderTest, own, facts)) {
    const name = refusedField(checkUnderTest, mutant, fields);
    if (name === undefined || !isAsserted(mutant, checkUnderTest, claims)) continue;
    if (judge(applyMutant(value, mutant)) !== 'failed') continue;
    const why = `it repeats what the database declares: ${declaredWords(source, name, fields)}`;
    return { kind: 'accepts-anything', why };
  }
  return fault;
}

/** Nothing that the flow was given can make it fail. */
function faultByCode(
  { kind }: Pick<CheckUnderTest, 'kind'>,
  replayed: ReplayedCheck | undefined,
): Fault | undefined {
  if (replayed?.vital !== false) return undefined;
  const what = kind === 'value' ? 'it follows from how the flow computes it' : 'it is compared with itself';
  return { kind: 'tautological', why: `${what}: it held with ${replayed.mutants} mutants of the answers` };
}

function tryMutants(
  checkUnderTest: CheckUnderTest,
  claims: Claims,
  mutants: readonly Mutant[],
  own: TestControlled,
  facts: RunFacts,
): Tally {
  const tally: Tally = {
    guards: new Set(),
    survived: [],
    tautologies: [],
    implausible: [],
    values: 0,
    lists: 0,
    counts: 0,
    killed: 0,
  };
  for (const mutant of mutants) {
    if (checkUnderTest.judge(applyMutant(checkUnderTest.value, mutant)) !== 'failed') {
      if (mutant.kind === 'value' || mutant.kind === 'list') tally.survived.push(mutant);
      continue;
    }
    tally.killed += 1;
    const path = pathOf(mutant.keys);
    if (!isAsserted(mutant, checkUnderTest, claims)) continue;
    tally.guards.add(likePath(path));
    if (!isPlausible(mutant, checkUnderTest, facts)) tally.implausible.push(mutant);
    else if (
      own.isTautological(mutant.keys, valueAt(checkUnderTest.value, mutant.keys), claims.words.get(path))
    )
      tally.tautologies.push(mutant);
    else if (mutant.kind !== 'list') tally.values += 1;
    else if (claims.lengths.has(path) || saysCount(mutant, checkUnderTest)) tally.counts += 1;
    else tally.lists += 1;
  }
  const isUnproven = tally.values + tally.lists + tally.counts === 0;
  if (isUnproven && killsPair(checkUnderTest, tally.survived, own, facts)) tally.values += 1;
  return tally;
}

/** Whether the pattern asserts this on purpose, instead of failing incidentally. */
function isAsserted(
  mutant: Mutant,
  checkUnderTest: CheckUnderTest,
  { presence, types, lists, ordered }: Claims,
): boolean {
  const path = pathOf(mutant.keys);
  // A text that is no date cannot be compared: that it fails is an accident.
  if (ordered.has(path) && isDate(valueAt(checkUnderTest.value, mutant.keys)) && !isDate(mutant.value))
    return false;
  if (isWholeBody(mutant, checkUnderTest)) return false;
  if (mutant.kind === 'missing') return presence.has(path);
  if (mutant.kind === 'type') return types.has(path) || mutant.literals !== undefined;
  // That an empty list has no such element is as much as that each of its elements is otherwise.
  if (mutant.kind === 'list' && mutant.literals?.length && isEmptyInside(mutant, checkUnderTest))
    return false;
  if (mutant.kind !== 'list' || mutant.literals !== undefined) return true;
  return (
    lists.has(path) ||
    checkUnderTest.readsAll ||
    checkUnderTest.mode === 'never' ||
    saysCount(mutant, checkUnderTest)
  );
}

function isDate(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value));
}

/** A list of problems is empty in every healthy run. */
const ofProblems = /error|warning|problem|fault|failure|alert|violation|complaint/i;

function isEmptyInside({ keys }: Mutant, { value }: CheckUnderTest): boolean {
  if (ofProblems.test(String(keys.at(-1)))) return false;
  const list = keys.length === 0 ? undefined : valueAt(value, keys);
  return Array.isArray(list) && list.length === 0;
}

/** That there is a body, or that it is a map, is true of any error page. */
function isWholeBody({ kind, keys }: Mutant, { kind: observer, value }: CheckUnderTest): boolean {
  if (observer !== 'exchange' || keys.length !== 1 || !stepField(String(keys[0]))?.isBody) return false;
  return kind === 'missing' || (kind === 'type' && keys[0] === 'json' && isPlainMap(valueAt(value, keys)));
}

function saysCount({ keys }: Mutant, { expectation }: CheckUnderTest): boolean {
  return keys.length === 0 && expectation.count !== undefined;
}

const mostPairs = 12;

/** A disjunction fails only when both sides are mutated: the second mutant is found once the first is applied. */
function killsPair(
  checkUnderTest: CheckUnderTest,
  survived: readonly Mutant[],
  own: TestControlled,
  facts: RunFacts,
): boolean {
  const firsts = survived.filter(({ kind }) => kind === 'value' || !Array.isArray(checkUnderTest.value));
  return firsts.slice(0, mostPairs).some((first) => {
    const mutated = applyMutant(checkUnderTest.value, first);
    const path = pathOf(first.keys);
    const claims = claimsOf(checkUnderTest.expectation.expect, mutated);
    return mutantsFor({ ...checkUnderTest, value: mutated }, own, facts).some(
      (second) =>
        (second.kind === 'value' || second.kind === 'list') &&
        second.literals === undefined &&
        pathOf(second.keys) !== path &&
        isAsserted(second, checkUnderTest, claims) &&
        // Only a value that was present can be the other side.
        valueAt(checkUnderTest.value, second.keys) !== undefined &&
        !own.isTautological(second.keys, valueAt(mutated, second.keys)) &&
        checkUnderTest.judge(applyMutant(mutated, second)) === 'failed',
    );
  });
}

function faultOf(
  checkUnderTest: CheckUnderTest,
  claims: Claims,
  tally: Tally,
  facts: RunFacts,
): Fault | undefined {
  const strange = strangeCondition(checkUnderTest, facts);
  if (strange !== undefined)
    return {
      kind: 'unknown-field',
      why: `it selects by \`${strange}\`, but nothing in this run has such a field`,
    };
  const outcome = otherOutcome(checkUnderTest, tally) ?? anyOutcome(checkUnderTest, claims, tally);
  if (outcome)
    return {
      kind: 'any-outcome',
      why: `\`${mutantPath(outcome)}\` could have been ${outcome.what}, and it would still pass: it asserts only what holds if everything succeeded`,
    };
  if (isStatusOfRpc(checkUnderTest, tally))
    return {
      kind: 'any-outcome',
      why: 'a JSON-RPC answer has the same status whatever happened: with an error in place of the result it would still pass',
    };
  const failure = holdsForEveryFailure(checkUnderTest, claims);
  if (failure !== undefined)
    return {
      kind: 'any-outcome',
      why: `with ${failure} it would still pass: it asserts only what holds if everything succeeded`,
    };
  const { values, lists, counts, tautologies, implausible, survived } = tally;
  // An answer that only repeats proves nothing, even as the only one; a row that was looked up does.
  const isRepeated = tautologies.length > 0 && checkUnderTest.where === undefined;
  const isProven = values > 0 || counts > 0 || (lists > 0 && !isRepeated);
  const isEmpty = Array.isArray(checkUnderTest.value) && checkUnderTest.value.length === 0;
  const { readsAll, absence, kind } = checkUnderTest;
  const isHollow = isEmpty && readsAll && !absence && !checkKind(kind)?.isClosed;
  if (isProven && !isHollow) return undefined;
  const [echo] = tautologies;
  const [stranger] = implausible;
  const [mutant] = survived;
  if (stranger) {
    const { keys, what } = deniedBy(stranger);
    return {
      kind: 'unknown-field',
      why: `it looks at \`${mutantPath({ keys })}\` for ${what}, which was never seen in this run; is it spelled correctly?`,
    };
  }
  if (echo)
    return {
      kind: 'tautological',
      why: `\`${mutantPath(echo)}\` is what the trial itself has sent or asked for: a system that only repeats it passes`,
    };
  if (isEmpty || assertsOnEmptyList(checkUnderTest, claims))
    return { kind: 'nothing-there', why: 'it asserts on list elements, but the list was empty' };
  if (mutant)
    return {
      kind: 'accepts-anything',
      why: `\`${mutantPath(mutant)}\` could have been ${mutant.what}, and it would still pass`,
    };
  return { kind: 'reads-nothing', why: 'it reads nothing that the system decides' };
}

/** Of a JSON-RPC answer over HTTP it reads nothing but the status. */
function isStatusOfRpc({ kind, value }: CheckUnderTest, { guards, values }: Tally): boolean {
  const json = kind === 'exchange' ? valueAt(value, ['json']) : undefined;
  if (values === 0 || !isPlainMap(json) || json.jsonrpc !== '2.0' || json.result === undefined) return false;
  return [...guards].every((path) => path === '$.status');
}

/** It asserts on the elements of an empty list. */
function assertsOnEmptyList({ value }: CheckUnderTest, { mentioned }: Claims): boolean {
  return [...mentioned].some((path) => {
    const list = valueAt(value, parsePath(path) ?? []);
    return Array.isArray(list) && list.length === 0;
  });
}

/** Names under which the answers of systems say how it went. */
const outcomeWords = ['ok', 'success'];

/** It reads the outcome and accepts the opposite: a failure where it succeeded, success where it was refused. */
function otherOutcome({ kind, mode, value }: CheckUnderTest, { survived }: Tally): Mutant | undefined {
  if (mode === 'never' || (kind !== 'exchange' && kind !== 'value')) return undefined;
  return survived.find(
    (mutant) =>
      mutant.kind === 'value' &&
      isOpposite(mutant, valueAt(value, mutant.keys)) &&
      !isContained(mutant, valueAt(value, mutant.keys), survived),
  );
}

/** Junk may be answered with anything but a failure of the system itself: `status: { $lt: 500 }`. */
function isContained({ keys }: Mutant, seen: unknown, survived: readonly Mutant[]): boolean {
  if (keys.at(-1) !== 'status' || typeof seen !== 'number' || seen < 400) return false;
  const path = pathOf(keys);
  const others = survived.filter((one) => one.kind === 'value' && pathOf(one.keys) === path);
  const accepted = new Set(others.map(({ value }) => value));
  return (
    [400, 401, 404, 429].every((status) => status === seen || accepted.has(status)) && !accepted.has(500)
  );
}

function isOpposite({ keys, value }: Mutant, seen: unknown): boolean {
  const outcome = stepOutcomes().find(({ field }) => field === keys.at(-1));
  const opposite = outcome?.opposite?.(seen);
  return opposite !== undefined && value === opposite;
}

/** It reads the outcome and accepts every outcome. */
function anyOutcome(
  { kind, mode }: CheckUnderTest,
  { alternatives }: Claims,
  { survived, guards }: Tally,
): Mutant | undefined {
  if (mode === 'never') return undefined;
  const outcomes = [...stepOutcomes().map(({ field }) => field), ...outcomeWords];
  const isOutcome = (keys: Mutant['keys']): boolean =>
    alternatives.has(pathOf(keys)) ||
    ((kind === 'exchange' || kind === 'value') && outcomes.includes(String(keys.at(-1))));
  const ends = survived.filter(
    ({ keys, kind: mutated, value }) =>
      mutated === 'value' &&
      isOutcome(keys) &&
      (typeof value !== 'string' || alternatives.has(pathOf(keys))) &&
      !guards.has(likePath(pathOf(keys))),
  );
  return ends.find(({ value }) => value === 500) ?? ends[0];
}

export function mutantPath({ keys }: Pick<Mutant, 'keys'>): string {
  return keys.length === 0 ? 'the whole of it' : pathOf(keys).replace(/^\$\.?/, '');
}

/** The first field of a condition that nothing in the run has. For rows, the database checks the columns. */
function strangeCondition({ where, kind }: CheckUnderTest, facts: RunFacts): string | undefined {
  if (checkKind(kind)?.comparesAsSql || !isContainer(where)) return undefined;
  const names = matchPattern(where, {}).reads.flatMap((path) => parsePath(path) ?? []);
  const strange = names.find((name) => typeof name === 'string' && !facts.isKnownField(name));
  return strange === undefined ? undefined : String(strange);
}

/**
 * A check whose alternatives include failure asserts something about success only: it holds for every failure.
 * Returns the failure in words if it does.
 */
export function holdsForEveryFailure(
  { kind, value, judge, expectation }: CheckUnderTest,
  { mentioned }: Claims,
): string | undefined {
  if (kind !== 'exchange' || !isPlainMap(value) || !hasAlternatives(expectation.expect)) return undefined;
  const { failure } =
    stepOutcomes().find(
      (outcome) => outcome.failure?.isWell(value[outcome.field]) && mentioned.has(`$.${outcome.field}`),
    ) ?? {};
  if (!failure) return undefined;
  return failure.answers(value).every((answer) => judge(answer) === 'passed') ? failure.what : undefined;
}

function hasAlternatives(pattern: unknown): boolean {
  if (!isContainer(pattern)) return false;
  return Object.entries(pattern).some(([key, inner]) => key === '$any' || hasAlternatives(inner));
}
