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
import { mutantsFor } from './mutants-for.ts';
import type { RunFacts } from './run-facts.ts';
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

export function examine(checkUnderTest: CheckUnderTest, own: TestControlled, facts: RunFacts): Vitality {
  const mutants = mutantsFor(checkUnderTest, own, facts);
  const claims = claimsOf(checkUnderTest.expectation.expect, checkUnderTest.value);
  const tally = tryMutants(checkUnderTest, claims, mutants, own, facts);
  const counted = { mutants: mutants.length, killed: tally.killed, guards: tally.guards };
  const fault = faultOf(checkUnderTest, claims, tally, facts);
  return fault ? { vital: false, ...fault, ...counted } : { vital: true, kind: null, why: null, ...counted };
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
  { presence, types, lists }: Claims,
): boolean {
  const path = pathOf(mutant.keys);
  if (isWholeBody(mutant, checkUnderTest)) return false;
  if (mutant.kind === 'missing') return presence.has(path);
  if (mutant.kind === 'type') return types.has(path) || mutant.literals !== undefined;
  if (mutant.kind !== 'list' || mutant.literals !== undefined) return true;
  return (
    lists.has(path) ||
    checkUnderTest.readsAll ||
    checkUnderTest.mode === 'never' ||
    saysCount(mutant, checkUnderTest)
  );
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
): { readonly kind: Vacuity; readonly why: string } | undefined {
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
  if (stranger)
    return {
      kind: 'unknown-field',
      why: `it looks at \`${mutantPath(stranger)}\` for ${stranger.what}, which was never seen in this run; is it spelled correctly?`,
    };
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
    (mutant) => mutant.kind === 'value' && isOpposite(mutant, valueAt(value, mutant.keys)),
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

/** A field or a value that was never seen, and is not typical of failures, is a typo. */
function isPlausible(mutant: Mutant, checkUnderTest: CheckUnderTest, facts: RunFacts): boolean {
  const { kind, keys, literals, needs = [] } = mutant;
  if (literals === undefined) return true;
  const places = kind === 'extra' ? [pathOf(keys), ...needs] : needs;
  return (
    places.every((path) => facts.isKnownPlace(checkUnderTest, path)) &&
    literals.every((literal) => facts.isKnownValue(literal))
  );
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
