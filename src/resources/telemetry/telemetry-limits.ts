/** How much telemetry is taken, and how much of it is kept. */

export const telemetryLimits = {
  /** Of a request, as sent and as unpacked. */
  requestBytes: 8 * 1024 * 1024,
  /** Of one attempt. One more is kept, so that a count shows that the limit was exceeded. */
  spans: 10_000,
  /** Of one attempt; what comes beyond is kept without attributes and events. */
  keptChars: 64 * 1024 * 1024,
  /** Of names, ids and messages, each. */
  nameChars: 1024,
  /** Of the attributes and events of one span: all texts together, one of them, and how many there are. */
  spanChars: 64 * 1024,
  textChars: 32 * 1024,
  attributes: 256,
  events: 256,
  valueDepth: 8,
} as const;
