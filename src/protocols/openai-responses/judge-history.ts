/** The rules of a conversation's history that the provider enforces before it asks a model. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { shownValue } from '../turn/fold-notes.ts';
import { isSeal, sealRule } from '../turn/seal.ts';
import type { WireFault } from '../turn/turn.ts';
import { unveiledId } from './changed-ids.ts';
import { mostInputItems } from './read-input.ts';

const mostFaults = 50;

/** With a conversation or items at the provider, calls may have been made there; they are not judged then. */
export function judgeResponsesHistory(body: JsonMap): readonly WireFault[] {
  const items = itemsOf(body.input);
  const isElsewhere =
    body.previous_response_id != null || body.conversation != null || items.some(isReference);
  const faults = [
    ...judgeAsOfChat(body),
    ...judgePairs(items, isElsewhere),
    ...judgeReasoning(items),
    ...judgeIds(items),
    ...judgeSeals(items, body.store === false),
    ...items.flatMap((item, index) => judgeItem(item, index)),
  ];
  return faults.slice(0, mostFaults);
}

function itemsOf(input: unknown): readonly JsonMap[] {
  return Array.isArray(input) ? input.slice(0, mostInputItems).filter(isMap) : [];
}

/** Where chat completions have the same under another name. */
const moved = {
  messages: 'input',
  max_tokens: 'max_output_tokens',
  max_completion_tokens: 'max_output_tokens',
  response_format: 'text.format',
  reasoning_effort: 'reasoning.effort',
};

function judgeAsOfChat(body: JsonMap): readonly WireFault[] {
  const tools: readonly unknown[] = Array.isArray(body.tools) ? body.tools : [];
  return [
    ...Object.entries(moved).flatMap(([name, here]) => {
      const what = `Unsupported parameter: '${name}'. In the Responses API, this parameter has moved to '${here}'.`;
      return body[name] == null ? [] : [{ rule: 'responses.moved-parameter', what }];
    }),
    ...tools.flatMap((tool, index) => {
      const isNamed = !isMap(tool) || tool.type !== 'function' || typeof tool.name === 'string';
      const what = `Missing required parameter: 'tools[${index}].name'.`;
      return isNamed ? [] : [{ rule: 'responses.tool-without-name', what }];
    }),
  ];
}

/** How the ids begin that the provider gives to what the model has made. */
const idPrefixes = new Map([
  ['function_call', 'fc'],
  ['custom_tool_call', 'ctc'],
  ['reasoning', 'rs'],
]);

/** For code that knows that each id was issued by the provider itself. */
export function judgePrefixes(input: unknown): readonly WireFault[] {
  return itemsOf(input).flatMap(({ type, role, id }, index) => {
    const prefix = role === 'assistant' ? 'msg' : idPrefixes.get(String(type));
    if (prefix === undefined || typeof id !== 'string' || unveiledId(id).startsWith(prefix)) return [];
    const what = `Invalid 'input[${index}].id': '${id}'. Expected an ID that begins with '${prefix}'.`;
    return [{ rule: 'responses.id-prefix', what }];
  });
}

/** The calls of a conversation and their outputs, to be kept for the request that continues it. */
export function pairsIn(input: unknown): readonly JsonMap[] {
  return itemsOf(input).flatMap((item) =>
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

/** To an item at the provider; its type may be left out, and only a message without a type has a role instead. */
export function isReference({ type, id, role }: JsonMap): boolean {
  return type === 'item_reference' || (type == null && typeof id === 'string' && role === undefined);
}

function isCall({ type }: JsonMap): boolean {
  return type === 'function_call' || type === 'custom_tool_call';
}

function isOutput({ type }: JsonMap): boolean {
  return type === 'function_call_output' || type === 'custom_tool_call_output';
}

/** Reasoning belongs to the model's output after it, and is accepted only in front of that. */
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
      return [{ rule: `responses.${sealRule}`, what }];
    }
    if (sealed || !isKeptNowhere) return [];
    const what = `Item with id '${String(id)}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`;
    return [{ rule: 'responses.reasoning-not-kept', what }];
  });
}

function judgeIds(items: readonly JsonMap[]): readonly WireFault[] {
  const seen = new Set<unknown>();
  return items.flatMap((item) => {
    const { id } = item;
    if (typeof id !== 'string' || id === '' || isReference(item)) return [];
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
  if (isOutput(item) && typeof item.output !== 'string' && !Array.isArray(item.output)) {
    const what = `Invalid type for '${at}.output': expected one of an array of objects or string, but got ${shownValue(item.output)} instead.`;
    return [{ rule: 'responses.output-type', what }];
  }
  const isMessage = item.type === 'message' || (item.type === undefined && !isReference(item));
  return isMessage ? judgeMessage(item, at) : [];
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

const roles: readonly unknown[] = ['assistant', 'system', 'developer', 'user'];

/** Content of the user is input, content of the assistant is output. */
function judgeMessage({ role, content }: JsonMap, at: string): readonly WireFault[] {
  if (!roles.includes(role)) {
    const what = `Invalid value: ${shownValue(role)} of '${at}.role'. Supported values are: ${roles.join(', ')}.`;
    return [{ rule: 'responses.role', what }];
  }
  if (!Array.isArray(content)) return [];
  const known =
    role === 'assistant'
      ? ['output_text', 'refusal']
      : ['input_text', 'input_image', 'input_file', 'input_audio'];
  return content.flatMap((part: unknown, index) => {
    const type = isMap(part) ? String(part.type) : shownValue(part);
    if (known.includes(type)) return [];
    const what = `Invalid value: '${type}' of '${at}.content[${index}]'. Supported values of the role ${role} are: ${known.join(', ')}.`;
    return [{ rule: 'responses.wrong-content-type', what }];
  });
}
