/** Reads what an exchange holds: the messages of a body, and the version in which they are meant. */
import { isMap } from '../../kernel/is-map.ts';
import { isTooDeep } from '../json-rpc/json-depth.ts';
import { messagesOf, type ReadMessages, readMessages } from '../json-rpc/read-messages.ts';
import type { McpExchange, McpHttpMessage } from './mcp-exchange.ts';

/** Undefined where there is nothing to be read, or where it may be more than was kept. */
export function readBody(message: McpHttpMessage): ReadMessages | undefined {
  if (message.json !== undefined) return isTooDeep(message.json) ? undefined : messagesOf(message.json);
  return message.text === undefined ? undefined : readMessages(message.text);
}

/** The version in which a request is made, as far as the exchange shows it. */
export function versionOf({ request, agreedVersion }: McpExchange, params: unknown): string | undefined {
  const meta = isMap(params) && isMap(params._meta) ? params._meta : {};
  const inBody = meta['io.modelcontextprotocol/protocolVersion'];
  if (typeof inBody === 'string') return inBody;
  return request.headers['mcp-protocol-version'] ?? agreedVersion;
}
