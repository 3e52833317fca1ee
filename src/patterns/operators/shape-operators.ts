/** Operators for types and places: `$type`, `$path`. */
import { isWholeNumber } from '../../kernel/exact-json.ts';
import { childPlace, mismatchAt, type Place } from '../place.ts';
import { isPlainMap, kindOf } from '../plain-value.ts';
import { printValue } from '../print-value.ts';
import { parsePath } from '../value-path.ts';
import { answerAt, isHiddenNumber } from '../withheld.ts';
import type { Operator } from './operator.ts';

const articles: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  object: 'a map',
  array: 'a list',
  null: 'null',
};

const typeNames = Object.keys(articles);

const type: Operator = {
  name: '$type',
  takes: typeNames.join(', '),
  check: (operand, inspection) => {
    if (!typeNames.includes(operand as string)) inspection.fault('is not a type');
  },
  describe: (operand) => articles[operand as string] ?? printValue(operand),
  match: (operand, place, matching) => {
    matching.read(place);
    const expected = (): string => type.describe(operand, matching.describe);
    if (isHiddenNumber(place.value))
      return answerAt(operand === 'number' ? 'yes' : operand === 'integer' ? 'open' : 'no', place, expected);
    const holds = operand === 'integer' ? isWholeNumber(place.value) : kindOf(place.value) === operand;
    return holds ? [] : [mismatchAt(place, expected())];
  },
};

const path: Operator = {
  name: '$path',
  takes: 'a map from paths such as a.b[0]["odd key"] to patterns',
  check: (operand, inspection) => {
    const entries = isPlainMap(operand) ? Object.entries(operand) : [];
    if (entries.length === 0) inspection.fault('is not a non-empty map of paths');
    for (const [text, pattern] of entries) {
      if (!parsePath(text)) inspection.fault(`contains ${printValue(text)}, which is not a path`, [text]);
      inspection.pattern(pattern, [text]);
    }
  },
  describe: (operand) => printValue(operand),
  match: (operand, place, matching) =>
    Object.entries(operand as Record<string, unknown>).flatMap(([text, pattern]) => {
      const keys = parsePath(text) ?? [];
      return matching.match(pattern, keys.reduce<Place>(childPlace, place));
    }),
};

export const shapeOperators: readonly Operator[] = [type, path];
