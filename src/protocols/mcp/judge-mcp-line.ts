/** Which rule a line of a tool server's standard input or output breaks. */
import { isUtf8 } from 'node:buffer';
import { cutText } from '../../kernel/cut-text.ts';
import { readMessages } from '../json-rpc/read-messages.ts';
import { brokenMessage, type McpBreach, type Party } from './mcp-exchange.ts';

export type LineDirection = 'to-server' | 'to-client';

/** A line without its end, or the bytes of one. Blank lines say nothing and break nothing. */
export function judgeMcpLine(line: string | Uint8Array, direction: LineDirection): readonly McpBreach[] {
  const by: Party = direction === 'to-server' ? 'consumer' : 'provider';
  if (typeof line !== 'string' && !isUtf8(line)) {
    return [{ by, rule: 'mcp.not-utf8', what: `the line is not UTF-8: ${hexOf(line)}` }];
  }
  const text = typeof line === 'string' ? line : Buffer.from(line).toString('utf8');
  if (text.trim() === '') return [];
  const { messages } = readMessages(text);
  const broken = messages.flatMap((message) => {
    if (message.kind !== 'broken') return [];
    return message.rule === 'not-json' ? [notJson(by, text)] : brokenMessage(by, message);
  });
  if (broken.length > 0) return broken;
  if (!/[\n\r]/.test(text.trim())) return [];
  return [{ by, rule: 'mcp.embedded-newline', what: 'a message goes over several lines' }];
}

const shownChars = 120;

function notJson(by: Party, text: string): McpBreach {
  const shown = JSON.stringify(cutText(text, shownChars));
  if (/^content-(?:length|type)\s*:/i.test(text)) {
    return {
      by,
      rule: 'mcp.content-length',
      what: `messages are framed by headers, as editors do it: ${shown}`,
    };
  }
  if (text.startsWith('\ufeff')) {
    return { by, rule: 'mcp.byte-order-mark', what: 'the line begins with a byte order mark' };
  }
  if (/^\s*(?:[{[]|"(?:jsonrpc|id|method|params|result|error)"\s*:.*)\s*$/.test(text)) {
    return { by, rule: 'mcp.embedded-newline', what: `a message goes over several lines: ${shown}` };
  }
  const where = by === 'provider' ? 'standard output' : 'standard input';
  return { by, rule: 'mcp.noise', what: `the line on ${where} is not a message: ${shown}` };
}

function hexOf(bytes: Uint8Array): string {
  return `${Buffer.from(bytes.subarray(0, 16)).toString('hex')}…`;
}
