/** Reads a request of this dialect, whatever is wrong with it. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { isTooDeep, mostJsonLevels } from '../json-rpc/json-depth.ts';
import type { ModelRequest, OfferedTool, RequestMessage } from '../turn/dialect.ts';
import { shownValue } from '../turn/fold-notes.ts';
import type { WireFault } from '../turn/turn.ts';
import { judgeResponsesHistory } from './judge-history.ts';
import { ownItemOf, ownNames } from './own-items.ts';
import { nameIn, readInput } from './read-input.ts';

export function readResponsesRequest(body: unknown): ModelRequest {
  if (!isMap(body)) return unreadable(`the body is ${shownValue(body)}, not an object`);
  if (isTooDeep(body)) return unreadable(`the body has more than ${mostJsonLevels} levels`);
  const messages = readInput(body.input);
  return {
    model: typeof body.model === 'string' ? body.model : null,
    stream: body.stream === true,
    wantsUsage: true,
    wantsSeals: Array.isArray(body.include) && body.include.includes('reasoning.encrypted_content'),
    system: systemOf(body.instructions, messages),
    messages,
    ...toolsOf(body),
    maxTokens: typeof body.max_output_tokens === 'number' ? body.max_output_tokens : null,
    faults: faultsOf(body),
    historyFaults: judgeResponsesHistory(body),
  };
}

function unreadable(what: string): ModelRequest {
  return {
    model: null,
    stream: false,
    wantsUsage: true,
    system: '',
    messages: [],
    tools: [],
    maxTokens: null,
    faults: [{ rule: 'responses.request-body', what }],
    historyFaults: [],
  };
}

function systemOf(instructions: unknown, messages: readonly RequestMessage[]): string {
  const said = messages.filter(({ role }) => role === 'system').map(({ text }) => text);
  return [...(typeof instructions === 'string' ? [instructions] : []), ...said].join('\n');
}

/** Those that the consumer runs. Tools that the provider runs itself cannot be called by a script. */
function toolsOf({ tools, input, prompt }: JsonMap): Pick<ModelRequest, 'tools' | 'mayOfferMore'> {
  const added = (Array.isArray(input) ? input : []).map((item) => (bringsTools(item) ? item.tools : []));
  const listed = [tools, ...added].flatMap((list: unknown) => (Array.isArray(list) ? list : []));
  const mayOfferMore =
    prompt != null || !listed.every((tool) => isMap(tool) && known.test(String(tool.type)));
  return { tools: listed.flatMap(readTool), ...(mayOfferMore ? { mayOfferMore } : {}) };
}

function bringsTools(item: unknown): item is JsonMap {
  return isMap(item) && (item.type === 'additional_tools' || item.type === 'tool_search_output');
}

/** What their types begin with; others may represent tools that are not named here, as a search for tools does. */
const known =
  /^(?:function|custom|namespace|web_search|file_search|code_interpreter|image_generation|mcp|computer|local_shell|shell|apply_patch)/;

function readTool(tool: unknown): readonly OfferedTool[] {
  const item = isMap(tool) ? ownItemOf(tool) : undefined;
  if (isMap(tool) && item !== undefined)
    return ownNames(tool.type).map((name) => ({ name, schema: null, item }));
  if (!isMap(tool) || typeof tool.name !== 'string') return [];
  const { name, type, parameters, tools } = tool;
  if (type === 'namespace' && Array.isArray(tools))
    return tools
      .flatMap(readTool)
      .map((inner) => ({ ...inner, name: nameIn(name, inner.name), namespace: name }));
  if (type === 'custom') return [{ name, schema: parameters ?? null, isCustom: true }];
  return type === 'function' ? [{ name, schema: parameters ?? null }] : [];
}

/** A stored prompt names its model, and a conversation at the provider may need no new input. */
function faultsOf(body: JsonMap): readonly WireFault[] {
  const faults: WireFault[] = [];
  const fault = (rule: string, what: string): void => void faults.push({ rule: `responses.${rule}`, what });
  const isElsewhere = [body.previous_response_id, body.conversation, body.prompt].some((v) => v != null);
  if (typeof body.model !== 'string' && (body.model != null || body.prompt == null)) {
    fault('no-model', `\`model\` is ${shownValue(body.model)}, not the name of a model`);
  }
  if (body.input == null) {
    if (!isElsewhere) fault('no-input', '`input` is missing');
  } else if (typeof body.input !== 'string' && !Array.isArray(body.input)) {
    fault('bad-input', `\`input\` is ${shownValue(body.input)}, neither a text nor a list`);
  } else if (Array.isArray(body.input) && !body.input.every(isMap)) {
    fault('bad-input', '`input` contains something that is not an object');
  }
  if (body.tools != null && !Array.isArray(body.tools))
    fault('bad-tools', `\`tools\` is ${shownValue(body.tools)}, not a list`);
  if (body.stream != null && typeof body.stream !== 'boolean') {
    fault('bad-stream', `\`stream\` is ${shownValue(body.stream)}, neither true nor false`);
  }
  const most = body.max_output_tokens;
  if (most != null && !(Number.isInteger(most) && (most as number) > 0)) {
    fault('bad-max-tokens', `\`max_output_tokens\` is ${shownValue(most)}, not a positive whole number`);
  }
  return faults;
}
