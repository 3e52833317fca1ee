/** Anything that evidence has in the place of a text, as a text. */
import { isLeftOut } from './embedded-report.ts';

export function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (isLeftOut(value)) return `${String(value.$leftOut.beginning)} …`;
  return value === undefined ? '' : JSON.stringify(value);
}

/** Nothing where a list was left out. */
export function listIn<Element>(value: readonly Element[] | undefined): readonly Element[] {
  return Array.isArray(value) ? value : [];
}
