/** Whether a check can fail: some lie that a broken system could tell about what it reads must turn it red. */
import { isContainer } from '../../kernel/exact-json.ts';
import { type Claims, claimsOf } from '../../patterns/lies/claims-of.ts';
import { type Lie, pathOf, tellLie, valueAt } from '../../patterns/lies/lie.ts';
import { matchPattern } from '../../patterns/match-pattern.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import { parsePath } from '../../patterns/value-path.ts';
import type { Examinee } from './examinee.ts';
import { holdsForEveryFailure } from './failed-answers.ts';
import { liesFor } from './lies-for.ts';
import type { OwnDoing } from './own-doing.ts';
import type { RunKnowledge } from './run-knowledge.ts';
import { likePath } from './walk-places.ts';

export type Vacuity =
  /** It reads nothing that the system decides. */
  | 'reads-nothing'
  /** Whatever is put in the place of what it reads, it holds. */
  | 'believes-anything'
  /** It holds however the thing ended. */
  | 'any-outcome'
  /** It looks for something that nothing in the run has. */
  | 'unknown-field'
  /** It repeats what the trial itself has sent. */
  | 'echo'
  /** It speaks of elements, and there were none. */
  | 'nothing-there';

export interface Vitality {
  readonly vital: boolean;
  readonly kind: Vacuity | null;
  /** One sentence, with the lie that it believed. */
  readonly why: string | null;
  readonly mutants: number;
  readonly killed: number;
  /** Places about which it does not believe a lie, without the numbers of elements. */
  readonly guards: ReadonlySet<string>;
}

/** What became of the lies. */
interface Tally {
  readonly guards: Set<string>;
  readonly believed: Lie[];
  /** Not believed, but no proof: see `Vacuity`. */
  readonly echoes: Lie[];
  readonly strangers: Lie[];
  values: number;
  lists: number;
  counts: number;
  killed: number;
}

export function examine(examinee: Examinee, own: OwnDoing, knowledge: RunKnowledge): Vitality {
  const lies = liesFor(examinee, own, knowledge);
  const claims = claimsOf(examinee.expectation.expect, examinee.value);
  const tally = tellAll(examinee, claims, lies, own, knowledge);
  const counted = { mutants: lies.length, killed: tally.killed, guards: tally.guards };
  const fault = faultOf(examinee, claims, tally, knowledge);
  return fault ? { vital: false, ...fault, ...counted } : { vital: true, kind: null, why: null, ...counted };
}

function tellAll(
  examinee: Examinee,
  claims: Claims,
  lies: readonly Lie[],
  own: OwnDoing,
  knowledge: RunKnowledge,
): Tally {
  const tally: Tally = {
    guards: new Set(),
    believed: [],
    echoes: [],
    strangers: [],
    values: 0,
    lists: 0,
    counts: 0,
    killed: 0,
  };
  for (const lie of lies) {
    if (examinee.judge(tellLie(examinee.value, lie)) !== 'failed') {
      if (lie.kind === 'value' || lie.kind === 'list') tally.believed.push(lie);
      continue;
    }
    tally.killed += 1;
    const path = pathOf(lie.keys);
    if (!isSaid(lie, examinee, claims)) continue;
    tally.guards.add(likePath(path));
    if (!isPlausible(lie, examinee, knowledge)) tally.strangers.push(lie);
    else if (own.isEcho(lie.keys, valueAt(examinee.value, lie.keys), claims.words.get(path)))
      tally.echoes.push(lie);
    else if (lie.kind !== 'list') tally.values += 1;
    else if (claims.lengths.has(path) || saysCount(lie, examinee)) tally.counts += 1;
    else tally.lists += 1;
  }
  const isUnproven = tally.values + tally.lists + tally.counts === 0;
  if (isUnproven && noticesBoth(examinee, tally.believed, own, knowledge)) tally.values += 1;
  return tally;
}

/** Whether the pattern speaks of it on purpose, and does not merely stumble over it. */
function isSaid(lie: Lie, examinee: Examinee, { presence, types, lists }: Claims): boolean {
  const path = pathOf(lie.keys);
  if (isWholeBody(lie, examinee)) return false;
  if (lie.kind === 'missing') return presence.has(path);
  if (lie.kind === 'type') return types.has(path) || lie.literals !== undefined;
  if (lie.kind !== 'list' || lie.literals !== undefined) return true;
  return lists.has(path) || examinee.readsAll || examinee.mode === 'never' || saysCount(lie, examinee);
}

const bodies = new Set(['json', 'text', 'result', 'content', 'tools']);

/** That there is a body at all, or that it is a map, is true of every error page of our day. */
function isWholeBody({ kind, keys }: Lie, { kind: observer, value }: Examinee): boolean {
  if (observer !== 'exchange' || keys.length !== 1 || !bodies.has(String(keys[0]))) return false;
  return kind === 'missing' || (kind === 'type' && keys[0] === 'json' && isPlainMap(valueAt(value, keys)));
}

function saysCount({ keys }: Lie, { expectation }: Examinee): boolean {
  return keys.length === 0 && expectation.count !== undefined;
}

const mostPairs = 12;

/** What is true in two ways is noticed only when both are lies: the second is found once the first is told. */
function noticesBoth(
  examinee: Examinee,
  believed: readonly Lie[],
  own: OwnDoing,
  knowledge: RunKnowledge,
): boolean {
  const firsts = believed.filter(({ kind }) => kind === 'value' || !Array.isArray(examinee.value));
  return firsts.slice(0, mostPairs).some((first) => {
    const lied = tellLie(examinee.value, first);
    const path = pathOf(first.keys);
    const claims = claimsOf(examinee.expectation.expect, lied);
    return liesFor({ ...examinee, value: lied }, own, knowledge).some(
      (second) =>
        (second.kind === 'value' || second.kind === 'list') &&
        second.literals === undefined &&
        pathOf(second.keys) !== path &&
        isSaid(second, examinee, claims) &&
        // Only what was really there can be true in another way.
        valueAt(examinee.value, second.keys) !== undefined &&
        !own.isEcho(second.keys, valueAt(lied, second.keys)) &&
        examinee.judge(tellLie(lied, second)) === 'failed',
    );
  });
}

interface Fault {
  readonly kind: Vacuity;
  readonly why: string;
}

function faultOf(
  examinee: Examinee,
  claims: Claims,
  tally: Tally,
  knowledge: RunKnowledge,
): Fault | undefined {
  const strange = strangeCondition(examinee, knowledge);
  if (strange !== undefined)
    return {
      kind: 'unknown-field',
      why: `it looks where \`${strange}\` is so, and nothing in this run has such a field`,
    };
  const outcome = otherOutcome(examinee, tally) ?? anyOutcome(examinee, claims, tally);
  if (outcome)
    return {
      kind: 'any-outcome',
      why: `\`${told(outcome)}\` could have been ${outcome.what}, and it would still hold: it asks only what must be true if all went well`,
    };
  const failure = holdsForEveryFailure(examinee, claims);
  if (failure !== undefined)
    return {
      kind: 'any-outcome',
      why: `with ${failure} it would still hold: it asks only what must be true if all went well`,
    };
  const { values, lists, counts, echoes, strangers, believed } = tally;
  // An answer that only repeats is no better for being the only one; a row that was looked for is.
  const isRepeated = echoes.length > 0 && examinee.where === undefined;
  const isProven = values > 0 || counts > 0 || (lists > 0 && !isRepeated);
  const isEmpty = Array.isArray(examinee.value) && examinee.value.length === 0;
  if (isProven && !(isEmpty && examinee.readsAll && !examinee.absence && examinee.kind !== 'changes'))
    return undefined;
  const [echo] = echoes;
  const [stranger] = strangers;
  const [lie] = believed;
  if (stranger)
    return {
      kind: 'unknown-field',
      why: `it looks at \`${told(stranger)}\` for ${stranger.what}, which nothing in this run has shown; is it written right?`,
    };
  if (echo)
    return {
      kind: 'echo',
      why: `\`${told(echo)}\` is what the trial itself has sent or asked for: a system that only repeats it passes`,
    };
  if (isEmpty || speaksOfNone(examinee, claims))
    return { kind: 'nothing-there', why: 'it speaks of elements, and there were none' };
  if (lie)
    return {
      kind: 'believes-anything',
      why: `\`${told(lie)}\` could have been ${lie.what}, and it would still hold`,
    };
  return { kind: 'reads-nothing', why: 'it reads nothing that the system decides' };
}

/** It speaks of the elements of a list that has none. */
function speaksOfNone({ value }: Examinee, { mentioned }: Claims): boolean {
  return [...mentioned].some((path) => {
    const list = valueAt(value, parsePath(path) ?? []);
    return Array.isArray(list) && list.length === 0;
  });
}

const outcomes = /^(?:status|isError|exitCode|ok|success)$/;

/** It looks how the thing ended, and is content with the opposite: a failure where it went well, success where it was refused. */
function otherOutcome({ kind, mode, value }: Examinee, { believed }: Tally): Lie | undefined {
  if (mode === 'never' || (kind !== 'exchange' && kind !== 'value')) return undefined;
  return believed.find((lie) => lie.kind === 'value' && isOpposite(lie, valueAt(value, lie.keys)));
}

function isOpposite({ keys, value }: Lie, seen: unknown): boolean {
  switch (keys.at(-1)) {
    case 'status':
      return typeof seen === 'number' && (seen < 400 ? value === 500 : value === 200);
    case 'exitCode':
      return seen === 0 ? value === 1 : value === 0;
    default:
      return false;
  }
}

/** It looks how the thing ended, and is content with every end. */
function anyOutcome(
  { kind, mode }: Examinee,
  { alternatives }: Claims,
  { believed, guards }: Tally,
): Lie | undefined {
  if (mode === 'never') return undefined;
  const isOutcome = (keys: Lie['keys']): boolean =>
    alternatives.has(pathOf(keys)) ||
    ((kind === 'exchange' || kind === 'value') && outcomes.test(String(keys.at(-1))));
  const ends = believed.filter(
    ({ keys, kind: lied, value }) =>
      lied === 'value' &&
      isOutcome(keys) &&
      (typeof value !== 'string' || alternatives.has(pathOf(keys))) &&
      !guards.has(likePath(pathOf(keys))),
  );
  return ends.find(({ value }) => value === 500) ?? ends[0];
}

export function told({ keys }: Pick<Lie, 'keys'>): string {
  return keys.length === 0 ? 'the whole of it' : pathOf(keys).replace(/^\$\.?/, '');
}

/** A field or a value that nobody has shown, and no trouble has, is a slip of the pen. */
function isPlausible(lie: Lie, examinee: Examinee, knowledge: RunKnowledge): boolean {
  const { kind, keys, literals, needs = [] } = lie;
  if (literals === undefined) return true;
  const places = kind === 'extra' ? [pathOf(keys), ...needs] : needs;
  return (
    places.every((path) => knowledge.isKnownPlace(examinee, path)) &&
    literals.every((literal) => knowledge.isKnownValue(literal))
  );
}

/** The first field of a condition that nothing in the run has. Rows are asked by a database, which knows its columns. */
function strangeCondition({ where, kind }: Examinee, knowledge: RunKnowledge): string | undefined {
  if (kind === 'rows' || !isContainer(where)) return undefined;
  const names = matchPattern(where, {}).reads.flatMap((path) => parsePath(path) ?? []);
  const strange = names.find((name) => typeof name === 'string' && !knowledge.isKnownField(name));
  return strange === undefined ? undefined : String(strange);
}
