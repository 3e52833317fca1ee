/** Rules of HTTP that one of the two sides broke, as a watch sees them. */
import { type CallBreach, unfinishedRules } from '../../journal/call-event.ts';
import { cutText } from '../../kernel/cut-text.ts';
import { responseFrame } from '../../protocols/http/body-frame.ts';
import type { BodyReading } from '../../protocols/http/read-body.ts';
import type { PassingCall } from './passing-call.ts';

const shownBytes = 60;

/** The provider ended the connection in the middle of its response: by a reset, where its end would have been that of the body. */
export function unfinishedResponse({ response, responseBody }: PassingCall): CallBreach | undefined {
  const frame = response && responseFrame(response);
  if (frame === undefined) return undefined;
  const came = responseBody?.bytes ?? 0;
  const what = {
    chunks: `the connection ended after ${came} bytes of a body in chunks, before the last chunk`,
    length: `\`content-length\` is ${'bytes' in frame && frame.bytes}, and the connection ended after ${came} bytes of the body`,
    end: `the connection was reset after ${came} bytes of a body that lasts until it is closed`,
  };
  return { by: 'provider', rule: unfinishedRules[frame.by], what: what[frame.by] };
}

/** The response is whole, and its body was not packed to the end. Events that came are whole, each of them. */
export function unfinishedCoding(
  { response }: PassingCall,
  { unfinished, events }: BodyReading,
): CallBreach | undefined {
  if (!unfinished || events) return undefined;
  const what = `the body ends in the middle of its \`content-encoding\`, ${response?.headers['content-encoding']}`;
  return { by: 'provider', rule: unfinishedRules.coding, what };
}

/** More came than the response had announced, and it does not answer any request. */
export function extraBytes({ response, responseBody }: PassingCall): CallBreach {
  const length = response?.headers['content-length'];
  const announced = length === undefined ? 'the end of the response' : `\`content-length: ${length}\``;
  const what = `after ${responseBody?.bytes ?? 0} bytes of the body, where ${announced} ends it, more came`;
  return { by: 'provider', rule: 'http.body-too-long', what };
}

/** What came cannot be read as HTTP: no head, one that contradicts itself, or chunks without their sizes. */
export function notHttp(by: CallBreach['by'], place: 'head' | 'body', bytes: Buffer): CallBreach {
  if (place === 'body')
    return { by, rule: 'http.bad-chunk', what: 'the chunked body has an invalid chunk size' };
  const shown = cutText(bytes.toString('latin1', 0, shownBytes + 1), shownBytes);
  const what = `the bytes sent are not an HTTP/1 ${by === 'provider' ? 'response' : 'request'}: ${JSON.stringify(shown)}`;
  return { by, rule: 'http.not-http', what };
}
