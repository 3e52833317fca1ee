/** Lets a condition find in the `text` of a row what a value holds, although JSON writes quotes, backslashes and line ends in another way. Pure. */
import { parseExactJson } from '../../kernel/exact-json.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';

/** What JSON writes with escapes, without them; nothing else, since that can be found as it is. No text of PostgreSQL has a zero character. */
export function plainTextOf(json: string): string {
  if (!json.includes('\\')) return '';
  const texts: string[] = [];
  for (let at = json.indexOf('"'); at >= 0; ) {
    const end = endOfString(json, at);
    const text = json.slice(at, end);
    if (text.includes('\\')) texts.push(parseExactJson(text) as string);
    at = json.indexOf('"', end);
  }
  return texts.join('\0');
}

/** What is to be contained in `text` may as well be in `plain`; everything else is about `text`, the JSON. */
export function searchingPlainText(where: unknown): unknown {
  if (!isPlainMap(where)) return where;
  const others = Object.entries(where).filter(([key]) => key !== 'text');
  const changed = others.map(([key, pattern]) => [key, inLogic(key, pattern, searchingPlainText)]);
  const rest: unknown = Object.fromEntries(changed);
  if (!Object.hasOwn(where, 'text')) return rest;
  return { $all: [rest, ...conditionsOn(where.text)] };
}

function conditionsOn(pattern: unknown): readonly unknown[] {
  if (!isPlainMap(pattern)) return [{ text: pattern }];
  const { $flags, ...operators } = pattern;
  const flags = $flags === undefined ? {} : { $flags };
  if (Object.keys(operators).length === 0) return [{ text: pattern }];
  return Object.entries(operators).flatMap(([key, operand]): readonly unknown[] => {
    if (['$not', '$any', '$all'].includes(key))
      return [{ [key]: inLogic(key, operand, (part) => ({ $all: conditionsOn(part) })) }];
    if (key === '$contains' && Array.isArray(operand))
      return operand.map((part) => anywhere({ [key]: part }));
    if (key === '$contains') return [anywhere({ [key]: operand })];
    if (key === '$regex') return [anywhere({ [key]: operand, ...flags })];
    return [{ text: { [key]: operand } }];
  });
}

function anywhere(pattern: unknown): unknown {
  return { $any: [{ text: pattern }, { plain: pattern }] };
}

function inLogic(key: string, operand: unknown, change: (part: unknown) => unknown): unknown {
  if (key === '$not') return change(operand);
  return (key === '$any' || key === '$all') && Array.isArray(operand) ? operand.map(change) : operand;
}

function endOfString(json: string, start: number): number {
  let at = start + 1;
  for (; at < json.length && json[at] !== '"'; at += 1) if (json[at] === '\\') at += 1;
  return at + 1;
}
