/** Mutants of one value, as broken systems produce them: wrong, missing, another type, truncated, reordered. */
import type { AnyNumber } from '../../kernel/exact-json.ts';
import { kindOf, type PlainMap } from '../plain-value.ts';
import { printValue } from '../print-value.ts';
import type { PathKey } from '../value-path.ts';
import type { Mutant, MutantKind } from './mutant.ts';
import { numberMutants } from './numbers-of.ts';

/** `elsewhere` are values seen at the same path in other attempts, such as another session's. */
export function mutantsAbout(
  value: unknown,
  keys: readonly PathKey[],
  elsewhere: readonly unknown[] = [],
): readonly Mutant[] {
  const say = (kind: MutantKind, mutated: unknown, what = printValue(mutated)): Mutant => ({
    kind,
    keys,
    value: mutated,
    what,
  });
  const others = elsewhere
    .filter((other) => kindOf(other) === kindOf(value) && JSON.stringify(other) !== JSON.stringify(value))
    .slice(0, 2)
    .map((other) => say('value', other, `${printValue(other)}, as in another attempt`));
  const kind = kindOf(value);
  const gone = keys.length > 0 ? [say('missing', undefined, 'missing')] : [];
  switch (kind) {
    case 'string':
      return [...textMutants(value as string, say), ...others, ...gone, say('type', 7), say('type', null)];
    case 'number':
      return [
        ...mutatedNumbers(value as AnyNumber, keys.at(-1)).map((mutant) => say('value', mutant)),
        ...others,
        ...gone,
        say('type', String(value)),
        say('type', null),
      ];
    case 'boolean':
      return [say('value', !value), ...gone, say('type', String(value)), say('type', null)];
    case 'null':
      return [say('value', 'something'), say('value', 7), say('value', { message: 'something' }), ...gone];
    case 'array':
      return [...listMutants(value as readonly unknown[], say), ...gone, say('type', null)];
    case 'object':
      return [
        say('extra', { ...(value as PlainMap), strange: true }, 'a map with one extra foreign field'),
        ...gone,
        say('type', null),
      ];
    default:
      return [];
  }
}

/** Beyond the precision of a number, the neighbours are computed with all digits. */
function mutatedNumbers(value: AnyNumber, key: PathKey | undefined): readonly AnyNumber[] {
  if (typeof value === 'number') return numberMutants(value, key);
  return typeof value === 'bigint' ? [value + 1n, value - 1n, 0] : [0, 1];
}

type Say = (kind: MutantKind, mutated: unknown, what?: string) => Mutant;

const isoDate = /^\d{4}-\d\d-\d\d(?:T|$)/;

function textMutants(text: string, say: Say): readonly Mutant[] {
  const half = [...text].slice(0, Math.floor([...text].length / 2)).join('');
  const mutants = [
    'something else entirely',
    half,
    '',
    ...(isoDate.test(text) ? ['1970-01-01T00:00:00.000Z', '2099-12-31T23:59:59.000Z'] : []),
    ...(/^\d+$/.test(text) ? [String(Number(text) + 1)] : []),
    ...(/^[0-9a-f]{32,}$/.test(text) ? [text.slice(1) + text.slice(0, 1)] : []),
    ...(text.length < 1_000 ? [text + text] : []),
  ];
  return [...new Set(mutants)].filter((mutant) => mutant !== text).map((mutant) => say('value', mutant));
}

/** Mutants of a list, empty or not. */
function listMutants(list: readonly unknown[], say: Say): readonly Mutant[] {
  const last = list.at(-1);
  if (list.length === 0) return [say('list', [strange], 'a list with something in it')];
  const reversed = [...list].reverse();
  return [
    say('list', [], 'an empty list'),
    ...(list.length > 1 ? [say('list', list.slice(0, -1), 'a list without its last element')] : []),
    ...(list.length > 1 ? [say('list', list.slice(1), 'a list without its first element')] : []),
    say('list', [...list, last], 'a list with its last element twice'),
    say('list', [...list, strange], 'a list with one extra foreign element'),
    ...(JSON.stringify(reversed) === JSON.stringify(list)
      ? []
      : [say('list', reversed, 'a list in another order')]),
  ];
}

const strange = { strange: true };
