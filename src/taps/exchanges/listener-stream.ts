/** The stream of events that a GET opens to listen: it may last as long as its session. */
import type { RequestHead, ResponseHead } from '../../protocols/http/http-message.ts';
import { mediaKind } from '../../protocols/http/media-type.ts';

export function opensListener({ method }: RequestHead, { headers }: ResponseHead): boolean {
  return method === 'GET' && mediaKind(headers['content-type']) === 'events';
}

/** Whose connection ends with the answer: behind an answer in place of the stream, the provider still sends its own. */
export function endingConnection(request: RequestHead): RequestHead {
  return { ...request, minor: 0, headers: { ...request.headers, connection: 'close' } };
}
