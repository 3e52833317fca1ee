/** W3C trace context: one trace for a message, a new span for every hop. */
import { randomBytes } from 'node:crypto';

const form = /^00-([0-9a-f]{32})-[0-9a-f]{16}-([0-9a-f]{2})$/;

/** A span below the given one, or the first span of a new trace. */
export function nextSpan(traceparent?: string): string {
  const parent = traceparent === undefined ? null : form.exec(traceparent);
  const trace = parent?.[1] ?? randomBytes(16).toString('hex');
  return `00-${trace}-${randomBytes(8).toString('hex')}-${parent?.[2] ?? '01'}`;
}
