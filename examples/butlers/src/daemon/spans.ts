/** Spans of this daemon, sent to `OTEL_EXPORTER_OTLP_ENDPOINT` over OTLP/HTTP as JSON, each as soon as it has ended. */
import { Agent, request } from 'node:http';
import { log, reasonOf } from './log.ts';
import { spanBelow, type TraceContext } from './trace.ts';

export interface Tracer {
  /** Runs the task inside of a span below `parent`; what it throws is the span's error, and is rethrown. */
  within<T>(span: SpanPlan, task: (context: TraceContext) => Promise<T>): Promise<T>;
}

interface SpanPlan {
  readonly name: string;
  readonly parent?: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
}

interface EndedSpan extends SpanPlan {
  readonly context: TraceContext;
  readonly startedAt: number;
  readonly error?: string;
}

/** Without an endpoint the trace is still passed on, and nothing is sent. */
export function openTracer(service: string, endpoint: string | undefined): Tracer {
  const send = endpoint === undefined ? () => undefined : openExporter(service, endpoint);
  return {
    async within(plan, task) {
      const context = spanBelow(plan.parent);
      const startedAt = now();
      try {
        const result = await task(context);
        send({ ...plan, context, startedAt });
        return result;
      } catch (error) {
        send({ ...plan, context, startedAt, error: reasonOf(error) });
        throw error;
      }
    },
  };
}

/** At most this many are buffered for a slow receiver. */
const maxWaiting = 1_000;
const timeoutMs = 2_000;

/** Only one connection, also under load; what cannot be sent is lost, and work goes on. */
function openExporter(service: string, endpoint: string): (span: EndedSpan) => void {
  const url = new URL(`${endpoint}/v1/traces`);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let waiting = 0;
  return (span) => {
    if (waiting >= maxWaiting) return log.warn(`span ${span.name} was not sent: ${waiting} are waiting`);
    waiting += 1;
    const headers = { 'content-type': 'application/json' };
    const sending = request(url, { agent, method: 'POST', headers, timeout: timeoutMs }, (response) => {
      response.resume();
      if (response.statusCode !== 200)
        log.warn(`span ${span.name} was refused with status ${response.statusCode}`);
    });
    sending.on('timeout', () => sending.destroy(new Error(`no answer within ${timeoutMs} ms`)));
    sending.on('error', (error) => log.warn(`span ${span.name} was not sent: ${reasonOf(error)}`));
    sending.on('close', () => {
      waiting -= 1;
    });
    sending.end(JSON.stringify(toOtlp(service, span)));
  };
}

const serverKind = 2;
const errorCode = 2;

function toOtlp(service: string, { name, context, attributes, startedAt, error }: EndedSpan): unknown {
  const { traceparent: _, ...ids } = context;
  const span = {
    ...ids,
    name,
    kind: serverKind,
    startTimeUnixNano: toNanoseconds(startedAt),
    endTimeUnixNano: toNanoseconds(now()),
    attributes: toAttributes(attributes),
    status: error === undefined ? {} : { code: errorCode, message: error },
  };
  const resource = { attributes: toAttributes({ 'service.name': service }) };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'butlers' }, spans: [span] }] }] };
}

function toAttributes(values: Readonly<Record<string, string>>): unknown {
  return Object.entries(values).map(([key, value]) => ({ key, value: { stringValue: value } }));
}

/** Milliseconds since 1970, with their fractions. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

function toNanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1_000)) * 1_000n);
}
