/** The spans of an ExportTraceServiceRequest in JSON. */
import { isAnyNumber, parseExactJson } from '../../kernel/exact-json.ts';
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { type Attributes, BadTelemetry, type SentSpan, wholeNumber } from './sent-span.ts';
import { telemetryLimits } from './telemetry-limits.ts';

/** Throws `BadTelemetry`. Takes at most this many spans. */
export function readJsonSpans(body: Buffer, most: number): readonly SentSpan[] {
  const spans: SentSpan[] = [];
  const request = fieldsOf(parse(body), 'the request');
  for (const ofResource of listOf(request.resourceSpans, 'resourceSpans')) {
    const { resource, scopeSpans } = fieldsOf(ofResource, 'resourceSpans');
    const attributes = attributesOf(fieldsOf(resource ?? {}, 'resource').attributes, 0);
    for (const ofScope of listOf(scopeSpans, 'scopeSpans'))
      for (const span of listOf(fieldsOf(ofScope, 'scopeSpans').spans, 'spans')) {
        if (spans.length === most) return spans;
        spans.push(readSpan(fieldsOf(span, 'a span'), attributes));
      }
  }
  return spans;
}

function parse(body: Buffer): unknown {
  try {
    return parseExactJson(body.toString());
  } catch (error) {
    throw new BadTelemetry(`the body is not JSON: ${(error as Error).message}`);
  }
}

function readSpan(span: JsonMap, resource: Attributes): SentSpan {
  const status = fieldsOf(span.status ?? {}, 'status');
  const events = listOf(span.events, 'events').slice(0, telemetryLimits.events + 1);
  return {
    resource,
    traceId: textOf(span.traceId, 'traceId').toLowerCase(),
    spanId: textOf(span.spanId, 'spanId').toLowerCase(),
    parentSpanId: textOf(span.parentSpanId, 'parentSpanId').toLowerCase(),
    name: textOf(span.name, 'name'),
    kind: enumOf(span.kind, 'kind'),
    startedAt: integerOf(span.startTimeUnixNano, 'startTimeUnixNano'),
    endedAt: integerOf(span.endTimeUnixNano, 'endTimeUnixNano'),
    attributes: attributesOf(span.attributes, 0),
    events: events.map((event) => {
      const { name, attributes } = fieldsOf(event, 'an event');
      return { name: textOf(name, 'name'), attributes: attributesOf(attributes, 0) };
    }),
    status: { code: enumOf(status.code, 'code'), message: textOf(status.message, 'message') },
  };
}

/** One more than is kept, so that it can be seen that something was left out. */
function attributesOf(written: unknown, depth: number): Attributes {
  const pairs = listOf(written, 'attributes').slice(0, telemetryLimits.attributes + 1);
  return Object.fromEntries(
    pairs.map((pair) => {
      const { key, value } = fieldsOf(pair, 'an attribute');
      return [textOf(key, 'key'), readValue(value ?? {}, depth + 1)];
    }),
  );
}

function readValue(written: unknown, depth: number): unknown {
  if (depth > telemetryLimits.valueDepth)
    throw new BadTelemetry(`a value is nested deeper than ${telemetryLimits.valueDepth} levels`);
  const value = fieldsOf(written, 'a value');
  if (value.stringValue !== undefined) return textOf(value.stringValue, 'stringValue');
  if (value.boolValue !== undefined) return value.boolValue === true;
  if (value.intValue !== undefined) return wholeNumber(integerOf(value.intValue, 'intValue'));
  if (value.doubleValue !== undefined) return doubleOf(value.doubleValue);
  if (value.bytesValue !== undefined) return textOf(value.bytesValue, 'bytesValue');
  if (value.kvlistValue !== undefined)
    return attributesOf(fieldsOf(value.kvlistValue, 'kvlistValue').values, depth);
  if (value.arrayValue === undefined) return null;
  const list = listOf(fieldsOf(value.arrayValue, 'arrayValue').values, 'values');
  return list.slice(0, telemetryLimits.attributes + 1).map((item) => readValue(item, depth + 1));
}

/** `NaN` and the infinities are written as texts. */
function doubleOf(written: unknown): unknown {
  if (isAnyNumber(written)) return written;
  const text = textOf(written, 'doubleValue');
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

function fieldsOf(value: unknown, what: string): JsonMap {
  if (isMap(value)) return value;
  throw new BadTelemetry(`${what} is not a map`);
}

function listOf(value: unknown, what: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new BadTelemetry(`\`${what}\` is not a list`);
}

function textOf(value: unknown, what: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  throw new BadTelemetry(`\`${what}\` is not a string`);
}

/** By number, or by name, as some exporters do. */
function enumOf(value: unknown, what: string): number | string {
  return typeof value === 'number' ? value : textOf(value, what) || 0;
}

/** Large numbers come as texts. */
function integerOf(value: unknown, what: string): bigint {
  if (value === undefined || value === null) return 0n;
  const text =
    typeof value === 'bigint' || Number.isInteger(value) ? BigInt(value as number).toString() : value;
  if (typeof text === 'string' && /^-?\d{1,20}$/.test(text)) return BigInt(text);
  throw new BadTelemetry(`\`${what}\` is not a whole number`);
}
