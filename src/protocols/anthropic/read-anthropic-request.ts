/** Reads the request of the Anthropic messages API, and names the rules that it breaks. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import type { ModelRequest, RequestMessage } from '../turn/dialect.ts';
import { createFoldNotes, type FoldNotes, shownValue } from '../turn/fold-notes.ts';
import { judgeAnthropicHistory } from './judge-anthropic-history.ts';
import { judgeAnthropicLimits } from './judge-anthropic-limits.ts';
import { readMessages, textOf } from './read-anthropic-messages.ts';
import { continuedFrom, readTools } from './read-anthropic-tools.ts';

export function readAnthropicRequest(body: unknown): ModelRequest {
  const notes = createFoldNotes('anthropic');
  if (!isMap(body)) notes.fault('request-form', `the body is ${shownValue(body)}, not an object`);
  const request = isMap(body) ? body : {};
  const said = readMessages(request.messages, notes);
  judgeFields(request, notes);
  const offered = readTools(request, said.toolChanges, notes);
  return {
    model: typeof request.model === 'string' && request.model !== '' ? request.model : null,
    stream: request.stream === true,
    wantsUsage: true,
    wantsSeals: true,
    system: systemOf(request.system, said.messages),
    messages: said.messages,
    ...offered,
    maxTokens: isCount(request.max_tokens) ? request.max_tokens : null,
    faults: notes.faults,
    historyFaults: [
      ...judgeAnthropicHistory(said.spoken, continuedFrom(request) !== undefined),
      ...judgeAnthropicLimits(request, offered),
    ],
  };
}

function systemOf(system: unknown, messages: readonly RequestMessage[]): string {
  const said = messages.filter(({ role }) => role === 'system').map(({ text }) => text);
  return [textOf(system), ...said].filter((text) => text !== '').join('\n');
}

function judgeFields(request: JsonMap, notes: FoldNotes): void {
  const { model, max_tokens, stream, system, temperature, stop_sequences } = request;
  if (typeof model !== 'string' || model === '')
    notes.fault('no-model', `\`model\` is ${shownValue(model)}, not a name`);
  if (!isCount(max_tokens))
    notes.fault('no-max-tokens', `\`max_tokens\` is ${shownValue(max_tokens)}, not a number from 0`);
  if (stream !== undefined && typeof stream !== 'boolean')
    notes.fault('field-type', `\`stream\` is ${shownValue(stream)}, neither true nor false`);
  if (system !== undefined && typeof system !== 'string' && !Array.isArray(system))
    notes.fault('system-form', `\`system\` is ${shownValue(system)}, neither text nor a list of blocks`);
  if (temperature !== undefined && !(typeof temperature === 'number' && temperature >= 0 && temperature <= 1))
    notes.fault('temperature', `\`temperature\` is ${shownValue(temperature)}, not from 0 to 1`);
  if (stop_sequences !== undefined && !isTextList(stop_sequences))
    notes.fault('field-type', `\`stop_sequences\` is ${shownValue(stop_sequences)}, not a list of strings`);
}

/** None at all fills the cache, and lets the model say nothing. */
function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
