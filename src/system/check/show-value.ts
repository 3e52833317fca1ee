/** Formats a value for a sentence: short, quoted, with its kind where that matters. */
import { isContainer } from '../../kernel/exact-json.ts';

const longest = 60;

export function showValue(value: unknown): string {
  if (Array.isArray(value) && value.length > 3) return `a list of ${value.length}`;
  const written = JSON.stringify(value) ?? String(value);
  if (written.length <= longest) return written;
  return typeof value === 'object' ? kindOf(value) : `${written.slice(0, longest)}…`;
}

/** `15, a number`. */
export function showWithKind(value: unknown): string {
  return value === null ? 'empty' : `${showValue(value)}, ${kindOf(value)}`;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isContainer(value)) return 'a map';
  if (typeof value === 'string') return 'a text';
  return typeof value === 'boolean' ? 'a truth value' : 'a number';
}
