/** The lies of broken systems about one value: wrong, missing, of another kind, cut short, doubled, in another order. */
import type { AnyNumber } from '../../kernel/exact-json.ts';
import { kindOf, type PlainMap } from '../plain-value.ts';
import { printValue } from '../print-value.ts';
import type { PathKey } from '../value-path.ts';
import type { Lie, LieKind } from './lie.ts';
import { numberLies } from './numbers-of.ts';

/** `elsewhere` are values that were seen at the same path in other attempts: another session's. */
export function liesAbout(
  value: unknown,
  keys: readonly PathKey[],
  elsewhere: readonly unknown[] = [],
): readonly Lie[] {
  const say = (kind: LieKind, told: unknown, what = printValue(told)): Lie => ({
    kind,
    keys,
    value: told,
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
      return [...textLies(value as string, say), ...others, ...gone, say('type', 7), say('type', null)];
    case 'number':
      return [
        ...lyingNumbers(value as AnyNumber, keys.at(-1)).map((lie) => say('value', lie)),
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
      return [...listLies(value as readonly unknown[], say), ...gone, say('type', null)];
    case 'object':
      return [...mapLies(value as PlainMap, say), ...gone, say('type', null)];
    default:
      return [];
  }
}

/** Beyond what a number can hold, the neighbours are computed with all digits. */
function lyingNumbers(value: AnyNumber, key: PathKey | undefined): readonly AnyNumber[] {
  if (typeof value === 'number') return numberLies(value, key);
  return typeof value === 'bigint' ? [value + 1n, value - 1n, 0] : [0, 1];
}

type Say = (kind: LieKind, told: unknown, what?: string) => Lie;

const isoDate = /^\d{4}-\d\d-\d\d(?:T|$)/;

function textLies(text: string, say: Say): readonly Lie[] {
  const half = [...text].slice(0, Math.floor([...text].length / 2)).join('');
  const lies = [
    'something else entirely',
    half,
    '',
    ...(isoDate.test(text) ? ['1970-01-01T00:00:00.000Z', '2099-12-31T23:59:59.000Z'] : []),
    ...(/^\d+$/.test(text) ? [String(Number(text) + 1)] : []),
    ...(text.length < 1_000 ? [text + text] : []),
  ];
  return [...new Set(lies)].filter((lie) => lie !== text).map((lie) => say('value', lie));
}

/** What a list may show that has something in it, or nothing. */
function listLies(list: readonly unknown[], say: Say): readonly Lie[] {
  const last = list.at(-1);
  if (list.length === 0) return [say('list', [strange], 'a list with something in it')];
  const reversed = [...list].reverse();
  return [
    say('list', [], 'an empty list'),
    ...(list.length > 1 ? [say('list', list.slice(0, -1), 'a list without its last element')] : []),
    ...(list.length > 1 ? [say('list', list.slice(1), 'a list without its first element')] : []),
    say('list', [...list, last], 'a list with its last element twice'),
    say('list', [...list, strange], 'a list with one strange element more'),
    ...(JSON.stringify(reversed) === JSON.stringify(list)
      ? []
      : [say('list', reversed, 'a list in another order')]),
  ];
}

const strange = { strange: true };

function mapLies(map: PlainMap, say: Say): readonly Lie[] {
  return [say('extra', { ...map, strange: true }, 'a map with one strange field more')];
}
