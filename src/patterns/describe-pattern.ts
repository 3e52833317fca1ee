/** What a pattern asks for, in a few words. */
import { isOperatorKey, operatorTable } from './operators/operator-table.ts';
import { isPlainMap } from './plain-value.ts';
import { clipText, printValue } from './print-value.ts';

export function describePattern(pattern: unknown): string {
  if (!isPlainMap(pattern)) return printValue(pattern);
  const keys = Object.keys(pattern);
  if (keys.length === 0) return 'a map';
  if (!keys.every(isOperatorKey)) return printValue(pattern);
  const parts = keys.flatMap((key) => {
    const operator = operatorTable.get(key);
    if (!operator) return [];
    return [
      operator.describe(pattern[key], describePattern, operator.companion && pattern[operator.companion]),
    ];
  });
  return clipText(parts.join(' and '));
}
