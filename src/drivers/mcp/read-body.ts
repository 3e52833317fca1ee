/** The whole body of an HTTP answer, or its server-sent events one by one; neither without a limit. */
import { defined } from '../../kernel/defined.ts';
import { utf8Text } from '../../kernel/utf8-text.ts';
import { createSseParser, type SseEvent } from '../../protocols/sse/sse-parser.ts';
import type { ActError } from '../driver.ts';
import { driverLimits } from '../driver-limits.ts';
import { shorten } from './act-record.ts';
import type { HttpAnswer } from './http-exchange.ts';
import { type Delivery, failed, type Inbox } from './transport.ts';

export async function readBody(
  answer: HttpAnswer,
  mostBytes: number = driverLimits.messageBytes,
): Promise<{ readonly text: string; readonly error?: ActError }> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const pieces = answer.pieces();
  for (;;) {
    const next = await pieces.next();
    const text = (): string => utf8Text(Buffer.concat(parts));
    if (next.done) return defined({ text: text(), error: next.value });
    bytes += next.value.length;
    if (bytes > mostBytes) {
      answer.discard();
      return { text: text(), error: tooLarge(mostBytes) };
    }
    parts.push(next.value);
  }
}

export function tooLarge(mostBytes: number): ActError {
  return { kind: 'too-large', message: `the server sent a message of more than ${mostBytes} bytes` };
}

/** The beginning of a page that is not an answer, in one line. */
export async function glance(answer: HttpAnswer): Promise<string> {
  const { text } = await readBody(answer, driverLimits.writeBytes);
  return shorten(text);
}

/** The server answered in HTTP that it will not. */
export function refusal(answer: HttpAnswer, said: string): ActError {
  const where = answer.header('location');
  const to = where === undefined ? '' : ` to ${where}`;
  return { kind: 'garbage', message: `HTTP ${answer.status}${to}${said === '' ? '' : `: ${said}`}` };
}

/** A session that the server no longer knows is the end of the conversation. */
export function forgotten(inbox: Inbox, said: string): Delivery {
  const error: ActError = { kind: 'closed', message: `the server forgot the session (HTTP 404): ${said}` };
  inbox.broke(error);
  return failed(error);
}

export interface EventStreamEnd {
  /** Where the server could be asked to go on. */
  readonly lastEventId: string | undefined;
  readonly retryMs: number | undefined;
  readonly error?: ActError;
}

export async function readEvents(
  answer: HttpAnswer,
  onEvent: (event: SseEvent) => void,
): Promise<EventStreamEnd> {
  const parser = createSseParser({ maxEventChars: driverLimits.messageBytes });
  let retryMs: number | undefined;
  const end = (error?: ActError): EventStreamEnd => ({
    lastEventId: parser.lastEventId,
    retryMs,
    ...defined({ error }),
  });
  const pieces = answer.pieces();
  for (;;) {
    const next = await pieces.next();
    if (next.done) return end(next.value);
    for (const event of parser.push(next.value)) {
      retryMs = event.retry ?? retryMs;
      if (event.truncated) {
        answer.discard();
        return end(tooLarge(driverLimits.messageBytes));
      }
      onEvent(event);
    }
  }
}
