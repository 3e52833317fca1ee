/** A span as it was sent, whichever encoding it came in, and what is wrong where it is invalid. */

export type Attributes = Readonly<Record<string, unknown>>;

export interface SentSpan {
  /** Of the resource that sent it. */
  readonly resource: Attributes;
  /** In hex; the parent's is empty where there is none. */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number | string;
  /** Nanoseconds since 1970. */
  readonly startedAt: bigint;
  readonly endedAt: bigint;
  readonly attributes: Attributes;
  readonly events: readonly { readonly name: string; readonly attributes: Attributes }[];
  readonly status: { readonly code: number | string; readonly message: string };
}

/** The request is not what it says it is. */
export class BadTelemetry extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BadTelemetry';
  }
}

/** A number where it is exact. */
export function wholeNumber(value: bigint): number | bigint {
  const isExact = value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER);
  return isExact ? Number(value) : value;
}
