/** The mutants for one check: of every place that it reads, and what its own pattern forbids. */
import { holdAgainst } from '../../checks/hold-against.ts';
import { type DeclaredField, examplesOf } from '../../journal/declared-field.ts';
import { outside } from '../../journal/topology.ts';
import { checkKind, checkKinds, fieldAt, fieldNamed } from '../../kinds/check-kinds.ts';
import type { Field } from '../../kinds/kind/evidence.ts';
import { canGive } from '../../kinds/step-kinds.ts';
import { matchPattern } from '../../patterns/match-pattern.ts';
import { claimsOf, literalsIn } from '../../patterns/mutants/claims-of.ts';
import { exampleOf } from '../../patterns/mutants/example-of.ts';
import { type Mutant, pathOf, valueAt } from '../../patterns/mutants/mutant.ts';
import { mutantsAbout } from '../../patterns/mutants/mutants-about.ts';
import { isPossibleNumber } from '../../patterns/mutants/numbers-of.ts';
import { kindOf } from '../../patterns/plain-value.ts';
import { printValue } from '../../patterns/print-value.ts';
import { type PathKey, parsePath } from '../../patterns/value-path.ts';
import { isShown } from './asked-for.ts';
import type { CheckUnderTest } from './check-under-test.ts';
import { refusedField } from './declared-away.ts';
import { foreignChanges } from './mirrored-changes.ts';
import { isOwnPart, type RunFacts } from './run-facts.ts';
import type { TestControlled } from './test-controlled.ts';
import { walkPlaces } from './walk-places.ts';

const mostMutants = 300;
const mostPlaces = 60;

export function mutantsFor(
  checkUnderTest: CheckUnderTest,
  own: TestControlled,
  facts: RunFacts,
): readonly Mutant[] {
  const fields = facts.declaredAt(checkUnderTest.source);
  return mutantsUndeclared(checkUnderTest, own, facts)
    .filter((mutant) => refusedField(checkUnderTest, mutant, fields) === undefined)
    .slice(0, mostMutants);
}

/** With those that the source itself refuses. */
export function mutantsUndeclared(
  checkUnderTest: CheckUnderTest,
  own: TestControlled,
  facts: RunFacts,
): readonly Mutant[] {
  const { value, source, expectation, mode, question } = checkUnderTest;
  const fields = facts.declaredAt(source);
  const isClosed = checkKind(checkUnderTest.kind)?.isClosed === true && Array.isArray(value);
  const about = placesOf(checkUnderTest).flatMap((keys) =>
    isRowOperation(checkUnderTest, keys)
      ? rowOperations(valueAt(value, keys), keys, valueAt(value, [...keys.slice(0, -1), 'kind']))
      : [
          ...mutantsAbout(valueAt(value, keys), keys, facts.elsewhere(source, pathOf(keys))),
          ...declaredValues(checkUnderTest, keys, fields[String(keys.at(-1))]),
        ],
  );
  const suggested =
    mode === 'never' ? forbidden(checkUnderTest, facts) : claimsOf(expectation.expect, value).contrary;
  const isAskedFor = isShown(checkUnderTest);
  // Mutants of repeated conditions are labelled as such.
  const isSeen = (mutant: Mutant): boolean =>
    own.isTautological(mutant.keys, valueAt(value, mutant.keys)) || isAskedFor(mutant);
  return [...shownInstead(checkUnderTest, facts), ...suggested, ...about]
    .filter((mutant) => keepsOwnCalls(checkUnderTest, mutant) && isQueried(checkUnderTest, mutant))
    .flatMap((mutant) => inOurWords(checkUnderTest, mutant))
    .flatMap((mutant) => (isClosed ? foreignChanges(mutant, question?.kinds, value as unknown[]) : [mutant]))
    .filter(
      (mutant) =>
        !own.isOwn(mutant.keys) &&
        (!isClosed || hasKnownOperations(mutant)) &&
        isReached(mutant, checkUnderTest) &&
        isPossible(mutant, checkUnderTest.kind, checkUnderTest.driver) &&
        isSeen(mutant),
    );
}

/** Where few other values are possible, those. */
function declaredValues({ value }: CheckUnderTest, keys: readonly PathKey[], field?: DeclaredField) {
  if (field === undefined || keys.length !== 2) return [];
  return examplesOf(field)
    .filter((one) => one !== valueAt(value, keys))
    .map((one) => ({ kind: 'value' as const, keys, value: one, what: printValue(one) }));
}

function placesOf({ readsAll, expectation, value }: CheckUnderTest): readonly (readonly PathKey[])[] {
  if (readsAll) return walkPlaces(value, mostPlaces).map(({ keys }) => keys);
  const reads = [...new Set(holdAgainst(expectation, value).reads)];
  return reads.map((path) => parsePath(path) ?? []);
}

/** The operation on a row or a file is one of these words. */
function isRowOperation({ kind }: CheckUnderTest, keys: readonly PathKey[]): boolean {
  return checkKind(kind)?.isClosed === true && keys.length === 2 && keys[1] === 'op';
}

/** What a check denies may be no operation at all: `removed`. */
function hasKnownOperations({ keys, value }: Mutant): boolean {
  const changes = keys.length === 0 && Array.isArray(value) ? value : [];
  return changes.every(({ kind, op }) => {
    const { operations } = Object.values(checkKinds).find(({ change }) => change === kind) ?? {};
    const known = operations ?? Object.values(checkKinds).flatMap((one) => one.operations ?? []);
    return op === undefined || known.includes(op);
  });
}

function rowOperations(seen: unknown, keys: readonly PathKey[], what: unknown): readonly Mutant[] {
  const { operations = [] } = Object.values(checkKinds).find(({ change }) => change === what) ?? {};
  return operations
    .filter((word) => word !== seen)
    .map((word) => ({ kind: 'value' as const, keys, value: word, what: word }));
}

/** Parts of an observation are written by our side: they are present, with their type, whatever the system does. */
export function isPossible(
  { keys, kind, literals, value }: Mutant,
  observer: string,
  driver?: string,
): boolean {
  if (keys.length === 0)
    return kind === 'list' || (kind === 'value' && (observer === 'value' || literals !== undefined));
  const name = String(keys.at(-1));
  if (!isOwnPart(observer, keys)) return isInBounds(value, fieldAt(observer, keys));
  if (driver !== undefined && observer === 'exchange' && !canGive(driver, name)) return false;
  const field = fieldNamed(observer, name);
  const { isCounter, isOptional, isOurList, isHash, origin } = field ?? {};
  if (kind === 'list') return !isOurList;
  if (isCounter || origin === 'request') return false;
  if (isHash && !isHashed(value)) return false;
  if (typeof value === 'number' && origin === 'measured' && value < 0) return false;
  if (!isInBounds(value, field)) return false;
  return (kind !== 'missing' && kind !== 'type') || isOptional === true;
}

/** Of what we define ourselves. */
function isInBounds(value: unknown, { type, form, least, most }: Partial<Field> = {}): boolean {
  if (value === undefined) return true;
  if (type !== undefined && kindOf(value) !== type) return false;
  if (form !== undefined && !form.expression.test(String(value))) return false;
  return typeof value !== 'number' || (value >= (least ?? value) && value <= (most ?? value));
}

/** Where a step has an error that nobody expects, the attempt has ended before the check. */
function isReached({ keys: [first] }: Mutant, { isAfterError }: CheckUnderTest): boolean {
  return first !== 'error' || isAfterError !== false;
}

function isHashed(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

/** What the same source showed elsewhere in the run: a check that asserts absence must not hold for it. */
function shownInstead({ source, absence, value }: CheckUnderTest, facts: RunFacts): readonly Mutant[] {
  if (!absence || !Array.isArray(value)) return [];
  return facts.shownBy(source).map((list) => ({
    kind: 'list' as const,
    keys: [],
    value: [...value, ...list],
    what: 'what another trial has seen there',
  }));
}

/** Columns that were not asked for are never there. */
function isQueried({ question }: CheckUnderTest, { keys: [, column] }: Mutant): boolean {
  const columns = question?.columns;
  return typeof column !== 'string' || !Array.isArray(columns) || columns.includes(column);
}

/** What the trial itself has sent crossed the edge whatever the system did. */
function keepsOwnCalls({ kind, value }: CheckUnderTest, { keys, value: mutated }: Mutant): boolean {
  if (keys.length > 0 || !checkKind(kind)?.edge || !Array.isArray(value) || !Array.isArray(mutated))
    return true;
  return value.every((call) => call?.from !== outside || mutated.includes(call));
}

/** Numbers that no system could show, and smaller ones than our own counters have shown, cannot occur. */
function couldStand(keys: readonly PathKey[], example: unknown, base: unknown, observer: string): boolean {
  const name = String(keys.at(-1));
  const value = valueAt(example, keys);
  if (!isInBounds(value, fieldAt(observer, keys))) return false;
  if (isOwnPart(observer, keys) && fieldNamed(observer, name)?.isHash) return isHashed(value);
  if (isOwnPart(observer, keys) && fieldNamed(observer, name)?.isCounter)
    return Number(value) >= Math.max(1, Number(valueAt(base, keys) ?? 0));
  return typeof value !== 'number' || isPossibleNumber(value, keys.at(-1), valueAt(base, keys));
}

/** A value that `never` forbids, derived from one that the source has shown, with fields that it has. */
function forbidden(checkUnderTest: CheckUnderTest, facts: RunFacts): readonly Mutant[] {
  const { source, expectation, value } = checkUnderTest;
  const pattern = expectation.expect ?? { $length: expectation.count };
  const bases = [...facts.shownBy(source), value];
  return bases.flatMap((base) => {
    const example = exampleOf(pattern, base);
    if (example === undefined) return [];
    const { matched, reads } = matchPattern(pattern, example);
    const isConceivable = (path: string): boolean =>
      facts.isKnownPlace(checkUnderTest, path) &&
      couldStand(parsePath(path) ?? [], example, base, checkUnderTest.kind);
    if (!matched || !reads.every(isConceivable)) return [];
    const kind = Array.isArray(example) ? ('list' as const) : ('value' as const);
    return [{ kind, keys: [], value: example, what: 'what it forbids', literals: literalsIn(pattern) }];
  });
}

/** The same mutant with allowed values: none if it changes the type, several if it stands for any text. */
export function inOurWords(
  { kind, value }: Pick<CheckUnderTest, 'kind' | 'value'>,
  mutant: Mutant,
): readonly Mutant[] {
  const field = fieldAt(kind, mutant.keys);
  const truth = valueAt(value, mutant.keys);
  const words = field?.enum ?? (field?.usual?.includes(String(truth)) ? field.usual : undefined);
  if (field?.form && mutant.kind === 'value' && !mutant.literals?.length)
    return field.form.examples.map((word) => ({ ...mutant, value: word, what: word }));
  // Where nothing is, anything of its type would be something.
  if (field?.type === 'object' && mutant.kind === 'extra' && mutant.literals?.length === 0)
    return [{ ...mutant, value: { message: 'something' }, what: 'something' }];
  if (!words || mutant.kind === 'missing') return [mutant];
  if (mutant.literals?.length) return words.includes(String(mutant.value)) ? [mutant] : [];
  if (mutant.kind === 'type') return [];
  return words.filter((word) => word !== truth).map((word) => ({ ...mutant, value: word, what: word }));
}
