/** Prints a turn as the object of a whole answer, in the plainest legal shape. */
import { isMap } from '../../kernel/is-map.ts';
import type { PrintAbout } from '../turn/dialect.ts';
import type { JsonObject, Turn, TurnPart, Usage } from '../turn/turn.ts';
import { argumentsText } from '../turn/written-arguments.ts';
import { addedTo, ownPart } from './changed-ids.ts';

/** A turn without any part is a message without text: an answer that is completed has something in it. */
export function printResponse(turn: Turn, about: PrintAbout): JsonObject {
  return {
    ...responseFrame(about),
    ...responseEnd(turn),
    output: printItems(turn, about),
    usage: printUsage(turn.usage),
  };
}

/** What every object of an answer holds, from its creation on. */
export function responseFrame({ id, createdAt, model, request = {} }: PrintAbout): JsonObject {
  return {
    id,
    object: 'response',
    created_at: createdAt,
    status: 'in_progress',
    background: false,
    access_programs: null,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    model,
    output: [],
    parallel_tool_calls: true,
    previous_response_id: null,
    store: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    usage: null,
    user: null,
    metadata: {},
    ...Object.fromEntries(repeated.flatMap((name) => (request[name] == null ? [] : [[name, request[name]]]))),
    reasoning: { effort: null, summary: null, ...(isMap(request.reasoning) ? request.reasoning : {}) },
    text: { format: { type: 'text' }, ...(isMap(request.text) ? request.text : {}) },
  };
}

/** What an answer repeats of its request, as it was sent. */
const repeated = [
  'background',
  'instructions',
  'max_output_tokens',
  'max_tool_calls',
  'metadata',
  'parallel_tool_calls',
  'previous_response_id',
  'prompt',
  'prompt_cache_key',
  'safety_identifier',
  'store',
  'temperature',
  'tool_choice',
  'tools',
  'top_logprobs',
  'top_p',
  'truncation',
  'user',
];

/** This dialect has two ways to be cut short; all others end like any answer. */
export function responseEnd({ stop }: Turn): {
  readonly status: string;
  readonly incomplete_details: JsonObject | null;
} {
  if (stop === 'length' || stop === 'context') {
    return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
  }
  if (stop === 'filter') return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } };
  return { status: 'completed', incomplete_details: null };
}

/** What was added to a turn leaves the ids of the others as they were. */
export function printItems({ parts }: Turn, { id }: Pick<PrintAbout, 'id'>): readonly JsonObject[] {
  const printed: readonly TurnPart[] = parts.length === 0 ? [{ kind: 'text', text: '' }] : parts;
  let number = 0;
  return printed.map((part) => {
    const item = printItem(part, `${ownPart(id)}${number}`);
    if (addedTo(String(item.id)) !== `resp_${ownPart(id)}`) number += 1;
    return item;
  });
}

function printItem(part: TurnPart, unique: string): JsonObject {
  if (part.kind === 'call') {
    const { id: call_id, input, namespace } = part;
    const called =
      namespace === undefined
        ? { name: part.name }
        : { name: part.name.slice(namespace.length + 1), namespace };
    if (input !== undefined)
      return { id: `ctc_${unique}`, type: 'custom_tool_call', input, call_id, ...called };
    const text = argumentsText(part);
    return {
      id: `fc_${unique}`,
      type: 'function_call',
      status: 'completed',
      arguments: text,
      call_id,
      ...called,
    };
  }
  if (part.kind === 'reasoning') return printReasoning(part, unique);
  if (part.kind === 'other') {
    const value = typeof part.value === 'object' && part.value !== null ? part.value : {};
    return { id: `ot_${unique}`, ...value, type: part.type };
  }
  const content = [printContent(part)];
  return { id: `msg_${unique}`, type: 'message', status: 'completed', role: 'assistant', content };
}

function printContent(part: Extract<TurnPart, { readonly kind: 'text' | 'refusal' }>): JsonObject {
  if (part.kind === 'refusal') return { type: 'refusal', refusal: part.text };
  return { type: 'output_text', annotations: [], logprobs: [], text: part.text };
}

function printReasoning(part: Extract<TurnPart, { readonly kind: 'reasoning' }>, unique: string): JsonObject {
  const encrypted = part.redacted ?? part.signature;
  const isHidden = part.redacted !== undefined || part.text === '';
  return {
    id: `rs_${unique}`,
    type: 'reasoning',
    summary: isHidden ? [] : [{ type: 'summary_text', text: part.text }],
    ...(encrypted === undefined ? {} : { encrypted_content: encrypted }),
  };
}

export function printUsage(usage: Usage | undefined): JsonObject | null {
  if (usage === undefined) return null;
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cachedInput ?? 0, cache_write_tokens: 0 },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    total_tokens: usage.input + usage.output,
  };
}
