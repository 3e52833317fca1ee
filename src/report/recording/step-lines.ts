/** What was asked from outside, as steps: what came of one step and is used in a later one becomes a reference. Pure. */

import type { CallEvent } from '../../journal/call-event.ts';
import { idsIn } from '../../journal/steady-value.ts';
import { isContainer, parseExactJson } from '../../kernel/exact-json.ts';
import { type WritingContext, writtenText, writtenValue } from './written-value.ts';

export interface RecordedStep {
  readonly name: string;
  readonly call: CallEvent;
  readonly step: object;
  /** What its result holds, by the key under which a check finds it. */
  readonly result: Readonly<Record<string, unknown>>;
}

export interface RecordedSteps {
  readonly steps: readonly RecordedStep[];
  readonly notes: readonly string[];
}

/** `target` is who is asked: a service, or for a tool server over stdio what starts it. */
export function stepLines(
  calls: readonly CallEvent[],
  context: WritingContext,
  target: (call: CallEvent) => unknown = ({ to }) => to,
): RecordedSteps {
  const known = new Map(context.known);
  const steps: RecordedStep[] = [];
  const notes = new Set<string>();
  const toolPaths = new Set(calls.filter(({ protocol }) => protocol === 'json-rpc').map(pathOf));
  for (const call of calls) {
    const name = `call-${steps.length + 1}`;
    const writing = { ...context, known };
    const made =
      call.protocol === 'json-rpc'
        ? toolStep(call, name, writing, target(call))
        : toolPaths.has(pathOf(call))
          ? undefined
          : httpStep(call, name, writing, notes);
    if (!made) continue;
    steps.push({ name, call, ...made });
    for (const [text, reference] of idsOf(made.result, name))
      if (!known.has(text)) known.set(text, reference);
  }
  return { steps, notes: [...notes] };
}

type MadeStep = Pick<RecordedStep, 'step' | 'result'> | undefined;

function httpStep(call: CallEvent, name: string, context: WritingContext, notes: Set<string>): MadeStep {
  const { method, path, to, request, response } = call;
  const { json, text } = response ?? {};
  return {
    step: {
      http: `${method} ${to}${writtenText(path, context)}`,
      ...bodyOf(request, context, notes),
      ...headersOf(request, context, notes),
      as: name,
      expect: response ? { status: response.status } : { error: { $present: true } },
    },
    result: { ...(json === undefined ? {} : { json }), ...(json !== undefined || !text ? {} : { text }) },
  };
}

function bodyOf(request: CallEvent['request'], context: WritingContext, notes: Set<string>): object {
  const { json, text, headers } = request;
  const type = headers['content-type'] ?? '';
  if (json !== undefined) return { json: writtenValue(json, context) };
  if (text === undefined) return {};
  if (type.startsWith('application/x-www-form-urlencoded'))
    return { form: writtenValue(Object.fromEntries(new URLSearchParams(text)), context) };
  if (type.startsWith('multipart/')) notes.add('a body in parts is written as text: use `multipart` instead');
  return { text: writtenText(text, context) };
}

const usualHeaders =
  /^(?:host|connection|content-length|content-encoding|transfer-encoding|user-agent|accept|accept-.*|cache-control|pragma|sec-.*|keep-alive|origin|referer|date|expect|te)$/;

/** A header that lets somebody in was not kept whole; a variable takes its place. */
function headersOf(
  { headers, json, text }: CallEvent['request'],
  context: WritingContext,
  notes: Set<string>,
): object {
  const entries = Object.entries(headers).flatMap(([name, value]): readonly (readonly [string, string])[] => {
    if (usualHeaders.test(name) || (name === 'content-type' && isImplied(value, json, text))) return [];
    if (isSignature(name))
      notes.add(
        `the header ${name} was made from the body as it was, and fits no other: where the body changes, sign it in a flow`,
      );
    if (!value.includes('…')) return [[name, writtenText(value, context)]];
    const variable = name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
    notes.add(`what was sent in the header ${name} was not kept: set ${variable} before you run it`);
    return [[name, `\${env.${variable}:-}`]];
  });
  return entries.length === 0 ? {} : { headers: Object.fromEntries(entries) };
}

/** Of a header, by its name. */
export function isSignature(name: string): boolean {
  return /signature|hmac|digest/.test(name);
}

function isImplied(type: string, json: unknown, text: string | undefined): boolean {
  if (json !== undefined) return type.startsWith('application/json');
  return text === undefined || /^(?:text\/plain|application\/x-www-form-urlencoded)/.test(type);
}

/** Greetings are the driver's own. */
function toolStep(call: CallEvent, name: string, context: WritingContext, target: unknown): MadeStep {
  const { method, params, error } = call;
  if (method === 'initialize' || method.startsWith('notifications/') || method === '?') return undefined;
  const path = pathOf(call);
  const result = toolResult(call);
  const isError = error !== undefined || (isMap(call.result) && call.result.isError === true);
  return {
    step: {
      mcp: target,
      ...(path === '/mcp' || path === 'stdio' ? {} : { path }),
      ...(writtenValue(askedOf(method, params), context) as object),
      as: name,
      expect: { isError },
    },
    result: result === undefined || isError ? {} : { result },
  };
}

const lists: Readonly<Record<string, string>> = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'prompts/list': 'prompts',
};

function askedOf(method: string, params: unknown): object {
  if (Object.hasOwn(lists, method)) return { list: lists[method] };
  if (method === 'tools/call' && isMap(params))
    return { tool: params.name, ...(isMap(params.arguments) ? { args: params.arguments } : {}) };
  return { request: method, ...(isMap(params) ? { params } : {}) };
}

/** As a step `mcp` tells it: structured content, the JSON in the only text, or that text. */
function toolResult({ method, result }: CallEvent): unknown {
  if (method !== 'tools/call' || !isMap(result)) return undefined;
  if (result.structuredContent !== undefined) return result.structuredContent;
  const [only, ...others] = Array.isArray(result.content) ? result.content : [];
  if (others.length > 0 || !isMap(only) || typeof only.text !== 'string') return undefined;
  try {
    return parseExactJson(only.text);
  } catch {
    return only.text; // a text that is no JSON is told as it is
  }
}

/** Ids of a result, to the references that stand for them; also small ones, where their name says that they are. */
function idsOf(value: unknown, place: string, name = ''): readonly (readonly [string, string])[] {
  const reference = `\${${place}}`;
  if (typeof value === 'string') return idsIn(value).includes(value) ? [[value, reference]] : [];
  if (typeof value === 'number') return /id$/i.test(name) && value >= 100 ? [[String(value), reference]] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => idsOf(item, `${place}.${index}`, name));
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    /^[\w-]+$/.test(key) ? idsOf(inner, `${place}.${key}`, key) : [],
  );
}

function pathOf({ path }: CallEvent): string {
  return path.split('?')[0] ?? path;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return isContainer(value) && !Array.isArray(value);
}
