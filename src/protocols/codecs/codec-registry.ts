/** Every codec by name. */
import type { Codec } from './codec.ts';
import { contentLengthJson } from './content-length-json.ts';
import { hex6Sexp } from './hex6-sexp.ts';
import { newlineJson } from './newline-json.ts';

const codecs: ReadonlyMap<string, Codec> = new Map(
  [hex6Sexp, newlineJson, contentLengthJson].map((codec) => [codec.name, codec]),
);

export const codecNames: readonly string[] = [...codecs.keys()];

export function findCodec(name: string): Codec | undefined {
  return codecs.get(name);
}
