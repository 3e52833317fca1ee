/** Small validators for untrusted plain data: each reports what does not fit, and where. */
import { isMap } from './is-map.ts';

/** Undefined when the value fits. */
export type Shape = (value: unknown, at: string) => string | undefined;

function kind(name: string, fits: (value: unknown) => boolean): Shape {
  return (value, at) => (fits(value) ? undefined : `${at} is not ${name}`);
}

export const anything: Shape = () => undefined;
export const text = kind('a text', (value) => typeof value === 'string');
export const flag = kind('true or false', (value) => typeof value === 'boolean');
export const amount = kind('a number of 0 or more', (value) => typeof value === 'number' && value >= 0);
export const whole = kind('a whole number', Number.isSafeInteger);
export const positive = kind(
  'a whole number of 1 or more',
  (value) => Number.isSafeInteger(value) && (value as number) > 0,
);
export const nothing = kind('null', (value) => value === null);

export function oneOf(...words: readonly unknown[]): Shape {
  return kind(`one of ${words.join(', ')}`, (value) => words.includes(value));
}

export function listOf(shape: Shape): Shape {
  return (value, at) =>
    Array.isArray(value)
      ? value.map((one, index) => shape(one, `${at}[${index}]`)).find((fault) => fault !== undefined)
      : `${at} is not a list`;
}

/** Additional keys are allowed. */
export function record(
  needed: Readonly<Record<string, Shape>>,
  may: Readonly<Record<string, Shape>> = {},
): Shape {
  return (value, at) => {
    if (!isMap(value)) return `${at} is not a map`;
    const fault = ([key, shape]: readonly [string, Shape]): string | undefined =>
      shape(Object.hasOwn(value, key) ? value[key] : undefined, `${at}.${key}`);
    const there = Object.entries(may).filter(([key]) => Object.hasOwn(value, key));
    return [...Object.entries(needed), ...there].map(fault).find((found) => found !== undefined);
  };
}

export function mapOf(shape: Shape): Shape {
  return (value, at) =>
    isMap(value)
      ? Object.keys(value)
          .map((key) => shape(value[key], `${at}.${key}`))
          .find((fault) => fault !== undefined)
      : `${at} is not a map`;
}

export function either(...shapes: readonly Shape[]): Shape {
  return (value, at) => {
    const faults = shapes.map((shape) => shape(value, at));
    return faults.includes(undefined) ? undefined : faults.join(', or ');
  };
}

/** A map of one of several forms, distinguished by the value of one key. */
export function byWord(key: string, forms: Readonly<Record<string, Shape>>): Shape {
  return (value, at) => {
    const word = isMap(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    if (typeof word !== 'string' || !Object.hasOwn(forms, word))
      return `${at}.${key} is not one of ${Object.keys(forms).join(', ')}`;
    return forms[word]?.(value, at);
  };
}

/** Without recursion, so that a deep value cannot overflow the stack. */
export function isDeeperThan(value: unknown, most: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= most; depth += 1) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    if (level.length === 0) return false;
  }
  return true;
}
