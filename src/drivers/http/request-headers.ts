/** The headers of a request: what the step says, and what every client says when nothing was said. */
import type { RequestBody } from './request-body.ts';

/** Names in lower case, so that a step's own header stands in the place of ours. */
export function requestHeaders(
  own: Readonly<Record<string, string>> | undefined,
  body: RequestBody,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { accept: '*/*', 'user-agent': 'shakedown' };
  if (body.type !== undefined) headers['content-type'] = body.type;
  for (const [name, value] of Object.entries(own ?? {})) headers[name.toLowerCase()] = String(value);
  return headers;
}
