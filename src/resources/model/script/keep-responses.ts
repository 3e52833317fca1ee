/** What the responses provider stores in an attempt, so that a request can continue an answer or refer to its items. */
import { isMap, type JsonMap } from '../../../kernel/is-map.ts';
import {
  isReference,
  judgePairs,
  judgePrefixes,
  pairsIn,
} from '../../../protocols/openai-responses/judge-history.ts';
import { printItems } from '../../../protocols/openai-responses/print-response.ts';
import type { ProviderError } from '../../../protocols/turn/dialect.ts';
import type { ModelCall } from '../model-call.ts';
import { type KeptAnswers, keptMap } from './kept-answers.ts';

export function keepResponses(): KeptAnswers {
  /** By the id of an answer, the calls and outputs of the conversation up to it. */
  const kept = keptMap<readonly JsonMap[]>(1_000);
  /** By the id of an item, the call that it is, if any. */
  const items = keptMap<readonly JsonMap[]>(10_000);
  /** Items of answers in other shapes are not known one by one. */
  let areAllKnown = true;
  return {
    objectionTo: (call) => {
      const { previous_response_id: previous, conversation, input } = bodyOf(call);
      if (conversation != null) return notFound(conversationNotFound(conversation));
      const before = previous == null ? [] : kept.get(String(previous));
      if (before === undefined)
        return {
          ...notFound(`Previous response with id '${String(previous)}' not found.`),
          code: 'previous_response_not_found',
        };
      const references = referencesIn(input);
      const unknown = references.find((id) => items.get(id) === undefined);
      if (unknown !== undefined)
        return areAllKnown ? { ...notFound(`Item with id '${unknown}' not found.`), status: 404 } : undefined;
      const meant = references.flatMap((id) => items.get(id) ?? []);
      const [broken] = [
        ...judgePairs([...before, ...meant, ...pairsIn(input)]),
        ...(areAllKnown ? judgePrefixes(input) : []),
      ];
      return broken && notFound(`${broken.what} (${broken.rule})`);
    },
    keep: (call, id, turn, isPlain) => {
      const { previous_response_id: previous, input, store } = bodyOf(call);
      if (call.dialect.name !== 'openai-responses') return;
      areAllKnown &&= isPlain;
      if (store === false) return;
      const printed = printItems(turn, { id });
      for (const item of printed) items.set(String(item.id), pairsIn([item]));
      const meant = referencesIn(input).flatMap((one) => items.get(one) ?? []);
      kept.set(id, [...(kept.get(String(previous)) ?? []), ...meant, ...pairsIn(input), ...pairsIn(printed)]);
    },
  };
}

function bodyOf({ dialect, json }: ModelCall): JsonMap {
  return dialect.name === 'openai-responses' && isMap(json) ? json : {};
}

function referencesIn(input: unknown): readonly string[] {
  if (!Array.isArray(input)) return [];
  return input.flatMap((item) => (isMap(item) && isReference(item) ? [String(item.id)] : []));
}

function notFound(message: string): ProviderError {
  return { status: 400, kind: 'invalid-request', message };
}

/** No conversation is ever made here. */
function conversationNotFound(conversation: unknown): string {
  const id = isMap(conversation) ? conversation.id : conversation;
  return `Conversation with id '${String(id)}' not found.`;
}
