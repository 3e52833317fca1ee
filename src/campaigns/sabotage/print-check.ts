/** Prints a check as YAML below `checks:`, or as a call in a flow. */
import { isMap } from '../../kernel/is-map.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import { isBareName } from '../../patterns/value-path.ts';
import type { RawMap } from '../../trials/read/placed.ts';

export function printCheck(id: string, raw: RawMap, isFlow: boolean): string {
  const [[kind = '', named] = [], ...keys] = Object.entries(raw);
  if (!isFlow)
    return [
      `  ${id}:`,
      `    ${kind}: ${scalar(named)}`,
      ...keys.map(([key, value]) => `    ${key}: ${inline(value, false)}`),
    ].join('\n');
  const { takes = '' } = checkKind(kind) ?? {};
  const { expect, count, [takes]: second, ...rest } = Object.fromEntries(keys);
  const options = Object.values(rest).some((value) => value !== undefined) ? [rest] : [];
  const isSecond = takes !== '' && (second !== undefined || options.length > 0);
  const given = [named, ...(isSecond ? [second] : []), ...options];
  const looked = `${kind}(${given.map((one) => inline(one, true)).join(', ')})`;
  const counted = count === undefined ? '' : `, { count: ${inline(count, true)} }`;
  return `    check('${id}', ${looked}, ${expect === undefined ? 'undefined' : inline(expect, true)}${counted});`;
}

/** For the answer of a step that has no name. */
export function printExpect(expect: unknown, step: string, isFlow: boolean): string {
  const name = step.replace(/^#/, '');
  return isFlow
    ? `    expect: ${inline(expect, true)}, // in the options of step ${name}`
    : `    expect: ${inline(expect, false)} # at step ${name}, or name it: as: …`;
}

/** A plain text where YAML reads it as one. */
function scalar(value: unknown): string {
  const isPlain = typeof value === 'string' && /^(?!(?:true|false|null)$)[a-z][\w ./>-]*$/i.test(value);
  return isPlain ? value : inline(value, false);
}

function inline(value: unknown, isCode: boolean): string {
  if (Array.isArray(value)) return `[${value.map((item) => inline(item, isCode)).join(', ')}]`;
  if (isMap(value)) {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
    if (entries.length === 0) return '{}';
    const parts = entries.map(
      ([key, inner]) => `${isBareName(key) ? key : JSON.stringify(key)}: ${inline(inner, isCode)}`,
    );
    return `{ ${parts.join(', ')} }`;
  }
  if (isCode && typeof value === 'string' && value.includes('${'))
    return `\`${JSON.stringify(value).slice(1, -1).replaceAll('`', '\\`')}\``;
  return JSON.stringify(value) ?? (isCode ? 'undefined' : 'null');
}
