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
  readFields(message, {
    1: (reader) => (span.traceId = reader.message().toString('hex')),
    2: (reader) => (span.spanId = reader.message().toString('hex')),
    4: (reader) => (span.parentSpanId = reader.message().toString('hex')),
    5: (reader) => (span.name = reader.text()),
    6: (reader) => (span.kind = Number(reader.integer())),
    7: (reader) => (span.startedAt = reader.fixed64()),
    8: (reader) => (span.endedAt = reader.fixed64()),
    15: (reader) => (span.status = readStatus(reader.message())),
  });
  return span;
}

/** Each field goes to its reader; all others are skipped. */
function readFields(
  message: Buffer,
  readers: Readonly<Record<number, (reader: ProtobufReader) => unknown>>,
): void {
  const reader = new ProtobufReader(message);
  while (reader.next()) {
    const read = readers[reader.field];
    if (read === undefined) reader.skip();
    else read(reader);
  }
}

function readEvent(message: Buffer): SentSpan['events'][number] {
  return { name: lastText(message, 2), attributes: readAttributes(message, 3) };
}

function readStatus(message: Buffer): SentSpan['status'] {
  let code = 0;
  readFields(message, { 3: (reader) => (code = Number(reader.integer())) });
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
  let value: unknown = null;
  readFields(message, {
    1: (reader) => (value = reader.text()),
    2: (reader) => (value = reader.integer() !== 0n),
    3: (reader) => (value = wholeNumber(reader.integer())),
    4: (reader) => (value = reader.double()),
    5: (reader) => {
      const items = messagesIn(reader.message(), 1, telemetryLimits.attributes + 1);
      value = items.map((item) => readValue(item, depth + 1));
    },
    6: (reader) => (value = readAttributes(reader.message(), 1, depth)),
    7: (reader) => (value = reader.message().toString('base64')),
  });
  return value;
}

/** The values of a repeated field, up to a number. */
function messagesIn(message: Buffer, field: number, most: number): readonly Buffer[] {
  const found: Buffer[] = [];
  readFields(message, {
    [field]: (reader) => {
      const inner = reader.message();
      if (found.length < most) found.push(inner);
    },
  });
  return found;
}

function lastText(message: Buffer, field: number): string {
  let text = '';
  readFields(message, { [field]: (reader) => (text = reader.text()) });
  return text;
}
