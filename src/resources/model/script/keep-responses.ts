/** What the provider of responses keeps of an attempt, so that a request can go on from an answer; nothing of it is told again. */
import { isMap, type JsonMap } from '../../../protocols/json-rpc/is-map.ts';
import { judgePairs, pairsIn } from '../../../protocols/openai-responses/judge-history.ts';
import type { ProviderError } from '../../../protocols/turn/dialect.ts';
import type { Turn } from '../../../protocols/turn/turn.ts';
import type { ModelCall } from '../model-call.ts';

export interface KeptResponses {
  /** What speaks against going on from where the request says. */
  objectionTo(call: ModelCall): ProviderError | undefined;
  keep(call: ModelCall, id: string, turn: Turn): void;
}

/** Under `up` an attempt has no end. */
const mostKept = 1_000;

export function keepResponses(): KeptResponses {
  /** By the id of an answer, the calls and outputs of the conversation up to it. */
  const kept = new Map<string, readonly JsonMap[]>();
  return {
    objectionTo: (call) => {
      const { previous_response_id: previous, conversation, input } = bodyOf(call);
      if (conversation != null) return notFound(conversationNotFound(conversation));
      if (previous == null) return undefined;
      const before = kept.get(String(previous));
      if (before === undefined)
        return {
          ...notFound(`Previous response with id '${String(previous)}' not found.`),
          code: 'previous_response_not_found',
        };
      const [broken] = judgePairs([...before, ...pairsIn(input)]);
      return broken && notFound(`${broken.what} (${broken.rule})`);
    },
    keep: (call, id, { parts }) => {
      const { previous_response_id: previous, input, store } = bodyOf(call);
      if (call.dialect.name !== 'openai-responses' || store === false) return;
      const called = parts.flatMap((part) =>
        part.kind === 'call' ? [{ type: 'function_call', call_id: part.id }] : [],
      );
      kept.set(id, [...(kept.get(String(previous)) ?? []), ...pairsIn(input), ...called]);
      if (kept.size > mostKept) kept.delete(kept.keys().next().value ?? id);
    },
  };
}

function bodyOf({ dialect, json }: ModelCall): JsonMap {
  return dialect.name === 'openai-responses' && isMap(json) ? json : {};
}

function notFound(message: string): ProviderError {
  return { status: 400, kind: 'invalid-request', message };
}

/** No conversation is ever made here. */
function conversationNotFound(conversation: unknown): string {
  const id = isMap(conversation) ? conversation.id : conversation;
  return `Conversation with id '${String(id)}' not found.`;
}
