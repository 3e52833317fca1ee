/** The limits of the Anthropic messages API that span several fields of a request. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import type { ModelRequest } from '../turn/dialect.ts';
import { createFoldNotes, type FoldNotes, shownValue } from '../turn/fold-notes.ts';
import type { WireFault } from '../turn/turn.ts';

const leastThinkingTokens = 1_024;
const mostCacheMarks = 4;

export function judgeAnthropicLimits(
  request: JsonMap,
  { tools, mayOfferMore }: Pick<ModelRequest, 'tools' | 'mayOfferMore'>,
): readonly WireFault[] {
  const notes = createFoldNotes('anthropic');
  const { type, name } = isMap(request.tool_choice) ? request.tool_choice : {};
  if (type === 'tool' && !mayOfferMore && !tools.some((tool) => tool.name === name))
    notes.fault('unknown-tool', `Tool ${shownValue(name)} not found in provided tools`);
  judgeThinking(request, notes);
  judgeForeign(request, notes);
  if (Array.isArray(request.system) && request.system.some((block) => isMap(block) && block.text === ''))
    notes.fault('empty-text', 'system: text content blocks must be non-empty');
  const marks = countMarks([request.system, request.tools, request.messages]);
  if (marks > mostCacheMarks)
    notes.fault(
      'cache-marks',
      `A maximum of ${mostCacheMarks} blocks with cache_control may be provided. Found ${marks}.`,
    );
  return notes.faults;
}

/** With tools, thinking that is interleaved with their results may take more than one answer does. */
function judgeThinking(request: JsonMap, notes: FoldNotes): void {
  const { thinking, max_tokens, tools, tool_choice, temperature = 1, messages } = request;
  if (!isMap(thinking) || thinking.type !== 'enabled') return;
  if (temperature !== 1)
    notes.fault('thinking-temperature', '`temperature` may only be set to 1 when thinking is enabled.');
  if (Array.isArray(messages) && isPrefilled(messages.at(-1)))
    notes.fault(
      'thinking-first',
      'When `thinking` is enabled, a final `assistant` message must start with a thinking block.',
    );
  if (isMap(tool_choice) && (tool_choice.type === 'any' || tool_choice.type === 'tool'))
    notes.fault('forced-tool', 'Thinking may not be enabled when tool_choice forces tool use.');
  const { budget_tokens: budget } = thinking;
  if (typeof budget !== 'number' || budget < leastThinkingTokens)
    notes.fault(
      'thinking-budget',
      `\`thinking.enabled.budget_tokens\` is ${shownValue(budget)}, not a number from ${leastThinkingTokens}`,
    );
  else if (typeof max_tokens === 'number' && budget >= max_tokens && !Array.isArray(tools))
    notes.fault(
      'thinking-budget',
      `\`max_tokens\` is ${max_tokens} and must be greater than \`thinking.budget_tokens\`, which is ${budget}`,
    );
}

/** Blocks may be the model's own, of a turn that it paused; a text is the beginning of an answer that is put into its mouth. */
function isPrefilled(last: unknown): boolean {
  return isMap(last) && last.role === 'assistant' && typeof last.content === 'string';
}

/** Of OpenAI's requests, and of its messages and of answers. New fields of Anthropic's own come often, so unknown ones pass. */
const foreign = {
  request: [
    ...['frequency_penalty', 'presence_penalty', 'logit_bias', 'logprobs', 'max_completion_tokens', 'n'],
    ...['parallel_tool_calls', 'reasoning_effort', 'response_format', 'seed', 'stop', 'stream_options'],
  ],
  message: ['name', 'tool_calls', 'tool_call_id', 'refusal', 'id', 'model', 'stop_reason', 'usage'],
};

function judgeForeign(request: JsonMap, notes: FoldNotes): void {
  const judge = (value: unknown, names: readonly string[], path: string): void => {
    for (const name of isMap(value) ? names.filter((name) => value[name] !== undefined) : [])
      notes.fault('extra-input', `${path}${name}: Extra inputs are not permitted`);
  };
  judge(request, foreign.request, '');
  const messages: readonly unknown[] = Array.isArray(request.messages) ? request.messages : [];
  for (const [at, message] of messages.entries()) judge(message, foreign.message, `messages.${at}.`);
}

/** In blocks, tools and messages, and in the content of both; what a tool was called with is not looked at. */
function countMarks(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + countMarks(one), 0);
  if (!isMap(value)) return 0;
  return (value.cache_control == null ? 0 : 1) + countMarks(value.content);
}
