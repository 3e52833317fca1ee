/** Which rule a line of a tool server's standard input or output breaks. */
import { isUtf8 } from 'node:buffer';
import { cutText } from '../../kernel/cut-text.ts';
import { readMessages } from '../json-rpc/read-messages.ts';
import { breachBy, brokenMessage, type McpBreach, type Party } from './mcp-exchange.ts';

export type LineDirection = 'to-server' | 'to-client';

/** A line without its end, or the bytes of one. Blank lines say nothing and break nothing. */
export function judgeMcpLine(line: string | Uint8Array, direction: LineDirection): readonly McpBreach[] {
  const by: Party = direction === 'to-server' ? 'consumer' : 'provider';
  const breach = breachBy[by];
  if (typeof line !== 'string' && !isUtf8(line))
    return breach('mcp.not-utf8', `the line is not UTF-8: ${hexOf(line)}`);
  const text = typeof line === 'string' ? line : Buffer.from(line).toString('utf8');
  if (text.trim() === '') return [];
  const { messages } = readMessages(text);
  const broken = messages.flatMap((message) => {
    if (message.kind !== 'broken') return [];
    return message.rule === 'not-json' ? notJson(by, text) : brokenMessage(by, message);
  });
  if (broken.length > 0) return broken;
  return /[\n\r]/.test(text.trim())
    ? breach('mcp.embedded-newline', 'a message goes over several lines')
    : [];
}

const shownChars = 120;

function notJson(by: Party, text: string): readonly McpBreach[] {
  const breach = breachBy[by];
  const shown = JSON.stringify(cutText(text, shownChars));
  if (/^content-(?:length|type)\s*:/i.test(text))
    return breach('mcp.content-length', `messages are framed by headers, as editors do it: ${shown}`);
  if (text.startsWith('\ufeff'))
    return breach('mcp.byte-order-mark', 'the line begins with a byte order mark');
  if (/^\s*(?:[{[]|"(?:jsonrpc|id|method|params|result|error)"\s*:.*)\s*$/.test(text))
    return breach('mcp.embedded-newline', `a message goes over several lines: ${shown}`);
  const where = by === 'provider' ? 'standard output' : 'standard input';
  return breach('mcp.noise', `the line on ${where} is not a message: ${shown}`);
}

function hexOf(bytes: Uint8Array): string {
  return `${Buffer.from(bytes.subarray(0, 16)).toString('hex')}…`;
}
