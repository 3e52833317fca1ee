/** What one line of a file of events says. Pure. */
import { parseExactJson } from '../../kernel/exact-json.ts';
import { isMap } from '../../protocols/json-rpc/is-map.ts';
import type { RawLine } from '../line-reader.ts';
import { observerLimits } from '../observer-limits.ts';

/** Undefined for an empty line. */
export function readEvent({ bytes, isCut }: RawLine): unknown {
  const text = textOf(bytes);
  if (text.trim() === '') return undefined;
  const read = isCut ? undefined : parse(text);
  return read ? read.json : { $broken: text.slice(0, observerLimits.logLineBytes) };
}

/** A line without its end is an event once its object is whole: nothing can follow that would make it another one. */
export function isWholeEvent(line: RawLine | undefined): line is RawLine {
  return line !== undefined && !line.isCut && isMap(parse(textOf(line.bytes))?.json);
}

function textOf(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

function parse(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: parseExactJson(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
