/** A message with other content: each value of the same type, at the same place, and wrong. What holds it together stays. Pure. */
import { isAnyNumber } from '../../kernel/exact-json.ts';
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { mutantsAbout } from '../../patterns/mutants/mutants-about.ts';
import { looseJson } from '../../protocols/json-rpc/read-json.ts';
import type { Turn, TurnPart } from '../../protocols/turn/turn.ts';

/** Undefined where the text is not JSON, or has nothing that could be another value. */
export function wrongJson(text: string): string | undefined {
  const json = looseJson(text);
  const printed = JSON.stringify(wrongMessage(json));
  return printed === JSON.stringify(json) ? undefined : printed;
}

/** What a model says. Ids and names of calls stay, so that they can be performed and answered. */
export function wrongTurn(turn: Turn): Turn {
  const { usage } = turn;
  const used = usage && { ...usage, input: usage.input + 1, output: usage.output + 1 };
  return { ...turn, parts: turn.parts.map(wrongPart), ...(used ? { usage: used } : {}) };
}

function wrongPart(part: TurnPart): TurnPart {
  if (part.kind === 'text' || part.kind === 'refusal') return { ...part, text: wrongText(part.text) };
  if (part.kind !== 'call') return part;
  const input = part.input === undefined ? {} : { input: wrongText(part.input) };
  return { ...part, arguments: wrongMap(part.arguments), ...input };
}

/** Of JSON-RPC only results are content; a batch keeps its messages. */
function wrongMessage(json: unknown): unknown {
  if (Array.isArray(json) && json.length > 0 && json.every(isRpc)) return json.map(wrongMessage);
  if (!isRpc(json)) return wrongValue(json);
  const { result } = json;
  return result === undefined || isAgreement(result) ? json : { ...json, result: wrongValue(result) };
}

function isRpc(json: unknown): json is JsonMap {
  return isMap(json) && json.jsonrpc === '2.0';
}

/** How client and server of the tool protocol agree on what there is: without it no tool is called at all. */
function isAgreement(result: unknown): boolean {
  const lists = ['protocolVersion', 'tools', 'resources', 'resourceTemplates', 'prompts'];
  return isMap(result) && lists.some((name) => Object.hasOwn(result, name));
}

function wrongValue(value: unknown, key = ''): unknown {
  if (kept.test(key)) return value;
  if (Array.isArray(value)) return wrongList(value, key);
  if (isMap(value)) return wrongMap(value);
  // A piece of a text that is JSON only when all of it is there.
  if (typeof value === 'string') return pieces.test(key) ? (wrongJson(value) ?? value) : wrongText(value);
  return typeof value === 'boolean' || isAnyNumber(value) ? (othersOf(value)[0] ?? value) : value;
}

/** Names of ids, and of what a protocol reads before any content. */
const kept =
  /^(?:id|_id|uid|uuid|uri|index|jsonrpc|object|type|role|method|mimeType|isError|_meta|signature|finish_reason|stop_reason|finishReason|[a-z]+(?:_ids?|Ids?))$/;
const pieces = /^(?:arguments|partial_json)$/;

function wrongMap(map: JsonMap): JsonMap {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, wrongValue(value, key)]));
}

/** Without its last element, if there is another one left. */
function wrongList(list: readonly unknown[], key: string): readonly unknown[] {
  const left = list.length > 1 && !ofParts.test(key) ? list.slice(0, -1) : list;
  return left.map((one) => wrongValue(one));
}

/** Lists whose elements are parts of one thing. */
const ofParts = /^(?:choices|candidates|content|contents|parts|output|tool_calls)$/;

/** Of the same form: what reads a date, a number, an address or JSON in it still can. */
function wrongText(text: string): string {
  if (text === '' || uuid.test(text)) return text;
  if (/^\s*[[{]/.test(text)) return wrongJson(text) ?? text;
  if (/^\w+:\/\/\S+$/.test(text)) return `${text}-else`;
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return wrongText(`${text}T`).slice(0, text.length);
  const form = forms.find((one) => one.test(text)) ?? /./;
  const alike = othersOf(text).filter((other): other is string => form.test(String(other)));
  return alike.find(({ length }) => length === text.length) ?? alike[0] ?? text;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;
const forms = [/^\d{4}-\d\d-\d\dT/, /^\d+$/, /^[0-9a-f]{32,}$/];

/** The mutants that checks are tried with, too. */
function othersOf(value: unknown): readonly unknown[] {
  return mutantsAbout(value, [])
    .filter(({ kind }) => kind === 'value')
    .map((mutant) => mutant.value);
}
