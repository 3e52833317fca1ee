/** What one line of a file of events says. Pure. */
import { isUtf8 } from 'node:buffer';
import { isMap } from '../../kernel/is-map.ts';
import { notKept } from '../../kernel/not-kept.ts';
import { readJson } from '../../protocols/json-rpc/read-json.ts';
import type { RawLine } from '../line-reader.ts';
import { observerLimits } from '../observer-limits.ts';

/** Undefined for an empty line. */
export function readEvent({ bytes, isCut }: RawLine): unknown {
  if (isCut) return notKept;
  const text = textOf(bytes);
  if (text.trim() === '') return undefined;
  const read = parse(bytes);
  return read ? read.json : { $broken: text.slice(0, observerLimits.logLineBytes) };
}

/** A line without its end is an event once its object is whole: nothing can follow that would make it another one. */
export function isWholeEvent(line: RawLine | undefined): line is RawLine {
  return line !== undefined && !line.isCut && isMap(parse(line.bytes)?.json);
}

function textOf(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

function parse(bytes: Buffer): { readonly json: unknown } | undefined {
  const read = isUtf8(bytes) ? readJson(textOf(bytes)) : undefined;
  return read && 'json' in read ? read : undefined;
}
