/** The limits of the Anthropic messages API that span several fields of a request. */
import { isMap, type JsonMap } from '../json-rpc/is-map.ts';
import { createFoldNotes, type FoldNotes, shownValue } from '../turn/fold-notes.ts';
import type { WireFault } from '../turn/turn.ts';

const leastThinkingTokens = 1_024;
const mostCacheMarks = 4;

export function judgeAnthropicLimits(request: JsonMap): readonly WireFault[] {
  const notes = createFoldNotes();
  judgeThinking(request, notes);
  const marks = countMarks([request.system, request.tools, request.messages]);
  if (marks > mostCacheMarks)
    notes.fault(
      'anthropic.cache-marks',
      `A maximum of ${mostCacheMarks} blocks with cache_control may be provided. Found ${marks}.`,
    );
  return notes.faults;
}

/** With tools, thinking that is interleaved with their results may take more than one answer does. */
function judgeThinking({ thinking, max_tokens, tools }: JsonMap, notes: FoldNotes): void {
  if (!isMap(thinking) || thinking.type !== 'enabled') return;
  const { budget_tokens: budget } = thinking;
  if (typeof budget !== 'number' || budget < leastThinkingTokens)
    notes.fault(
      'anthropic.thinking-budget',
      `\`thinking.enabled.budget_tokens\` is ${shownValue(budget)}, no number from ${leastThinkingTokens}`,
    );
  else if (typeof max_tokens === 'number' && budget >= max_tokens && !Array.isArray(tools))
    notes.fault(
      'anthropic.thinking-budget',
      `\`max_tokens\` is ${max_tokens} and must be greater than \`thinking.budget_tokens\`, which is ${budget}`,
    );
}

/** In blocks, tools and messages, and in the content of both; what a tool was called with is not looked at. */
function countMarks(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + countMarks(one), 0);
  if (!isMap(value)) return 0;
  return (value.cache_control == null ? 0 : 1) + countMarks(value.content);
}
