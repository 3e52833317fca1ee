/** What undici reports, as the kinds that a trial can expect. */
import { cutText } from '../../kernel/cut-text.ts';
import { errorCode } from '../../kernel/system-error.ts';
import { notStarted, socketError } from '../act-error.ts';
import type { ActError } from '../driver.ts';
import { driverLimits } from '../driver-limits.ts';

export interface ErrorFacts {
  readonly peer: string;
  /** Something was sent already. */
  readonly isSent: boolean;
  /** Undefined before the head of the answer came. */
  readonly status: number | undefined;
  readonly bodyBytes: number;
}

export function httpError(error: Error, facts: ErrorFacts): ActError {
  const code = errorCode(error) ?? '';
  const overflow = `the head of the answer has more than ${driverLimits.headerBytes} bytes`;
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return { kind: 'too-large', message: overflow };
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return facts.status === undefined ? garbage(error, facts) : closed(facts);
  // The parser's own codes do not reach us; an end in the wrong place is recognized by its message.
  if (error.name === 'HTTPParserError')
    return /\bEOF\b/.test(error.message) ? closed(facts) : garbage(error, facts);
  if (code === 'UND_ERR_SOCKET') return /bad/.test(error.message) ? garbage(error, facts) : closed(facts);
  const known = socketError(error, facts.peer);
  if (known?.kind === 'reset') return { ...known, message: `${known.message} ${progress(facts)}` };
  if (known) return known;
  if (facts.isSent) return { kind: 'closed', message: `${error.message} ${progress(facts)}` };
  if (code.startsWith('UND_ERR_')) return refusedByUndici(error);
  return { kind: 'unreachable', message: `${facts.peer} is unreachable: ${error.message}` };
}

/** For a request that timed out. */
export function lateMessage(timeoutMs: number, facts: ErrorFacts): string {
  if (!facts.isSent) return `no connection to ${facts.peer} within ${timeoutMs} ms`;
  return facts.status === undefined
    ? `no answer from ${facts.peer} within ${timeoutMs} ms`
    : `the answer was not complete within ${timeoutMs} ms: status ${facts.status}, ${facts.bodyBytes} bytes of its body`;
}

function closed(facts: ErrorFacts): ActError {
  return { kind: 'closed', message: `the connection was closed by ${facts.peer} ${progress(facts)}` };
}

function garbage(error: Error & { data?: unknown }, { peer }: ErrorFacts): ActError {
  const data = typeof error.data === 'string' ? cutText(error.data, driverLimits.shownChars) : '';
  const shown = data === '' ? '' : ` at ${JSON.stringify(data)}`;
  return { kind: 'garbage', message: `what ${peer} answered is not HTTP: ${error.message}${shown}` };
}

function progress({ status, bodyBytes }: ErrorFacts): string {
  return status === undefined
    ? 'before an answer came'
    : `in the middle of the answer: status ${status}, ${bodyBytes} bytes of its body`;
}

/** It does not send what HTTP forbids. */
function refusedByUndici(error: Error): ActError {
  const { kind, message } = notStarted(error);
  return { kind, message: `${message}; a \`tcp\` step with \`sendRaw\` can send anything` };
}
