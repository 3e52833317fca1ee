/** The rules of a conversation's history that the provider enforces before it asks a model. */
import { isMap, type JsonMap } from '../json-rpc/is-map.ts';
import { shownValue } from '../turn/fold-notes.ts';
import { isSeal, sealRule } from '../turn/seal.ts';
import type { WireFault } from '../turn/turn.ts';
import { mostInputItems } from './read-input.ts';

const mostFaults = 50;

/** With a conversation or items at the provider, calls may have been made there; nothing is said of them then. */
export function judgeResponsesHistory(body: JsonMap): readonly WireFault[] {
  if (!Array.isArray(body.input)) return [];
  const items = body.input.slice(0, mostInputItems).filter(isMap);
  const isElsewhere =
    body.previous_response_id != null ||
    body.conversation != null ||
    items.some(({ type }) => type === 'item_reference');
  const faults = [
    ...judgePairs(items, isElsewhere),
    ...judgeReasoning(items),
    ...judgeIds(items),
    ...judgeSeals(items, body.store === false),
    ...items.flatMap((item, index) => judgeItem(item, index)),
  ];
  return faults.slice(0, mostFaults);
}

/** The calls of a conversation and their outputs, to be kept for the request that goes on from it. */
export function pairsIn(input: unknown): readonly JsonMap[] {
  if (!Array.isArray(input)) return [];
  const items = input.slice(0, mostInputItems).filter(isMap);
  return items.flatMap((item) =>
    isCall(item) || isOutput(item) ? [{ type: item.type, call_id: item.call_id }] : [],
  );
}

/** Over a conversation that was kept, and what is added to it. */
export function judgePairs(items: readonly JsonMap[], isElsewhere = false): readonly WireFault[] {
  const called = new Set(items.filter(isCall).map((item) => item.call_id));
  const answered = new Set(items.filter(isOutput).map((item) => item.call_id));
  const lost = items.filter((item) => isOutput(item) && !called.has(item.call_id) && !isElsewhere);
  const open = items.filter((item) => isCall(item) && !answered.has(item.call_id));
  return [
    ...lost.map((item) => ({
      rule: 'responses.output-without-call',
      what: `No tool call found for function call output with call_id ${String(item.call_id)}.`,
    })),
    ...open.map((item) => ({
      rule: 'responses.call-without-output',
      what: `No tool output found for function call ${String(item.call_id)}.`,
    })),
  ];
}

function isCall({ type }: JsonMap): boolean {
  return type === 'function_call' || type === 'custom_tool_call';
}

function isOutput({ type }: JsonMap): boolean {
  return type === 'function_call_output' || type === 'custom_tool_call_output';
}

/** Reasoning belongs to what the model said after it, and is taken back only in front of that. */
function judgeReasoning(items: readonly JsonMap[]): readonly WireFault[] {
  return items.flatMap((item, index) => {
    if (item.type !== 'reasoning' || isSaidByModel(items[index + 1])) return [];
    const what = `Item '${String(item.id)}' of type 'reasoning' was provided without its required following item.`;
    return [{ rule: 'responses.reasoning-without-follower', shape: 'R20', what }];
  });
}

function isSaidByModel(item: JsonMap | undefined): boolean {
  if (item === undefined || isOutput(item)) return false;
  return item.role === undefined || item.role === 'assistant';
}

/** Reasoning that is not kept at the provider comes back as it was sealed there. */
function judgeSeals(items: readonly JsonMap[], isKeptNowhere: boolean): readonly WireFault[] {
  return items.flatMap(({ type, id, encrypted_content: sealed }) => {
    if (type !== 'reasoning') return [];
    if (sealed !== undefined && sealed !== null && !isSeal(sealed)) {
      const what = `The encrypted content for item ${String(id)} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`;
      return [{ rule: `responses${sealRule}`, what }];
    }
    if (sealed || !isKeptNowhere) return [];
    const what = `Item with id '${String(id)}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`;
    return [{ rule: 'responses.reasoning-not-kept', what }];
  });
}

function judgeIds(items: readonly JsonMap[]): readonly WireFault[] {
  const seen = new Set<unknown>();
  return items.flatMap(({ id, type }) => {
    if (typeof id !== 'string' || id === '' || type === 'item_reference') return [];
    const isNew = !seen.has(id);
    seen.add(id);
    const what = `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`;
    return isNew ? [] : [{ rule: 'responses.duplicate-item', what }];
  });
}

function judgeItem(item: JsonMap, index: number): readonly WireFault[] {
  const at = `input[${index}]`;
  if (item.type === 'reasoning') return judgeReasoningItem(item, at);
  if (item.type === 'function_call' && typeof item.arguments !== 'string') {
    const what = `Invalid type for '${at}.arguments': expected a string, but got ${shownValue(item.arguments)} instead.`;
    return [{ rule: 'responses.arguments-not-text', what }];
  }
  return item.type === undefined || item.type === 'message' ? judgeContent(item, at) : [];
}

function judgeReasoningItem({ summary, content }: JsonMap, at: string): readonly WireFault[] {
  if (!Array.isArray(summary)) {
    const what = `Missing required parameter: '${at}.summary'.`;
    return [{ rule: 'responses.reasoning-without-summary', shape: 'R20', what }];
  }
  if (!Array.isArray(content) || content.length === 0) return [];
  const what = `Invalid '${at}.content': array too long. Expected an array with maximum length 0, but got an array with length ${content.length} instead.`;
  return [{ rule: 'responses.reasoning-with-text', shape: 'R20', what }];
}

/** What the user says is input, what the assistant said is output. */
function judgeContent({ role, content }: JsonMap, at: string): readonly WireFault[] {
  if (!Array.isArray(content)) return [];
  const wrong =
    role === 'assistant' ? ['input_text', 'input_image', 'input_file'] : ['output_text', 'refusal'];
  return content.flatMap((part: unknown, index) => {
    if (!isMap(part) || !wrong.includes(part.type as string)) return [];
    const what = `Invalid value: '${String(part.type)}' of '${at}.content[${index}]', which the role ${shownValue(role)} does not have.`;
    return [{ rule: 'responses.wrong-content-type', what }];
  });
}
