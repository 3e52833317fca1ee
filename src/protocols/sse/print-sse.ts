/** Prints server-sent events, in each of the spellings that the HTML standard reads as the same. */

export interface SseStyle {
  /** A line feed where absent. */
  readonly lineEnd?: '\n' | '\r\n' | '\r';
  /** What follows the colon; one space where absent. */
  readonly space?: '' | ' ';
}

export interface SsePrinted {
  readonly event?: string;
  readonly id?: string;
  readonly retry?: number;
  /** Each of its lines gets a line of its own. */
  readonly data: string;
}

export function printSse(event: SsePrinted, style: SseStyle = {}): string {
  const { lineEnd = '\n', space = ' ' } = style;
  const line = (name: string, value: string | number): string => `${name}:${space}${value}${lineEnd}`;
  const head =
    (event.event === undefined ? '' : line('event', event.event)) +
    (event.id === undefined ? '' : line('id', event.id)) +
    (event.retry === undefined ? '' : line('retry', event.retry));
  const { data } = event;
  if (!data.includes('\n') && !data.includes('\r')) return `${head}data:${space}${data}${lineEnd}${lineEnd}`;
  const lines = data.split(/\r\n|\r|\n/).map((one) => line('data', one));
  return `${head}${lines.join('')}${lineEnd}`;
}

/** A line that every reader passes over, and that closes no event. */
export function printSseComment(text: string, style: SseStyle = {}): string {
  return `:${text === '' ? '' : `${style.space ?? ' '}${text}`}${style.lineEnd ?? '\n'}`;
}
