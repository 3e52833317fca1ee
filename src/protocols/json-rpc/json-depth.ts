/** How deep JSON may be nested: anything deeper overflows the stack of later consumers. */

/** Levels of lists and maps in one value. */
export const mostJsonLevels = 256;

export function isTooDeep(value: unknown, levels: number = mostJsonLevels): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isTooDeep(inner, levels - 1));
}
