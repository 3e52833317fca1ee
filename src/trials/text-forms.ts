/** How a text of a trial is read, by the keys that lead to it: in an expression or a glob, values are data. */
import { isMap } from '../kernel/is-map.ts';
import { checkKind } from '../kinds/check-kinds.ts';
import type { TextForm } from '../patterns/escape-data.ts';

/** Of a step, a check or a line of a script. */
export function formInPart(part: unknown, keys: readonly string[]): TextForm | undefined {
  return formInPattern(keys) ?? formInQuery(part, keys);
}

/** Of all scripts: `model, agent, 0, when, text, $regex`. */
export function formInScripts(keys: readonly string[]): TextForm | undefined {
  return formInPattern(keys.slice(keys.findIndex((key) => /^\d+$/.test(key)) + 1));
}

/** Keys below which a `$regex` is an operator; elsewhere it is what is sent. */
const patternKeys: readonly string[] = ['expect', 'where', 'never', 'when', 'until', 'order', 'agree'];

function formInPattern(keys: readonly string[]): TextForm | undefined {
  const isOperator = keys.at(-1) === '$regex' && !keys.includes('$eq') && !keys.includes('$ne');
  return isOperator && patternKeys.includes(keys[0] ?? '') ? 'expression' : undefined;
}

/** Of a check, of one that a step waits for, or of a place of a correlation. */
function formInQuery(part: unknown, keys: readonly string[]): TextForm | undefined {
  const [first = ''] = keys;
  if (keys.length > 1 && !['when', 'until', 'correlate'].includes(first)) return undefined;
  const query = keys.slice(0, -1).reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), part);
  if (!isMap(query)) return undefined;
  const kind = Object.keys(query).find((key) => checkKind(key)?.forms);
  return kind === undefined ? undefined : checkKind(kind)?.forms?.[keys.at(-1) ?? ''];
}
