/** What goes with an MCP call beside its arguments. */

/** The text under a key of `_meta`; a value of another type is ignored. */
export function metaText(
  meta: Readonly<Record<string, unknown>> | undefined,
  key: string,
): string | undefined {
  const value = meta?.[key];
  return typeof value === 'string' && value.length <= 200 ? value : undefined;
}
