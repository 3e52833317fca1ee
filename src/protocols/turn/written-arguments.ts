/** The arguments of a call as they are sent: as written by whoever scripted it, or as JSON. */
import { parseExactJson, withNearest } from '../../kernel/exact-json.ts';
import type { TurnPart } from './turn.ts';

type CallPart = Extract<TurnPart, { readonly kind: 'call' }>;

/** For a dialect in which they are a text. */
export function argumentsText({ raw, arguments: made }: CallPart): string {
  return raw ?? JSON.stringify(made);
}

/** For a dialect in which they are a value. */
export function argumentsValue({ raw, arguments: made }: CallPart): unknown {
  return raw !== undefined && isJson(raw) ? withNearest(parseExactJson(raw)) : made;
}

export function isJson(text: string): boolean {
  try {
    parseExactJson(text);
    return true;
  } catch {
    return false;
  }
}
