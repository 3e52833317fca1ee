/** Paths into a value, printed and parsed in one form: `$.a.b[0]["odd key"]`. */
import { parseExactJson } from '../kernel/exact-json.ts';

export type PathKey = string | number;

const segmentPattern = /\.?([^.[\]"]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y;

/** The path one step further down. */
export function extendPath(path: string, key: PathKey): string {
  return typeof key === 'string' && isBareName(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

/** A key that needs no quotes. */
export function isBareName(key: string): boolean {
  return /^[$A-Za-z_][\w$-]*$/.test(key);
}

/** The keys along a path, with or without the leading `$`; undefined if the text is not a path. */
export function parsePath(text: string): PathKey[] | undefined {
  if (text === '$') return [];
  const rest = text.startsWith('$.') || text.startsWith('$[') ? text.slice(1) : text;
  if (rest === '' || (rest === text && rest.startsWith('.'))) return undefined;
  const segment = new RegExp(segmentPattern);
  const keys: PathKey[] = [];
  while (segment.lastIndex < rest.length) {
    const start = segment.lastIndex;
    const match = segment.exec(rest);
    if (!match) return undefined;
    const [whole, name, index, quoted] = match;
    if (name !== undefined && start > 0 && !whole.startsWith('.')) return undefined;
    const key = name ?? (index === undefined ? unquote(quoted as string) : Number(index));
    if (key === undefined) return undefined;
    keys.push(key);
  }
  return keys;
}

function unquote(quoted: string): string | undefined {
  try {
    return parseExactJson(quoted) as string;
  } catch {
    return undefined;
  }
}
