/** One HTTP exchange of MCP as plain data, as a tap wrote it down: the messages in it, and the rules of the protocol that it breaks. */
import { isMap } from '../../kernel/is-map.ts';
import { isTooDeep } from '../json-rpc/json-depth.ts';
import type { Incoming } from '../json-rpc/message.ts';
import { messagesOf, type ReadMessages, readMessages } from '../json-rpc/read-messages.ts';

export interface McpExchange {
  /** Of HTTP. */
  readonly httpMethod: string;
  readonly request: McpHttpMessage;
  /** Absent when none came. */
  readonly response?: McpHttpMessage & { readonly status: number };
  /** It is incomplete, for whatever reason: a body that may have been cut is not judged. */
  readonly incomplete?: string;
  /** The version that the handshake of this session came to, where it was seen. */
  readonly agreedVersion?: string;
}

export interface McpHttpMessage {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  readonly events?: readonly { readonly event?: string; readonly data: unknown }[];
  readonly bytes: number;
}

export interface McpBreach {
  readonly by: 'consumer' | 'provider';
  /** `mcp.tool-content`, `json-rpc.answer-id`. */
  readonly rule: string;
  /** One sentence with the value. */
  readonly what: string;
}

export type Party = McpBreach['by'];

/** One breach, as the list that a judge gives. */
export type BreachOf = (rule: string, what: string) => readonly McpBreach[];

export const breachBy: Readonly<Record<Party, BreachOf>> = {
  consumer: (rule, what) => [{ by: 'consumer', rule, what }],
  provider: (rule, what) => [{ by: 'provider', rule, what }],
};

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

/** None for what only goes beyond our own limits. */
export function brokenMessage(
  by: Party,
  message: Extract<Incoming, { readonly kind: 'broken' }>,
): readonly McpBreach[] {
  const { rule, why } = message;
  if (rule === 'too-deep' || rule === 'too-many') return [];
  return breachBy[by](`json-rpc.${rule}`, `the message ${why}`);
}
