/** Reads a text as JSON; what is none, or is nested too deep for those who come after, is told and not thrown. */
import { parseStrictJson } from '../kernel/strict-json.ts';

/** Levels of lists and maps in one value. */
const mostLevels = 256;

export type ParsedJson = { readonly value: unknown } | { readonly fault: string };

export function parseJson(text: string): ParsedJson {
  try {
    const value: unknown = parseStrictJson(text);
    // Each level takes two characters at least, so a short text need not be walked through.
    if (text.length > 2 * mostLevels && isDeeperThan(value, mostLevels)) {
      return { fault: `it has more than ${mostLevels} levels` };
    }
    return { value };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}
