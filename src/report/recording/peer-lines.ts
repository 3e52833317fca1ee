/** What a provider answered in calls, as script lines of a third party. Pure. */
import type { CallEvent, CallMessage } from '../../journal/call-event.ts';
import { withoutSecretFields } from '../../journal/secret-fields.ts';
import { idsIn } from '../../journal/steady-value.ts';
import { isContainer, parseExactJson } from '../../kernel/exact-json.ts';
import { isMap } from '../../kernel/is-map.ts';
import { stablePattern } from './stable-pattern.ts';
import { echoesOf, type WritingContext, writtenSafely, writtenText, writtenValue } from './written-value.ts';

export interface PeerLine {
  readonly on: string;
  readonly where?: unknown;
  readonly answer?: unknown;
  readonly callback?: unknown;
  readonly times?: number;
}

export interface AnsweredCall {
  readonly call: CallEvent;
  readonly line: PeerLine;
}

/** Older ids are forgotten. */
const mostIds = 500;

/** One line for each call that can be answered again. Ids from earlier answers are sent again, and may be requested. */
export function peerLines(calls: readonly CallEvent[], context: WritingContext): readonly AnsweredCall[] {
  const shown: string[] = [];
  return calls.flatMap((call) => {
    const asked: Asked = { ...context, steady: [context.uid, ...context.known.keys(), ...shown] };
    const line = call.protocol === 'json-rpc' ? rpcLine(call, asked) : httpLine(call, asked);
    const ids = idsIn([call.response?.json, call.response?.text, call.result]);
    shown.push(...ids.slice(0, mostIds - shown.length));
    return line ? [{ call, line }] : [];
  });
}

interface Asked extends WritingContext {
  /** Texts that stay the same, although they look like ids. */
  readonly steady: readonly string[];
}

function httpLine(call: CallEvent, context: Asked): PeerLine {
  const { method, path, request, response } = call;
  const [plain = '/', query = ''] = path.split('?');
  const where = {
    ...(query === '' ? {} : { query: withoutSecretFields(Object.fromEntries(new URLSearchParams(query))) }),
    ...requestBody(request),
  };
  const steady = stablePattern([where], context.steady);
  const echoing = { ...context, known: new Map([...context.known, ...echoesOf(request.json)]) };
  return {
    on: `${method} ${routeOf(plain, context)}`,
    ...(Object.keys(where).length === 0 ? {} : { where: writtenValue(plainPattern(steady), context) }),
    answer: response ? writtenSafely(answerOf(call, response), echoing) : { instead: unanswered(call) },
  };
}

/** The id of a message is different each time; the request is its method with its parameters. */
function rpcLine(call: CallEvent, context: Asked): PeerLine | undefined {
  const { method, path, params, result, error, request, response } = call;
  if (Array.isArray(request.json)) return undefined;
  const [plain = '/'] = path.split('?');
  const asked = { method, ...(params === undefined ? {} : { params: withoutMeta(params) }) };
  const steady = stablePattern([{ json: asked }], context.steady);
  const on = { on: `POST ${routeOf(plain, context)}`, where: writtenValue(plainPattern(steady), context) };
  const said = error === undefined ? { result } : { error };
  if (result !== undefined || error !== undefined) {
    const json = { jsonrpc: '2.0', id: '${request.json.id}', ...(writtenValue(said, context) as object) };
    return { ...on, answer: { status: response?.status ?? 200, json } };
  }
  return { ...on, answer: response ? { status: response.status } : { instead: unanswered(call) } };
}

function withoutMeta(params: unknown): unknown {
  if (!isMap(params)) return params;
  const { _meta, ...rest } = params;
  return rest;
}

function requestBody({ json, text, headers }: CallEvent['request']): object {
  if (json !== undefined) return { json: withoutSecretFields(json) };
  if (text === undefined) return {};
  if (headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    return { form: withoutSecretFields(Object.fromEntries(new URLSearchParams(text))) };
  const unsaid = jsonIn(text);
  return unsaid === undefined ? { text } : { json: withoutSecretFields(unsaid) };
}

/** Many clients send JSON without declaring it; the responder parses it anyway. */
function jsonIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return parseExactJson(text);
  } catch {
    return undefined; // it only looks like JSON
  }
}

/** A pattern that only states types does not identify a request. */
function plainPattern(pattern: unknown): unknown {
  if (Array.isArray(pattern)) return pattern.map(plainPattern);
  if (!isContainer(pattern)) return pattern;
  return Object.fromEntries(
    Object.entries(pattern).flatMap(([name, inner]) =>
      isTypeOnly(inner) ? [] : [[name, plainPattern(inner)]],
    ),
  );
}

function isTypeOnly(pattern: unknown): boolean {
  return isContainer(pattern) && Object.keys(pattern).join() === '$type';
}

/** An id that the consumer generated may be any id. */
function routeOf(path: string, context: Asked): string {
  return path
    .split('/')
    .map((segment) => {
      const isMadeUp = idsIn(segment).some((id) => !context.steady.some((known) => known.includes(id)));
      return isMadeUp ? '*' : writtenText(segment, context);
    })
    .join('/');
}

const keptHeaders = /^(?:location|retry-after|link|etag|www-authenticate|x-ratelimit-.*)$/;

function answerOf({ incomplete }: CallEvent, response: NonNullable<CallEvent['response']>): object {
  const { status, headers, json, text, events } = response;
  if (incomplete === 'cut') return { instead: 'close' };
  if (incomplete === 'cancelled') return { instead: 'hang' };
  const type = headers['content-type'];
  const kept = Object.entries(headers).filter(([name]) => keptHeaders.test(name));
  const typed = type === undefined || json !== undefined ? [] : [['content-type', type]];
  const all = Object.fromEntries([...typed, ...kept]);
  const said = events ? eventText(events) : text;
  return {
    status,
    ...(Object.keys(all).length === 0 ? {} : { headers: all }),
    ...(json === undefined ? {} : { json }),
    ...(json !== undefined || said === undefined ? {} : { text: said }),
  };
}

function unanswered({ incomplete }: CallEvent): 'close' | 'hang' {
  return incomplete === 'cut' || incomplete === 'not-http' ? 'close' : 'hang';
}

/** Server-sent events as their wire text. */
function eventText(events: NonNullable<CallMessage['events']>): string {
  return events
    .map(({ event, id, data }) => {
      const text = typeof data === 'string' ? data : JSON.stringify(data);
      return [
        ...(event === undefined ? [] : [`event: ${event}`]),
        ...(id === undefined ? [] : [`id: ${id}`]),
        ...text.split('\n').map((line) => `data: ${line}`),
        '\n',
      ].join('\n');
    })
    .join('');
}
