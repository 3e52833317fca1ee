/** Prints JSON-RPC messages, each as one line of JSON: escaping keeps every line end inside it. */
import type { JsonRpcId, Outgoing, RpcError } from './message.ts';

export function printMessage(message: Outgoing): string {
  return JSON.stringify(message);
}

export function resultMessage(id: JsonRpcId, result: unknown): Outgoing {
  return { jsonrpc: '2.0', id, result };
}

export function errorMessage(id: JsonRpcId, error: RpcError): Outgoing {
  return { jsonrpc: '2.0', id, error };
}

export function notification(method: string, params?: unknown): Outgoing {
  return { jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) };
}
