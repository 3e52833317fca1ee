/** The headers of a request: those of the step, and the defaults of every client. */
import type { RequestBody } from './request-body.ts';

/** Names in lower case, so that a step's own header replaces the default. */
export function requestHeaders(
  own: Readonly<Record<string, string>> | undefined,
  body: RequestBody,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { accept: '*/*', 'user-agent': 'shakedown' };
  if (body.type !== undefined) headers['content-type'] = body.type;
  for (const [name, value] of Object.entries(own ?? {})) headers[name.toLowerCase()] = String(value);
  return headers;
}
