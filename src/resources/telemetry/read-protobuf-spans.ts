/** The spans of an ExportTraceServiceRequest in protobuf. */
import { ProtobufReader } from './protobuf-reader.ts';
import { type Attributes, BadTelemetry, type SentSpan, wholeNumber } from './sent-span.ts';
import { telemetryLimits } from './telemetry-limits.ts';

/** Throws `BadTelemetry`. Takes at most this many spans; the rest is skipped. */
export function readProtobufSpans(body: Buffer, most: number): readonly SentSpan[] {
  const spans: SentSpan[] = [];
  for (const ofResource of messagesIn(body, 1, most)) {
    const [resource] = messagesIn(ofResource, 1, 1);
    const attributes = resource ? readAttributes(resource, 1) : {};
    for (const ofScope of messagesIn(ofResource, 2, most))
      for (const span of messagesIn(ofScope, 2, most - spans.length)) spans.push(readSpan(span, attributes));
  }
  return spans;
}

type Changeable<T> = { -readonly [Key in keyof T]: T[Key] };

function readSpan(message: Buffer, resource: Attributes): SentSpan {
  const span: Changeable<SentSpan> = {
    resource,
    traceId: '',
    spanId: '',
    parentSpanId: '',
    name: '',
    kind: 0,
    startedAt: 0n,
    endedAt: 0n,
    attributes: readAttributes(message, 9),
    events: messagesIn(message, 11, telemetryLimits.events + 1).map(readEvent),
    status: { code: 0, message: '' },
  };
  const reader = new ProtobufReader(message);
  while (reader.next()) readSpanField(reader, span);
  return span;
}

function readSpanField(reader: ProtobufReader, span: Changeable<SentSpan>): void {
  switch (reader.field) {
    case 1:
      span.traceId = reader.message().toString('hex');
      return;
    case 2:
      span.spanId = reader.message().toString('hex');
      return;
    case 4:
      span.parentSpanId = reader.message().toString('hex');
      return;
    case 5:
      span.name = reader.text();
      return;
    case 6:
      span.kind = Number(reader.integer());
      return;
    case 7:
      span.startedAt = reader.fixed64();
      return;
    case 8:
      span.endedAt = reader.fixed64();
      return;
    case 15:
      span.status = readStatus(reader.message());
      return;
    default:
      reader.skip();
  }
}

function readEvent(message: Buffer): SentSpan['events'][number] {
  return { name: lastText(message, 2), attributes: readAttributes(message, 3) };
}

function readStatus(message: Buffer): SentSpan['status'] {
  const reader = new ProtobufReader(message);
  let code: number | string = 0;
  while (reader.next()) {
    if (reader.field === 3) code = Number(reader.integer());
    else reader.skip();
  }
  return { code, message: lastText(message, 2) };
}

/** One field of a message is a list of keys and values. One more is taken than is kept, so that it can be seen. */
function readAttributes(message: Buffer, field: number, depth = 0): Attributes {
  const pairs = messagesIn(message, field, telemetryLimits.attributes + 1);
  return Object.fromEntries(
    pairs.map((pair) => {
      const value = messagesIn(pair, 2, 1)[0];
      return [lastText(pair, 1), value ? readValue(value, depth + 1) : null];
    }),
  );
}

function readValue(message: Buffer, depth: number): unknown {
  if (depth > telemetryLimits.valueDepth)
    throw new BadTelemetry(`a value is nested deeper than ${telemetryLimits.valueDepth} levels`);
  const reader = new ProtobufReader(message);
  let value: unknown = null;
  while (reader.next()) value = readValueField(reader, depth, value);
  return value;
}

function readValueField(reader: ProtobufReader, depth: number, otherwise: unknown): unknown {
  switch (reader.field) {
    case 1:
      return reader.text();
    case 2:
      return reader.integer() !== 0n;
    case 3:
      return wholeNumber(reader.integer());
    case 4:
      return reader.double();
    case 5:
      return messagesIn(reader.message(), 1, telemetryLimits.attributes + 1).map((item) =>
        readValue(item, depth + 1),
      );
    case 6:
      return readAttributes(reader.message(), 1, depth);
    case 7:
      return reader.message().toString('base64');
    default:
      reader.skip();
      return otherwise;
  }
}

/** The values of a repeated field, up to a number. */
function messagesIn(message: Buffer, field: number, most: number): readonly Buffer[] {
  const found: Buffer[] = [];
  const reader = new ProtobufReader(message);
  while (reader.next()) {
    if (reader.field !== field) reader.skip();
    else {
      const inner = reader.message();
      if (found.length < most) found.push(inner);
    }
  }
  return found;
}

function lastText(message: Buffer, field: number): string {
  const reader = new ProtobufReader(message);
  let text = '';
  while (reader.next()) {
    if (reader.field === field) text = reader.text();
    else reader.skip();
  }
  return text;
}
