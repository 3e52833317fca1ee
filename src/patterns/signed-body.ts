/** The body of a message as it was signed: its exact text, or why that is not known. */
import { Buffer } from 'node:buffer';
import { childPlace, type Place } from './place.ts';
import { isPlainMap } from './plain-value.ts';
import { withheldAt } from './withheld.ts';

export type SignedBody = { readonly text: string; readonly from: Place } | { readonly open: string };

/** `message` is a request or an answer: `{ headers, json or text, rawBody, bytes }`. */
export function signedBody(message: Place): SignedBody {
  const { headers, bytes, truncated, unfinished } = message.value as Readonly<Record<string, unknown>>;
  const [raw, text] = ['rawBody', 'text'].map((key) => childPlace(message, key));
  const from = typeof raw?.value === 'string' ? raw : (text as Place);
  const body = from.value ?? '';
  if (truncated || unfinished || typeof body !== 'string')
    return { open: 'the body was not kept as a whole' };
  if (isPlainMap(headers) && headers['content-encoding'] !== undefined)
    return { open: 'the body was packed, and its bytes as they were sent are not kept' };
  const withheld = withheldAt(from);
  if (withheld !== undefined) return { open: withheld };
  if (bytes === undefined || bytes === Buffer.byteLength(body)) return { text: body, from };
  const rule = 'that is kept beside a header whose name has `signature`, `hmac` or `digest` in it';
  return { open: `the body of ${String(bytes)} bytes is not there as exact text; ${rule}` };
}
