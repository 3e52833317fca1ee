/** Headers as they are written down: what lets somebody in is shortened to its beginning. */
import type { HttpHeaders } from '../../protocols/http/http-message.ts';

const keys = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-goog-api-key',
  'api-key',
  'x-auth-token',
];
const shownChars = 6;

/** Never more than half of a value, so that a short one is not shown nearly whole. */
export function shownHeaders(headers: HttpHeaders): HttpHeaders {
  let shown: Record<string, string> | undefined;
  for (const key of keys) {
    const value = headers[key];
    if (value === undefined) continue;
    shown ??= { ...headers };
    const [, scheme = '', secret = value] = /^([A-Za-z]+ )(.+)$/.exec(value) ?? [];
    shown[key] = `${scheme}${secret.slice(0, Math.min(shownChars, secret.length >> 1))}…`;
  }
  return shown ?? headers;
}
