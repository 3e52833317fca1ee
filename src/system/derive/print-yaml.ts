/** Prints values as YAML that a person would write: a key on each line, what is inside in braces. Pure. */
import { isMap } from '../../kernel/is-map.ts';

export function printMap(map: Readonly<Record<string, unknown>>, indent: string): readonly string[] {
  return Object.entries(map).flatMap(([key, value]) => {
    if (value === undefined) return [];
    const isLong = isMap(value) && printValue(value).length > 70;
    if (!isLong) return [`${indent}${printKey(key)}: ${printValue(value)}`];
    return [`${indent}${printKey(key)}:`, ...printMap(value, `${indent}  `)];
  });
}

export function printValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printValue).join(', ')}]`;
  if (isMap(value)) {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
    const parts = entries.map(([key, inner]) => `${printKey(key)}: ${printValue(inner)}`);
    return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
  }
  return typeof value === 'string' && isPlain(value) ? value : (JSON.stringify(value) ?? 'null');
}

function printKey(key: string): string {
  return /^[\w$][\w.-]*$/.test(key) && isPlain(key) ? key : JSON.stringify(key);
}

/** Read by YAML as that text, also between brackets: no word or number of another type, no sign that means something. */
function isPlain(text: string): boolean {
  const isOther =
    /^(?:true|false|null|yes|no|on|off|y|n|-|\.(?:inf|nan))$/i.test(text) || !Number.isNaN(Number(text));
  return !isOther && /^[\w./$-][\w./@=+ -]*$/.test(text) && !/^-+ | $/.test(text);
}
