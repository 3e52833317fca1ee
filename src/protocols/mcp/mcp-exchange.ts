/** One HTTP exchange of MCP as plain data, as a tap wrote it down, and the rules of the protocol that it breaks. */

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
