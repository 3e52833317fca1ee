/** What Anthropic keeps of an attempt: threads that a request can go on from, and which calls came after thinking. */
import { isMap, type JsonMap } from '../../../kernel/is-map.ts';
import { joined, judgePairs } from '../../../protocols/anthropic/judge-anthropic-history.ts';
import { readMessages, type Spoken } from '../../../protocols/anthropic/read-anthropic-messages.ts';
import { continuedFrom } from '../../../protocols/anthropic/read-anthropic-tools.ts';
import type { ProviderError } from '../../../protocols/turn/dialect.ts';
import { createFoldNotes } from '../../../protocols/turn/fold-notes.ts';
import { type KeptAnswers, keptMap } from './kept-answers.ts';

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
  const first = blocks[0]?.type;
  const wasThought = blocks.some(({ type, id }) => type === 'tool_use' && isThought(id));
  if (!wasThought || first === 'thinking' || first === 'redacted_thinking') return undefined;
  const message = `${path}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${String(first)}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`;
  return { status: 400, kind: 'invalid-request', message: `${message} (anthropic.thinking-lost)` };
}
