/** Distinguishes a JSON object from every other JSON value. */
import { isContainer } from './exact-json.ts';

export type JsonMap = Readonly<Record<string, unknown>>;

export function isMap(value: unknown): value is JsonMap {
  return isContainer(value) && !Array.isArray(value);
}

export function isListOf(value: unknown, isOne: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}
