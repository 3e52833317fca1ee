/** A request as the lines of a script see it: `where` is matched against it, and `${request.…}` is taken from it. */
import { unpack } from '../../kernel/content-coding.ts';
import { exactJsonOr } from '../../kernel/exact-json.ts';
import { wireLimits } from '../wire/wire-limits.ts';
import type { WireRequest } from '../wire/wire-server.ts';

export interface PeerRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Where the body is JSON. */
  readonly json?: unknown;
  /** Where it is a form: the first value of each name. */
  readonly form?: Readonly<Record<string, string>>;
  /** What matched each `*` of the line that answers. */
  readonly params?: readonly string[];
}

export function viewRequest(request: WireRequest): PeerRequest {
  const { method, path, query, headers } = request;
  const text = plainBody(request).toString();
  const seen = { method, path, query, headers, text };
  const type = headers['content-type']?.toLowerCase() ?? '';
  if (type.startsWith('application/x-www-form-urlencoded')) return { ...seen, form: formOf(text) };
  // Many send JSON and do not say so.
  const json = exactJsonOr(text, undefined);
  return json === undefined ? seen : { ...seen, json };
}

/** Unpacked, where its coding is known and it is what it says. */
export function plainBody({ headers, body }: WireRequest): Buffer {
  const unpacked = unpack(body, headers['content-encoding'], { mostBytes: wireLimits.bodyBytes });
  return 'fault' in unpacked ? body : unpacked.bytes;
}

function formOf(text: string): Readonly<Record<string, string>> {
  const form: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) form[name] ??= value;
  return form;
}
