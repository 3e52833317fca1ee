/** Whether a check can fail: some lie that a broken system could tell about what it reads must turn it red. */
import { type Held, holdAgainst } from '../../checks/hold-against.ts';
import { claimsOf } from '../../patterns/lies/claims-of.ts';
import { exampleOf } from '../../patterns/lies/example-of.ts';
import { type Lie, pathOf, tellLie, valueAt } from '../../patterns/lies/lie.ts';
import { liesAbout } from '../../patterns/lies/lies-about.ts';
import { matchPattern } from '../../patterns/match-pattern.ts';
import { parsePath } from '../../patterns/value-path.ts';
import type { Examinee } from './examinee.ts';
import type { OwnDoing } from './own-doing.ts';
import type { RunKnowledge } from './run-knowledge.ts';
import { likePath, walkPlaces } from './walk-places.ts';

export type Vacuity =
  /** It reads nothing that the system decides. */
  | 'reads-nothing'
  /** Whatever is put in the place of what it reads, it holds. */
  | 'believes-anything'
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

const mostLies = 300;

export function examine(examinee: Examinee, own: OwnDoing, knowledge: RunKnowledge): Vitality {
  const lies = liesFor(examinee, own, knowledge);
  const { presence, types } = claimsOf(examinee.expectation.expect, examinee.value);
  const guards = new Set<string>();
  const believed: Lie[] = [];
  const echoes: Lie[] = [];
  const strangers: Lie[] = [];
  let killed = 0;
  let proofs = 0;
  for (const lie of lies) {
    if (examinee.judge(tellLie(examinee.value, lie)) !== 'failed') {
      if (lie.kind === 'value' || lie.kind === 'list') believed.push(lie);
      continue;
    }
    killed += 1;
    const path = pathOf(lie.keys);
    const isSaidOnPurpose =
      lie.kind === 'missing' ? presence.has(path) : lie.kind === 'type' ? types.has(path) : true;
    if (!isSaidOnPurpose) continue;
    guards.add(likePath(path));
    if (lie.kind === 'extra' && !isPlausible(lie, knowledge)) strangers.push(lie);
    else if (lie.kind === 'value' && own.isEcho(lie.keys, valueAt(examinee.value, lie.keys)))
      echoes.push(lie);
    else proofs += 1;
  }
  const counted = { mutants: lies.length, killed, guards };
  const blindWhere = strangeCondition(examinee, knowledge);
  if (proofs > 0 && blindWhere === undefined) return { vital: true, kind: null, why: null, ...counted };
  return { vital: false, ...whyNot(examinee, { believed, echoes, strangers, blindWhere }), ...counted };
}

interface Failed {
  readonly believed: readonly Lie[];
  readonly echoes: readonly Lie[];
  readonly strangers: readonly Lie[];
  readonly blindWhere: string | undefined;
}

function whyNot(
  { value, absence }: Examinee,
  { believed, echoes, strangers, blindWhere }: Failed,
): { readonly kind: Vacuity; readonly why: string } {
  const [echo] = echoes;
  const [stranger] = strangers;
  const [lie] = believed;
  if (blindWhere !== undefined)
    return {
      kind: 'unknown-field',
      why: `it looks where \`${blindWhere}\` is so, and nothing in this run has such a field`,
    };
  if (stranger)
    return {
      kind: 'unknown-field',
      why: `it looks at \`${told(stranger)}\`, and nothing in this run has such a field; is the name right?`,
    };
  if (echo)
    return {
      kind: 'echo',
      why: `\`${told(echo)}\` is what the trial itself has sent: a system that only repeats it passes`,
    };
  if (Array.isArray(value) && value.length === 0 && !absence)
    return { kind: 'nothing-there', why: 'it speaks of elements, and there were none' };
  if (lie)
    return {
      kind: 'believes-anything',
      why: `\`${told(lie)}\` could have been ${lie.what}, and it would still hold`,
    };
  return { kind: 'reads-nothing', why: 'it reads nothing that the system decides' };
}

export function told({ keys }: Pick<Lie, 'keys'>): string {
  return keys.length === 0 ? 'the whole of it' : pathOf(keys).replace(/^\$\.?/, '');
}

/** About every place that it reads, and what its own pattern forbids. */
function liesFor(examinee: Examinee, own: OwnDoing, knowledge: RunKnowledge): readonly Lie[] {
  const { value, source, expectation, mode, kind } = examinee;
  const places = examinee.readsAll
    ? walkPlaces(value, 60).map(({ keys }) => keys)
    : readsOf(expectation, value).flatMap((path) => parsePath(path) ?? []).length === 0
      ? [[]]
      : readsOf(expectation, value).map((path) => parsePath(path) ?? []);
  const about = places.flatMap((keys) =>
    liesAbout(valueAt(value, keys), keys, knowledge.elsewhere(source, pathOf(keys))),
  );
  const contrary = mode === 'never' ? [] : claimsOf(expectation.expect, value).contrary;
  const shown = [
    ...shownInstead(examinee, knowledge),
    ...(mode === 'never' ? forbidden(examinee, knowledge) : []),
  ];
  return [...shown, ...contrary, ...about]
    .filter((lie) => !own.isOwn(lie.keys) && isPossible(lie, kind))
    .slice(0, mostLies);
}

function readsOf(expectation: Examinee['expectation'], value: unknown): readonly string[] {
  const held: Held = holdAgainst(expectation, value);
  return [...new Set(held.reads)];
}

/** The root of an answer, of a list of rows or of a process is made by us: only what is in it can be wrong. */
function isPossible({ keys, kind }: Lie, observer: string): boolean {
  if (keys.length === 0) return kind === 'list' || (observer === 'value' && kind !== 'missing');
  const isMadeByUs = keys.length === 1 && typeof keys[0] === 'string' && observer !== 'value';
  if (!isMadeByUs || (kind !== 'missing' && kind !== 'type')) return true;
  return bodyParts.has(String(keys[0]));
}

/** Parts of an answer that are there only when the system sent such a thing. */
const bodyParts = new Set(['json', 'result', 'tools', 'content', 'closedBy']);

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

/** A value that `never` forbids, made from one that the source has shown. */
function forbidden({ source, expectation, value }: Examinee, knowledge: RunKnowledge): readonly Lie[] {
  const pattern = expectation.expect ?? { $length: expectation.count };
  const bases = [...knowledge.shownBy(source), value];
  return bases.flatMap((base) => {
    const example = exampleOf(pattern, base);
    if (example === undefined || !matchPattern(pattern, example).matched) return [];
    const kind = Array.isArray(example) ? ('list' as const) : ('value' as const);
    return [{ kind, keys: [], value: example, what: 'what it forbids' }];
  });
}

/** A field that nobody has shown, under a name that nothing in the run has, is a slip of the pen. */
function isPlausible({ keys, value }: Lie, knowledge: RunKnowledge): boolean {
  const name = keys.findLast((key) => typeof key === 'string');
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, 'strange')) return true;
  return typeof name !== 'string' || knowledge.isKnownField(name);
}

/** The first field of a condition that nothing in the run has. Rows are asked by a database, which knows its columns. */
function strangeCondition({ where, kind }: Examinee, knowledge: RunKnowledge): string | undefined {
  if (kind === 'rows' || typeof where !== 'object' || where === null) return undefined;
  const names = matchPattern(where, {}).reads.flatMap((path) => parsePath(path) ?? []);
  const strange = names.find((name) => typeof name === 'string' && !knowledge.isKnownField(name));
  return strange === undefined ? undefined : String(strange);
}
