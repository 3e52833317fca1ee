/** The client's side towards a server that asks back: declared capabilities, and the prepared answers of the step. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { type RpcError, rpcCodes } from '../../protocols/json-rpc/message.ts';

export interface ScriptedClient {
  /** Addresses, or `{ uri, name }`. */
  readonly roots?: readonly unknown[];
  /** Each a text, or the result of a model: for every question, or as a list for one after the other. */
  readonly sampling?: unknown;
  /** Each `accept`, `decline`, `cancel`, or `{ action, content }`. */
  readonly elicitation?: unknown;
  /** Declared as they are, in place of what the answers imply. */
  readonly capabilities?: JsonMap;
}

export type Reply = { readonly result: JsonMap } | { readonly error: RpcError };

const abilities = {
  'roots/list': 'roots',
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
} as const;

export function capabilitiesOf(client: ScriptedClient = {}): JsonMap {
  const implied = Object.values(abilities).filter((ability) => client[ability] !== undefined);
  return { ...Object.fromEntries(implied.map((ability) => [ability, {}])), ...client.capabilities };
}

/** Answers one question after the other; what nothing answers gets the error that the protocol has for it. */
export function createReplies(client: ScriptedClient = {}): (method: string) => Reply {
  const asked = new Map<string, number>();
  return (method) => {
    if (method === 'ping') return { result: {} };
    const ability = Object.hasOwn(abilities, method)
      ? abilities[method as keyof typeof abilities]
      : undefined;
    if (ability === undefined || client[ability] === undefined)
      return { error: { code: rpcCodes.methodNotFound, message: `Method not found: ${method}` } };
    if (ability === 'roots')
      return { result: { roots: client.roots?.map((root) => (isMap(root) ? root : { uri: root })) } };
    const count = asked.get(ability) ?? 0;
    asked.set(ability, count + 1);
    const answers = client[ability];
    const answer: unknown = Array.isArray(answers) ? answers[count] : answers;
    if (answer === undefined)
      return {
        error: { code: rpcCodes.internalError, message: `no answer is left for ${method} ${count + 1}` },
      };
    return { result: ability === 'sampling' ? sampled(answer) : elicited(answer) };
  };
}

function sampled(answer: unknown): JsonMap {
  const result = isMap(answer) ? answer : { content: { type: 'text', text: String(answer) } };
  return { role: 'assistant', model: 'scripted', stopReason: 'endTurn', ...result };
}

function elicited(answer: unknown): JsonMap {
  return isMap(answer) ? answer : { action: String(answer) };
}
