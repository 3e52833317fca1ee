/** What providers remember of the answers of an attempt, and hold later requests against. */
import { isMap, type JsonMap } from '../../../kernel/is-map.ts';
import { joined, judgePairs } from '../../../protocols/anthropic/judge-anthropic-history.ts';
import { readMessages, type Spoken } from '../../../protocols/anthropic/read-anthropic-messages.ts';
import { continuedFrom } from '../../../protocols/anthropic/read-anthropic-tools.ts';
import { addedTo, unveiledId } from '../../../protocols/openai-responses/changed-ids.ts';
import {
  isReference,
  judgePairs as judgeOutputs,
  judgePrefixes,
  pairsIn,
} from '../../../protocols/openai-responses/judge-history.ts';
import { printItems } from '../../../protocols/openai-responses/print-response.ts';
import type { ProviderError } from '../../../protocols/turn/dialect.ts';
import { createFoldNotes } from '../../../protocols/turn/fold-notes.ts';
import type { Turn } from '../../../protocols/turn/turn.ts';
import type { ModelCall } from '../model-call.ts';

export interface KeptAnswers {
  /** What speaks against going on from where the request says. */
  objectionTo(call: ModelCall): ProviderError | undefined;
  /** `isPlain`: it goes out as it is, in no other shape. */
  keep(call: ModelCall, id: string, turn: Turn, isPlain: boolean): void;
}

/** Under `up` an attempt has no end; the oldest go first. */
function keptMap<Value>(most: number): Pick<Map<string, Value>, 'get' | 'set'> {
  const kept = new Map<string, Value>();
  return {
    get: (key) => kept.get(key),
    set: (key, value) => {
      const [oldest = key] = kept.keys();
      if (kept.size >= most) kept.delete(oldest);
      return kept.set(key, value);
    },
  };
}

export function keepMessages(): KeptAnswers {
  /** By the id of an answer, its calls. */
  const threads = keptMap<readonly JsonMap[]>(10_000);
  /** Ids of calls. */
  const thought = keptMap<true>(10_000);
  return {
    objectionTo: (call) => {
      if (call.dialect.name !== 'anthropic' || !isMap(call.json)) return undefined;
      const { spoken } = readMessages(call.json.messages, createFoldNotes('anthropic'));
      const previous = continuedFrom(call.json);
      if (previous !== undefined)
        return objectionToThread(String(previous), threads.get(String(previous)), spoken);
      const { thinking } = call.json;
      const mustThink = isMap(thinking) && thinking.type === 'enabled';
      return mustThink ? thinkingLost(spoken, (id) => thought.get(String(id)) === true) : undefined;
    },
    keep: (call, id, { parts }, isPlain) => {
      if (call.dialect.name !== 'anthropic' || !isMap(call.json)) return;
      const calls = parts.flatMap((part) =>
        part.kind === 'call' ? [{ type: 'tool_use', id: part.id }] : [],
      );
      if (call.json.thread != null) threads.set(id, calls);
      if (isPlain && parts[0]?.kind === 'reasoning') for (const one of calls) thought.set(one.id, true);
    },
  };
}

function objectionToThread(
  previous: string,
  calls: readonly JsonMap[] | undefined,
  spoken: readonly Spoken[],
): ProviderError | undefined {
  if (calls === undefined) {
    const message = `No usable thread state was found for \`thread.previous_message_id\` ${previous}.`;
    return { status: 404, kind: 'not-found', message, code: 'thread_not_found' };
  }
  const notes = createFoldNotes('anthropic');
  judgePairs(joined([{ role: 'assistant', blocks: calls, path: previous }, ...spoken]), notes);
  const [broken] = notes.faults;
  return broken && { status: 400, kind: 'invalid-request', message: `${broken.what} (${broken.rule})` };
}

/** Only where the model did think: a script may call tools without. */
function thinkingLost(
  spoken: readonly Spoken[],
  isThought: (id: unknown) => boolean,
): ProviderError | undefined {
  const { blocks = [], path } = joined(spoken).findLast(({ role }) => role === 'assistant') ?? {};
  const wasThought = blocks.some(({ type, id }) => type === 'tool_use' && isThought(id));
  // Wherever it is: on its way, the answer may have got another order.
  const isThere = blocks.some(({ type }) => type === 'thinking' || type === 'redacted_thinking');
  if (!wasThought || isThere) return undefined;
  const message = `${path}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${String(blocks[0]?.type)}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`;
  return { status: 400, kind: 'invalid-request', message: `${message} (anthropic.thinking-lost)` };
}

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
      const isKnown = (id: string): boolean =>
        items.get(id) !== undefined || kept.get(addedTo(id) ?? '') !== undefined;
      const unknown = references.find((id) => !isKnown(id));
      if (unknown !== undefined)
        return areAllKnown ? { ...notFound(`Item with id '${unknown}' not found.`), status: 404 } : undefined;
      const meant = references.flatMap((id) => items.get(id) ?? []);
      const [broken] = [
        ...judgeOutputs([...before, ...meant, ...pairsIn(input)]),
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
  return input.flatMap((item) => (isMap(item) && isReference(item) ? [unveiledId(String(item.id))] : []));
}

function notFound(message: string): ProviderError {
  return { status: 400, kind: 'invalid-request', message };
}

/** No conversation is ever made here. */
function conversationNotFound(conversation: unknown): string {
  const id = isMap(conversation) ? conversation.id : conversation;
  return `Conversation with id '${String(id)}' not found.`;
}
