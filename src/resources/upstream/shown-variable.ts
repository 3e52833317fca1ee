/** The name of an environment variable as it may be shown. */

/** Whoever writes a key in place of a name may have one that could be a name; those of variables are written in capitals. */
export function shownVariable(name: string): string {
  return /^[A-Z_][A-Z0-9_]*$/.test(name) || name.length < 12 ? name : `${name.slice(0, 4)}…`;
}
