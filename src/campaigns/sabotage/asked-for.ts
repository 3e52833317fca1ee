/** What a check has asked to see: an element that does not fulfil its conditions is not shown to it, whatever the system does. */
import { speltLike } from '../../checks/spelt-like.ts';
import { createRegexTester } from '../../patterns/bounded-regex.ts';
import { globExpression } from '../../patterns/glob-expression.ts';
import { type Lie, tellLie, valueAt } from '../../patterns/lies/lie.ts';
import { matchPattern } from '../../patterns/match-pattern.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import type { Examinee } from './examinee.ts';

/** Of an observer that gives a list, with its references filled in. */
export interface Question {
  readonly where?: unknown;
  /** Of lines. */
  readonly match?: unknown;
  /** Of files. */
  readonly path?: unknown;
  /** Of spans. */
  readonly name?: unknown;
}

type Asked = Pick<Examinee, 'kind' | 'value' | 'question'>;

/** Whether the check would be shown what the lie makes of it. */
export function isShown({ kind, value, question }: Asked): (lie: Lie) => boolean {
  if (!Array.isArray(value) || question === undefined) return () => true;
  const isAskedFor = questioner(kind, question);
  // Of a row some columns may be shown, and of a file not its whole text: then nobody can say.
  if (!value.every((element) => isAskedFor(element, element))) return () => true;
  return (lie) => {
    // What a pattern forbids must pass the question, too; what another trial has shown was asked otherwise.
    if (lie.keys.length === 0 && lie.literals !== undefined && Array.isArray(lie.value))
      return lie.value.every((element) => isAskedFor(element, value[0]));
    if (typeof lie.keys[0] !== 'number') return true;
    return isAskedFor(valueAt(tellLie(value, lie), [lie.keys[0]]), value[lie.keys[0]]);
  };
}

/** Of an element, beside one that was shown. */
function questioner(
  kind: string,
  { where, match, path, name }: Question,
): (element: unknown, shown: unknown) => boolean {
  const regexes = createRegexTester();
  const expressions: readonly (readonly [key: string, expression: string])[] = [
    ...(kind === 'logs' && typeof match === 'string' ? [['text', match] as const] : []),
    ...(kind === 'files' ? globbed('path', path) : []),
    ...(kind === 'spans' ? starred('name', name) : []),
  ];
  const fulfils = (element: unknown, shown: unknown): boolean =>
    matchPattern(where, element).matched ||
    (kind === 'rows' && isPlainMap(shown) && matchPattern(speltLike(where, shown), element).matched);
  return (element, shown) =>
    (where === undefined || fulfils(element, shown)) &&
    expressions.every(([key, expression]) => {
      const text = valueAt(element, [key]);
      return typeof text === 'string' && regexes.test(expression, '', text) === true;
    });
}

/** A path of another folder of the service, `home:…`, is shown without its beginning. */
function globbed(key: string, glob: unknown): readonly (readonly [string, string])[] {
  const expression = typeof glob === 'string' && !glob.includes(':') ? globExpression(glob) : undefined;
  return expression === undefined ? [] : [[key, expression]];
}

function starred(key: string, pattern: unknown): readonly (readonly [string, string])[] {
  if (typeof pattern !== 'string') return [];
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return [[key, `^${parts.join('.*')}$`]];
}
