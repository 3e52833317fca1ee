/** Turns a message that could not be read into the rule that it breaks. */
import type { Incoming } from '../json-rpc/message.ts';
import type { McpBreach, Party } from './mcp-exchange.ts';

/** None for what only goes beyond our own limits. */
export function brokenMessage(
  by: Party,
  message: Extract<Incoming, { readonly kind: 'broken' }>,
): readonly McpBreach[] {
  const { rule, why } = message;
  if (rule === 'too-deep' || rule === 'too-many') return [];
  return [{ by, rule: `json-rpc.${rule}`, what: `the message ${why}` }];
}
