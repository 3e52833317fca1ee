/** Where the body of a message ends, as its head says. */
import type { HttpHeaders, RequestHead, ResponseHead } from './http-message.ts';

export type BodyFrame =
  | { readonly by: 'length'; readonly bytes: number }
  | { readonly by: 'chunks' }
  /** Whatever comes until the connection ends. */
  | { readonly by: 'end' };

const noBody: BodyFrame = { by: 'length', bytes: 0 };

/** Undefined when the head contradicts itself. */
export function requestFrame({ headers }: RequestHead): BodyFrame | undefined {
  const coding = lastCoding(headers);
  if (coding !== undefined) return coding === 'chunked' ? { by: 'chunks' } : undefined;
  return lengthFrame(headers, noBody);
}

/** The answer to a HEAD has a head only; the caller must handle that. */
export function responseFrame({ status, headers }: ResponseHead): BodyFrame | undefined {
  if (status < 200 || status === 204 || status === 304) return noBody;
  const coding = lastCoding(headers);
  if (coding !== undefined) return coding === 'chunked' ? { by: 'chunks' } : { by: 'end' };
  return lengthFrame(headers, { by: 'end' });
}

/** A transfer coding is stronger than a length. */
function lastCoding(headers: HttpHeaders): string | undefined {
  const written = headers['transfer-encoding'];
  if (written === undefined) return undefined;
  const coding = written
    .slice(written.lastIndexOf(',') + 1)
    .trim()
    .toLowerCase();
  return coding === 'identity' || coding === '' ? undefined : coding;
}

/** Several lengths are one length when they are equal. */
function lengthFrame(headers: HttpHeaders, otherwise: BodyFrame): BodyFrame | undefined {
  const written = headers['content-length'];
  if (written === undefined) return otherwise;
  if (digits.test(written)) return { by: 'length', bytes: Number(written) };
  const [first = '', ...others] = written.split(',').map((length) => length.trim());
  if (!digits.test(first) || others.some((other) => other !== first)) return undefined;
  return { by: 'length', bytes: Number(first) };
}

const digits = /^\d{1,15}$/;
