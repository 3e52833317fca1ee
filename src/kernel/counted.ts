/** Numbers and lists in words. */

/** `1 trial`, `3 trials` */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `a, b, c and 4 more` */
export function firstNames(names: readonly string[], most: number): string {
  const rest = names.length > most ? ` and ${names.length - most} more` : '';
  return `${names.slice(0, most).join(', ')}${rest}`;
}
