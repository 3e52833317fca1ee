/** The head of an HTTP/1.1 message, and what reads it from a text. */

/** Names in lower case; a header that came several times is joined by commas. */
export type HttpHeaders = Readonly<Record<string, string>>;

export interface RequestHead {
  readonly method: string;
  /** As it was sent: a path with its query, an absolute address, or `*`. */
  readonly target: string;
  readonly minor: 0 | 1;
  readonly headers: HttpHeaders;
  /** It was larger than accepted, and this is its beginning. */
  readonly cut?: true;
}

export interface ResponseHead {
  readonly status: number;
  readonly reason: string;
  readonly minor: 0 | 1;
  readonly headers: HttpHeaders;
  readonly cut?: true;
}

const requestLine = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]{1,32}) (\S[^\0\r\n]*) HTTP\/1\.([01])\r?$/;
const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: ([^\0\r\n]*))?\r?$/;

/** Undefined when the text begins with no request line of HTTP/1. */
export function parseRequestHead(text: string): RequestHead | undefined {
  const firstEnd = endOfLine(text, 0);
  const [, method, target, minor] = requestLine.exec(text.slice(0, firstEnd)) ?? [];
  if (method === undefined || target === undefined) return undefined;
  return { method, target, minor: minor === '0' ? 0 : 1, headers: parseHeaders(text, firstEnd + 1) };
}

/** Undefined when the text begins with no status line of HTTP/1. */
export function parseResponseHead(text: string): ResponseHead | undefined {
  const firstEnd = endOfLine(text, 0);
  const [, minor, status, reason = ''] = statusLine.exec(text.slice(0, firstEnd)) ?? [];
  if (status === undefined) return undefined;
  const headers = parseHeaders(text, firstEnd + 1);
  return { status: Number(status), reason, minor: minor === '0' ? 0 : 1, headers };
}

/** A line without a colon is skipped: the receiver judges it, this code only observes. */
export function parseHeaders(text: string, start: number): HttpHeaders {
  const headers: Record<string, string> = {};
  let last: string | undefined;
  for (let from = start; from < text.length; ) {
    const end = endOfLine(text, from);
    const first = text.charCodeAt(from);
    const colon = text.indexOf(':', from);
    if (last !== undefined && (first === space || first === tab)) {
      headers[last] = `${headers[last]} ${text.slice(from, end).trim()}`.trim();
    } else if (colon !== -1 && colon < end) {
      last = text.slice(from, colon).trimEnd().toLowerCase();
      addHeader(headers, last, text.slice(colon + 1, end).trim());
    }
    from = end + 1;
  }
  return headers;
}

/** A name such as `constructor` finds something on every object; only a text counts. */
function addHeader(headers: Record<string, string>, name: string, value: string): void {
  const before: unknown = headers[name];
  headers[name] = typeof before === 'string' ? `${before}, ${value}` : value;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

const space = 0x20;
const tab = 0x09;
