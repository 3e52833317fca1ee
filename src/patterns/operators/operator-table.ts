/** Every operator of the pattern language, by name. */
import { collectionOperators } from './collection-operators.ts';
import { equalityOperators } from './equality-operators.ts';
import { hmacOperator } from './hmac-operator.ts';
import { logicOperators } from './logic-operators.ts';
import type { Operator } from './operator.ts';
import { orderOperators } from './order-operators.ts';
import { overlapOperator } from './overlap-operator.ts';
import { presenceOperators } from './presence-operators.ts';
import { shapeOperators } from './shape-operators.ts';
import { textOperators } from './text-operators.ts';
import { unorderedOperator } from './unordered-operator.ts';

export const operatorTable: ReadonlyMap<string, Operator> = new Map(
  [
    ...logicOperators,
    ...equalityOperators,
    ...orderOperators,
    ...textOperators,
    ...collectionOperators,
    unorderedOperator,
    overlapOperator,
    hmacOperator,
    ...shapeOperators,
    ...presenceOperators,
  ].map((operator) => [operator.name, operator]),
);

/** The names of all operators and of their companion keys. */
export const operatorNames: readonly string[] = [...operatorTable.values()].flatMap(({ name, companion }) =>
  companion === undefined ? [name] : [name, companion],
);

/** In a pattern, every key that starts with `$` is an operator. */
export function isOperatorKey(key: string): boolean {
  return key.startsWith('$');
}
