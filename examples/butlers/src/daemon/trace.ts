/** W3C trace context: one trace for a message, a span for each thing that is done for it. */
import { randomBytes } from 'node:crypto';

export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  /** The whole context in one text, as it is passed on. */
  readonly traceparent: string;
}

const form = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** A span below the given one; the first span of a new trace where nothing, or nothing valid, is given. */
export function spanBelow(parent?: string): TraceContext {
  const [, trace, parentSpanId, flags = '01'] = form.exec(parent ?? '') ?? [];
  const traceId = trace ?? randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  const traceparent = `00-${traceId}-${spanId}-${flags}`;
  return parentSpanId === undefined
    ? { traceId, spanId, traceparent }
    : { traceId, spanId, parentSpanId, traceparent };
}

/** The part that all spans of one message share. */
export function traceIdOf(traceparent: string): string {
  return form.exec(traceparent)?.[1] ?? 'none';
}
