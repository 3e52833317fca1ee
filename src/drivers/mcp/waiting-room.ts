/** Requests that wait for their answer, and how an answer finds its request. */
import type { JsonRpcId, RpcError } from '../../protocols/json-rpc/message.ts';
import type { ActError } from '../driver.ts';
import type { Call } from './call.ts';

export type Outcome =
  | { readonly kind: 'result'; readonly result: unknown }
  /** The server answered that it will not. */
  | { readonly kind: 'error'; readonly error: RpcError; readonly during: string }
  /** The server did not answer. */
  | { readonly kind: 'failed'; readonly error: ActError };

interface Waiting {
  readonly id: number;
  readonly method: string;
  readonly call: Call;
  readonly outcome: PromiseWithResolvers<Outcome>;
  /** What came in place of an answer. */
  instead: string | undefined;
}

export type Found =
  | { readonly kind: 'waiting'; readonly id: number; readonly method: string; readonly anomaly?: string }
  /** It was given up before the answer came; that is not a violation. */
  | { readonly kind: 'late' }
  | { readonly kind: 'stray'; readonly anomaly: string };

export function createWaitingRoom() {
  const waiting = new Map<string, Waiting>();
  const givenUp = new Set<string>();
  let lastId = 0;
  const settle = (id: JsonRpcId, outcome: Outcome): void => {
    waiting.get(String(id))?.outcome.resolve(outcome);
    waiting.delete(String(id));
  };
  const fail = (id: JsonRpcId, error: ActError): void => {
    const { instead } = waiting.get(String(id)) ?? {};
    givenUp.add(String(id));
    settle(id, { kind: 'failed', error: withInstead(error, instead) });
  };
  return {
    /** A new id, and what comes of it. */
    enter: (method: string, call: Call): { readonly id: number; readonly outcome: Promise<Outcome> } => {
      lastId += 1;
      const outcome = Promise.withResolvers<Outcome>();
      waiting.set(String(lastId), { id: lastId, method, call, outcome, instead: undefined });
      return { id: lastId, outcome: outcome.promise };
    },
    isWaiting: (id: JsonRpcId): boolean => waiting.has(String(id)),
    /** Whose request it is. */
    callOf: (id: JsonRpcId): Call | undefined => waiting.get(String(id))?.call,
    /** Settles the request; what comes for it later is late. */
    settle,
    /** Settles it with an error that also says what came in place of an answer. */
    fail,
    failAll: (error: ActError): void => {
      for (const id of [...waiting.keys()]) fail(id, error);
    },
    /** The request that an answer with this id is for; `about` is the request on whose post it came. */
    find: (id: JsonRpcId | null, about: JsonRpcId | undefined): Found => {
      const key = id ?? about ?? soleOf(waiting);
      if (waiting.has(String(key))) return match(waiting.get(String(key)) as Waiting, id);
      if (about === undefined && givenUp.has(String(key))) return { kind: 'late' };
      return { kind: 'stray', anomaly: strayAnswer(id, lastId) };
    },
    /** Remembers what came in place of an answer: for one request, or for all that wait. */
    instead: (what: string, about: JsonRpcId | undefined): void => {
      const those = about === undefined ? [...waiting.values()] : [waiting.get(String(about))];
      for (const one of those) if (one !== undefined) one.instead ??= what;
    },
  };
}

export type WaitingRoom = ReturnType<typeof createWaitingRoom>;

/** An answer without an id, on a channel that all share, is for the only request that waits. */
function soleOf(waiting: ReadonlyMap<string, Waiting>): string | undefined {
  return waiting.size === 1 ? [...waiting.keys()][0] : undefined;
}

/** Gateways turn 7 into "7"; it is the same answer all the same. */
function match(found: Waiting, id: JsonRpcId | null): Found {
  const { id: ours, method } = found;
  if (id === null || id === ours) return { kind: 'waiting', id: ours, method };
  return { kind: 'waiting', id: ours, method, anomaly: `the id ${ours} came back as ${JSON.stringify(id)}` };
}

function strayAnswer(id: JsonRpcId | null, lastId: number): string {
  const isPast = typeof id === 'number' && id >= 1 && id <= lastId;
  if (isPast) return `an answer to request ${id} came, which had its answer already`;
  return `an answer came with the id ${JSON.stringify(id)}, which no request has`;
}

function withInstead(error: ActError, instead: string | undefined): ActError {
  if (instead === undefined) return error;
  return { kind: error.kind === 'timeout' ? 'timeout' : 'garbage', message: `${error.message}; ${instead}` };
}
