/** Which checks of a flow can fail: its code runs again on answers of which one is wrong, and decides as it would have. */

import type { AttemptView } from '../../../checks/attempt-view.ts';
import { type Expectation, holdAgainst } from '../../../checks/hold-against.ts';
import { isContainer } from '../../../kernel/exact-json.ts';
import { claimsOf } from '../../../patterns/mutants/claims-of.ts';
import { applyMutant, type Mutant, pathOf, valueAt } from '../../../patterns/mutants/mutant.ts';
import { mutantsAbout } from '../../../patterns/mutants/mutants-about.ts';
import { isPlainMap } from '../../../patterns/plain-value.ts';
import type { Declaration } from '../../../trials/flow/flow-message.ts';
import type { FlowReplay, Replayed } from '../../../trials/flow/replay-flow.ts';
import { isPossible } from '../mutants-for.ts';
import { walkPlaces } from '../walk-places.ts';
import { type Given, type Recorded, recordOf, withValue } from './flow-record.ts';

export interface ReplayedCheck {
  readonly vital: boolean;
  readonly mutants: number;
  readonly killed: number;
}

/** By check; only those that code decides: a closure, a value that the flow computed, an expectation made of what it observed. */
export type ReplayedChecks = ReadonlyMap<string, ReplayedCheck>;

const mostReplays = 500;
/** Places of one observation that are mutated together, and one by one. */
const mostPlaces = 400;
const mostAlone = 60;
/** Of a longer flow, not every observation could be mutated in all rounds. */
const mostGiven = 90;
/** Observations that are searched for another value of the same place. */
const mostOthers = 10;
/** A check that was reached less often was not put to the test. */
const leastReached = 4;
/** As if every answer had taken ten minutes. */
const slowMs = 600_000;

export async function examineFlow(view: AttemptView, replay: FlowReplay): Promise<ReplayedChecks> {
  const recorded = recordOf(view);
  if (recorded.given.length > mostGiven) return new Map();
  const first = await replay.perform(recorded.record);
  const held = first.declared.filter((check) => holds(check, recorded.samples));
  if (!isFaithful(first, held, view)) return new Map();
  const tallies = new Map(held.map((check) => [check.id, tallyOf(check)]));
  const count = ({ declared: now, failure }: Replayed, variant: Variant): void => {
    for (const check of now) tallyCheck(check, tallies.get(check.id), variant);
    if (typeof failure !== 'string') return;
    const reached = new Set(now.map(({ id }) => id));
    for (const [id, tally] of tallies) if (!reached.has(id)) tally.isOpen = true;
  };
  count(await replay.perform(recorded.record, slowMs), { changed: recorded, kind: 'value', place: '' });
  let left = mostReplays;
  for (const variant of variants(recorded)) {
    if (left <= 0 || [...tallies.values()].every(isDecided)) break;
    // Those of answers together are few, and take nothing from the others.
    if (variant.kind !== 'value' || variant.place !== together) left -= 1;
    count(await replay.perform(variant.changed.record), variant);
  }
  return new Map(
    [...tallies].flatMap(([id, tally]) => {
      const { isCode, isOpen, reached, byValue, byShape, isExplicit } = tally;
      const killed = byValue + (isExplicit ? byShape : 0);
      if (!isCode || (killed === 0 && (isOpen || reached < leastReached))) return [];
      return [[id, { vital: killed > 0, mutants: reached, killed }] as const];
    }),
  );
}

/** The stored attempt is what this code does: the same checks, and all that it decides itself hold. */
function isFaithful(
  { declared, failure }: Replayed,
  held: readonly Declaration[],
  view: AttemptView,
): boolean {
  const known = view.checks.filter(({ id }) => !id.startsWith('step '));
  const now = new Set(declared.map(({ id }) => id));
  return (
    failure === undefined &&
    known.length === now.size &&
    known.every(({ id }) => now.has(id)) &&
    declared.every((check) => !isByCode(check) || held.includes(check))
  );
}

function isByCode({ evidence }: Declaration): boolean {
  return 'opaque' in evidence || ('value' in evidence && evidence.origin === undefined);
}

interface Tally {
  readonly before: Declaration;
  reached: number;
  byValue: number;
  byShape: number;
  /** Code decides, or has made the expectation. */
  isCode: boolean;
  /** With some mutant the flow asked for what is not in the record, or did not end, before it came to this check. */
  isOpen: boolean;
  /** A type, or presence, is asserted on purpose. */
  readonly isExplicit: boolean;
  /** Places where it accepts even a foreign map: if it does not accept that nothing is there, it asks for the key. */
  readonly indifferent: Set<string>;
}

function tallyOf(before: Declaration): Tally {
  const { evidence, expect } = before;
  const { types, presence } = claimsOf(expect, 'value' in evidence ? evidence.value : undefined);
  return {
    before,
    reached: 0,
    byValue: 0,
    byShape: 0,
    isOpen: false,
    isCode: isByCode(before),
    indifferent: new Set(),
    isExplicit: 'opaque' in evidence || types.size > 0 || presence.size > 0,
  };
}

function isDecided({ byValue }: Tally): boolean {
  return byValue > 0;
}

function tallyCheck(check: Declaration, tally: Tally | undefined, { changed, kind, place }: Variant): void {
  const held = holds(check, changed.samples);
  if (!tally || held === undefined) return;
  tally.reached += 1;
  if (kind === 'foreign') {
    if (held) tally.indifferent.add(place);
    return;
  }
  if (JSON.stringify(check.expect) !== JSON.stringify(tally.before.expect)) tally.isCode = true;
  if (held || stumbles(check)) return;
  const isShape = kind === 'type' || (kind === 'missing' && !tally.indifferent.has(place));
  if (isShape) tally.byShape += 1;
  else tally.byValue += 1;
}

/** The code did not compare anything: it was given a type that it cannot work with. */
const stumbled =
  /^it threw TypeError: (?:Cannot (?:read|set|convert|use|mix|destructure|delete)|.* is not (?:a function|iterable|an object)|.*undefined or null)/;

function stumbles({ evidence }: Declaration): boolean {
  return 'opaque' in evidence && stumbled.test(evidence.opaque.message ?? '');
}

/** Undefined where it observed nothing. */
function holds(
  { id, evidence, expect, count, never }: Declaration,
  samples: Recorded['samples'],
): boolean | undefined {
  if ('opaque' in evidence) return evidence.opaque.held;
  if ('watched' in evidence && !samples.has(id)) return undefined;
  const value = 'watched' in evidence ? samples.get(id) : evidence.value;
  const expectation: Expectation = {
    ...(expect === undefined ? {} : { expect }),
    ...(count === undefined ? {} : { count }),
  };
  const { held } = holdAgainst(expectation, value);
  return never ? !held : held;
}

interface Variant {
  readonly changed: Recorded;
  /** `foreign`: a map in place of whatever was there, which is not held against a check. */
  readonly kind: Mutant['kind'] | 'foreign';
  readonly place: string;
}

/** First everything in one observation at once, and in answers to what was sent together; then lists, then place by place, and shapes last. */
function* variants(recorded: Recorded): Generator<Variant> {
  const given = recorded.given.map((one) => ({ one, mutants: mutantsOf(one, recorded) }));
  const groups = Map.groupBy(given, ({ one }) => one.group ?? one);
  const atOnce = [...groups.values()].filter((some) => some.length > 1);
  for (const [round, shift] of rounds)
    for (const some of [...given.map((one) => [one]), ...atOnce]) {
      const chosen = some.map(({ one, mutants }) => ({
        one,
        values: mutants.flatMap((ofPlace, place) => {
          const values = ofKind(ofPlace, 'value');
          return values[shift === 0 ? round : (round + place) % values.length] ?? [];
        }),
      }));
      if (chosen.every(({ values }) => values.length === 0)) continue;
      const changed = chosen.reduce(
        (all, { one, values }) => withValue(all, one, values.reduce(applyMutant, one.value)),
        recorded,
      );
      yield { changed, kind: 'value', place: some.length > 1 ? together : '' };
    }
  for (const [kind, round] of order)
    for (const [index, { one, mutants }] of given.entries())
      for (const some of mutants.slice(0, mostAlone)) {
        const mutant = ofKind(some, kind)[round];
        if (!mutant) continue;
        const place = `${index} ${pathOf(mutant.keys)}`;
        const withMutant = (value: Mutant): Recorded =>
          withValue(recorded, one, applyMutant(one.value, value));
        if (kind === 'missing')
          yield { changed: withMutant({ ...mutant, kind: 'type', value: foreign }), kind: 'foreign', place };
        yield { changed: withMutant(mutant), kind, place };
      }
}

const together = 'together';
const foreign = { strange: true };

/** With a shift, places that are equal in the answer become different. */
const rounds = [
  [0, 0],
  [1, 0],
  [2, 0],
  [0, 1],
  [1, 1],
] as const;

const order: readonly (readonly [Mutant['kind'], number])[] = [
  ...(['extra', 'list'] as const).flatMap((kind) =>
    [0, 1, 2, 3, 4, 5, 6].map((round) => [kind, round] as const),
  ),
  ['value', 0],
  ['missing', 0],
  ['type', 0],
  ['type', 1],
  ...[1, 2, 3, 4, 5, 6].map((round) => ['value', round] as const),
];

function ofKind(mutants: readonly Mutant[], kind: Mutant['kind']): readonly Mutant[] {
  return mutants.filter((mutant) => mutant.kind === kind);
}

/** By place. */
function mutantsOf({ value, kind, isOwn }: Given, { given }: Recorded): readonly (readonly Mutant[])[] {
  const inside = walkPlaces(value, mostPlaces);
  const places =
    isContainer(value) && !Array.isArray(value) ? inside.filter(({ keys }) => keys.length > 0) : inside;
  const byPlace = places
    .filter(({ keys }) => !isOwn(keys))
    .map(({ keys, value: seen }): readonly Mutant[] => {
      const elsewhere = given
        .slice(0, mostOthers)
        .map((other) => valueAt(other.value, keys))
        .filter((other) => other !== undefined);
      const mutants = [...mutantsAbout(seen, keys, elsewhere), ...twiceAsMany(seen, keys)];
      const isKnown = elsewhere.some((other) => Array.isArray(other) && other.length > 0);
      return mutants.filter((mutant) => isPossible(mutant, kind) && !(isKnown && isFilled(mutant, seen)));
    });
  return [inTrouble(value), ...byPlace];
}

/** A foreign element in a list that was empty: no proof where it is known what its elements are like. */
function isFilled({ kind }: Mutant, seen: unknown): boolean {
  return kind === 'list' && Array.isArray(seen) && seen.length === 0;
}

/** Each element once more: code may count only some of them. */
function twiceAsMany(seen: unknown, keys: Mutant['keys']): readonly Mutant[] {
  if (!Array.isArray(seen) || seen.length < 2) return [];
  return [{ kind: 'list', keys, value: [...seen, ...seen], what: 'a list with every element twice' }];
}

/** An answer that reports a problem, under the names that code looks for. */
function inTrouble(value: unknown): readonly Mutant[] {
  const json = valueAt(value, ['json']);
  if (!isPlainMap(json)) return [];
  const report = { error: 'something', errors: ['something'], warnings: ['something'], message: 'something' };
  return [{ kind: 'extra', keys: ['json'], value: { ...report, ...json }, what: 'an answer with an error' }];
}
