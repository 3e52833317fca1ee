/** From a span as it was sent to what is written down of it: bounded, and marked where something was left out. */
import type { SpanEvidence } from '../../journal/peer-event.ts';
import { isContainer } from '../../kernel/exact-json.ts';
import type { SentSpan } from './sent-span.ts';
import { telemetryLimits } from './telemetry-limits.ts';

/** `chars` is how much of attributes and events may be kept; gives how much of it was used. */
export function keepSpan(
  sent: SentSpan,
  chars: number,
): { readonly span: SpanEvidence; readonly used: number } {
  const room = new Room(chars);
  const attributes = room.map(sent.attributes);
  const events = room.list(sent.events, telemetryLimits.events, (event) => ({
    name: room.text(event.name),
    attributes: room.map(event.attributes),
  }));
  const service = sent.resource['service.name'];
  const message = clip(sent.status.message);
  const span: SpanEvidence = {
    service: typeof service === 'string' ? clip(service) : null,
    name: clip(sent.name),
    kind: nameOf(sent.kind, kinds, 'SPAN_KIND_'),
    traceId: clip(sent.traceId),
    spanId: clip(sent.spanId),
    parentSpanId: sent.parentSpanId === '' ? null : clip(sent.parentSpanId),
    attributes,
    events,
    status: { code: statusOf(sent.status.code), ...(message === '' ? {} : { message }) },
    durationMs: Number(sent.endedAt - sent.startedAt) / 1e6,
    startedAt: timeOf(sent.startedAt),
    ...(room.isCut ? { cut: true } : {}),
  };
  return { span, used: room.used };
}

/** What says which span it is, is always kept. */
function clip(text: string): string {
  return text.length > telemetryLimits.nameChars
    ? text.slice(0, telemetryLimits.nameChars).toWellFormed()
    : text;
}

const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];

function nameOf(value: number | string, names: readonly string[], prefix: string): string {
  if (typeof value === 'number') return names[value] ?? String(value);
  return value.startsWith(prefix) ? value.slice(prefix.length).toLowerCase() : clip(value);
}

function statusOf(code: number | string): SpanEvidence['status']['code'] {
  const name = nameOf(code, ['unset', 'ok', 'error'], 'STATUS_CODE_');
  return name === 'ok' || name === 'error' ? name : 'unset';
}

/** A date holds what fits into it; a clock that is further off is not reported. */
function timeOf(nanoseconds: bigint): string {
  const milliseconds = Number(nanoseconds / 1_000_000n);
  return milliseconds < 8.64e15 ? new Date(milliseconds).toISOString() : 'beyond every calendar';
}

/** Counts what is kept, and leaves out what is too much. */
class Room {
  used = 0;
  isCut = false;
  readonly #most: number;

  constructor(chars: number) {
    this.#most = Math.min(chars, telemetryLimits.spanChars);
  }

  text(text: string): string {
    const most = Math.max(0, Math.min(telemetryLimits.textChars, this.#most - this.used));
    const kept = text.length > most ? text.slice(0, most).toWellFormed() : text;
    if (kept.length < text.length) this.isCut = true;
    this.used += kept.length;
    return kept;
  }

  map(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const entries = this.list(Object.entries(values), telemetryLimits.attributes, ([key, value]) => [
      this.text(key),
      this.#value(value),
    ]);
    return Object.fromEntries(entries);
  }

  list<T, Kept>(values: readonly T[], most: number, keep: (value: T) => Kept): Kept[] {
    const kept: Kept[] = [];
    for (const value of values) {
      if (kept.length === most || this.used >= this.#most) {
        this.isCut = true;
        return kept;
      }
      this.used += 1;
      kept.push(keep(value));
    }
    return kept;
  }

  #value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value))
      return this.list(value, telemetryLimits.attributes, (item) => this.#value(item));
    return isContainer(value) ? this.map(value as Readonly<Record<string, unknown>>) : value;
  }
}
