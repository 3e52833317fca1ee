/** The lies that one check is told: about every place that it reads, and what its own pattern forbids. */
import { holdAgainst } from '../../checks/hold-against.ts';
import { claimsOf, literalsIn } from '../../patterns/lies/claims-of.ts';
import { exampleOf } from '../../patterns/lies/example-of.ts';
import { type Lie, pathOf, valueAt } from '../../patterns/lies/lie.ts';
import { liesAbout } from '../../patterns/lies/lies-about.ts';
import { isPossibleNumber } from '../../patterns/lies/numbers-of.ts';
import { matchPattern } from '../../patterns/match-pattern.ts';
import { type PathKey, parsePath } from '../../patterns/value-path.ts';
import { isShown } from './asked-for.ts';
import type { Examinee } from './examinee.ts';
import { inOurWords } from './our-words.ts';
import type { OwnDoing } from './own-doing.ts';
import { isOwnPart, type RunKnowledge } from './run-knowledge.ts';
import { walkPlaces } from './walk-places.ts';

const mostLies = 300;
const mostPlaces = 60;

export function liesFor(examinee: Examinee, own: OwnDoing, knowledge: RunKnowledge): readonly Lie[] {
  const { value, source, expectation, mode } = examinee;
  const about = placesOf(examinee).flatMap((keys) =>
    isDeed(examinee, keys)
      ? deeds(valueAt(value, keys), keys, valueAt(value, [...keys.slice(0, -1), 'kind']))
      : liesAbout(valueAt(value, keys), keys, knowledge.elsewhere(source, pathOf(keys))),
  );
  const suggested =
    mode === 'never' ? forbidden(examinee, knowledge) : claimsOf(expectation.expect, value).contrary;
  const isAskedFor = isShown(examinee);
  // What repeats a condition is told as such.
  const isSeen = (lie: Lie): boolean => own.isEcho(lie.keys, valueAt(value, lie.keys)) || isAskedFor(lie);
  return [...shownInstead(examinee, knowledge), ...suggested, ...about]
    .flatMap((lie) => inOurWords(examinee, lie))
    .filter((lie) => !own.isOwn(lie.keys) && isPossible(lie, examinee.kind) && isSeen(lie))
    .slice(0, mostLies);
}

function placesOf({ readsAll, expectation, value }: Examinee): readonly (readonly PathKey[])[] {
  if (readsAll) return walkPlaces(value, mostPlaces).map(({ keys }) => keys);
  const reads = [...new Set(holdAgainst(expectation, value).reads)];
  return reads.map((path) => parsePath(path) ?? []);
}

/** What was done to a row or a file is told in one of these words. */
function isDeed({ kind }: Examinee, keys: readonly PathKey[]): boolean {
  return kind === 'changes' && keys.length === 2 && keys[1] === 'op';
}

function deeds(seen: unknown, keys: readonly PathKey[], what: unknown): readonly Lie[] {
  const words = what === 'file' ? ['created', 'changed', 'deleted'] : ['inserted', 'updated', 'deleted'];
  return words
    .filter((word) => word !== seen)
    .map((word) => ({ kind: 'value' as const, keys, value: word, what: word }));
}

/** Parts of what was seen are made by us: they are there, and of their kind, whatever the system does. */
function isPossible({ keys, kind, literals }: Lie, observer: string): boolean {
  if (keys.length === 0)
    return kind === 'list' || (kind === 'value' && (observer === 'value' || literals !== undefined));
  const name = String(keys.at(-1));
  if (!isOwnPart(observer, keys) || kind === 'list') return true;
  if (machineParts.has(name) || askedParts[observer]?.includes(name)) return false;
  return (kind !== 'missing' && kind !== 'type') || bodyParts.has(name);
}

/** Parts that the system decides by being there at all. */
const bodyParts = new Set('json result tools content closedBy error params'.split(' '));
const machineParts = new Set('pid crossing connection line'.split(' '));
/** Parts that say what was looked at, and not what was seen there. */
const askedParts: Readonly<Record<string, readonly string[]>> = {
  changes: ['kind'],
  calls: ['from', 'to', 'protocol'],
};

/** What the same source has shown elsewhere in the run: a check that says that nothing is there must not hold for that. */
function shownInstead({ source, absence, value }: Examinee, knowledge: RunKnowledge): readonly Lie[] {
  if (!absence || !Array.isArray(value)) return [];
  return knowledge.shownBy(source).map((list) => ({
    kind: 'list' as const,
    keys: [],
    value: [...value, ...list],
    what: 'what another trial has shown there',
  }));
}

/** What our own side counts, and numbers that no system could show, stand nowhere. */
function couldStand(keys: readonly PathKey[], example: unknown, base: unknown, observer: string): boolean {
  const name = String(keys.at(-1));
  if (isOwnPart(observer, keys) && machineParts.has(name)) return false;
  const value = valueAt(example, keys);
  return typeof value !== 'number' || isPossibleNumber(value, keys.at(-1), valueAt(base, keys));
}

/** A value that `never` forbids, made from one that the source has shown, of fields that it has. */
function forbidden(examinee: Examinee, knowledge: RunKnowledge): readonly Lie[] {
  const { source, expectation, value } = examinee;
  const pattern = expectation.expect ?? { $length: expectation.count };
  const bases = [...knowledge.shownBy(source), value];
  return bases.flatMap((base) => {
    const example = exampleOf(pattern, base);
    if (example === undefined) return [];
    const { matched, reads } = matchPattern(pattern, example);
    const isConceivable = (path: string): boolean =>
      knowledge.isKnownPlace(examinee, path) &&
      couldStand(parsePath(path) ?? [], example, base, examinee.kind);
    if (!matched || !reads.every(isConceivable)) return [];
    const kind = Array.isArray(example) ? ('list' as const) : ('value' as const);
    return [{ kind, keys: [], value: example, what: 'what it forbids', literals: literalsIn(pattern) }];
  });
}
