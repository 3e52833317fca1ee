/** The messages of JSON-RPC 2.0, as they are sent and as they are read. */

export type JsonRpcId = string | number;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** What is sent: a request or, without an id, a notification; or the answer to a request of the other side. */
export type Outgoing =
  | { readonly jsonrpc: '2.0'; readonly id?: JsonRpcId; readonly method: string; readonly params?: unknown }
  | { readonly jsonrpc: '2.0'; readonly id: JsonRpcId; readonly result: unknown }
  | { readonly jsonrpc: '2.0'; readonly id: JsonRpcId; readonly error: RpcError };

/** What was read. Answers to something that the other side could not read have a null id. */
export type Incoming =
  | { readonly kind: 'request'; readonly id: JsonRpcId; readonly method: string; readonly params?: unknown }
  | { readonly kind: 'notification'; readonly method: string; readonly params?: unknown }
  | { readonly kind: 'result'; readonly id: JsonRpcId | null; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: JsonRpcId | null; readonly error: RpcError }
  | { readonly kind: 'broken'; readonly rule: BrokenMessage; readonly why: string };

export type BrokenMessage =
  | 'not-json'
  | 'not-object'
  /** It does not say `jsonrpc: "2.0"`. */
  | 'version'
  | 'method'
  | 'id'
  /** Both a result and an error, or neither of them and no method. */
  | 'result-or-error'
  | 'error'
  | 'empty-batch'
  /** These two are our own limits: the other side has done nothing wrong. */
  | 'too-deep'
  | 'too-many';

export const rpcCodes = {
  methodNotFound: -32601,
  internalError: -32603,
} as const;
