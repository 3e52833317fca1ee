/** JSON-RPC over HTTP: the calls of a request's body, and the answers in a response. */
import { defined } from '../../kernel/defined.ts';
import { isAnyNumber } from '../../kernel/exact-json.ts';
import { isMap } from '../../kernel/is-map.ts';

export interface RpcCall {
  readonly method: string;
  readonly params?: unknown;
  /** The id in a form that distinguishes the number 1 from the text "1"; absent on a notification. */
  readonly key?: string;
  /** Known from the beginning of its body only: parameters and id may be missing. */
  readonly isPartial?: true;
}

export interface RpcAnswer {
  readonly key: string;
  readonly said: { readonly result: unknown } | { readonly error: unknown };
}

/** Each call of a batch; none where the body is something else. */
export function rpcCallsIn(body: unknown): readonly RpcCall[] {
  return messagesIn(body).flatMap((message) => {
    if (!isMap(message) || message.jsonrpc !== '2.0' || typeof message.method !== 'string') return [];
    return [defined({ method: message.method, params: message.params, key: keyOf(message.id) })];
  });
}

export function rpcAnswersIn(body: unknown): readonly RpcAnswer[] {
  return messagesIn(body).flatMap((message): RpcAnswer[] => {
    if (!isMap(message) || message.jsonrpc !== '2.0') return [];
    const key = keyOf(message.id);
    if (key === undefined) return [];
    if ('error' in message) return [{ key, said: { error: message.error } }];
    return 'result' in message ? [{ key, said: { result: message.result } }] : [];
  });
}

function messagesIn(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : [body];
}

/** The key of the call that this one cancels. */
export function cancelledKey({ method, params }: RpcCall): string | undefined {
  return method === 'notifications/cancelled' && isMap(params) ? keyOf(params.requestId) : undefined;
}

export function keyOf(id: unknown): string | undefined {
  return typeof id === 'string' || isAnyNumber(id) ? JSON.stringify(id) : undefined;
}
