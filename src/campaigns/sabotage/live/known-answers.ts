/** The answers that crossed the edges in a run, and which of them may replace the answers of another session. Pure. */
import { canonicalise } from '../../../checks/canonical-value.ts';
import { type CallEvent, isStoreCall } from '../../../journal/call-event.ts';
import { defined } from '../../../kernel/defined.ts';
import { edgeOf } from '../../../kernel/edge-name.ts';
import { isContainer } from '../../../kernel/exact-json.ts';
import { mediaKind } from '../../../protocols/http/media-type.ts';
import { looseJson } from '../../../protocols/json-rpc/read-json.ts';
import type { ExchangeFault, ExchangeFilter, ExchangeRule } from '../../../taps/exchanges/exchange-rule.ts';

/** The caller: a trial, or a whole command. */
export interface CallingSession {
  readonly name: string;
  /** Complete, in the order in which they began. */
  readonly calls: readonly CallEvent[];
}

export interface KnownAnswers {
  /** For each call of the session on this edge (`a -> b`): another answer, if there is one with different content. */
  otherAnswers(edge: string, session: string): readonly ExchangeRule[];
  /** Whether an answer of JSON, or events, came to the session on this edge; a body that was not kept may be JSON. */
  hasValues(edge: string, session: string): boolean;
}

/** Name of the mutant in tap events. */
export const mutantName = 'mutant';

const mostRules = 50;
const mostAnswerChars = 64 * 1024;

interface KnownAnswer {
  readonly session: string;
  /** A refusal is not data of any session. */
  readonly isSuccess: boolean;
  /** Its content, without what differs from run to run. */
  readonly says: string;
  readonly status: number;
  readonly fault: Extract<ExchangeFault, { do: 'answer' }>;
}

export function rememberAnswers(sessions: readonly CallingSession[]): KnownAnswers {
  const answers = new Map<string, KnownAnswer[]>();
  for (const { name, calls } of sessions) {
    for (const call of calls) {
      const answer = answerOf(name, call);
      if (!answer) continue;
      const key = placeOf(call);
      answers.set(key, [...(answers.get(key) ?? []), answer]);
    }
  }
  const callsOf = new Map(sessions.map(({ name, calls }) => [name, calls]));
  const callsOn = (edge: string, session: string): readonly CallEvent[] =>
    (callsOf.get(session) ?? []).filter((call) => edgeOf(call) === edge);
  return {
    hasValues: (edge, session) => callsOn(edge, session).some(hasValues),
    otherAnswers: (edge, session) => {
      const own = callsOn(edge, session);
      const counts = new Map<string, number>();
      const rules = own.flatMap((call): ExchangeRule[] => {
        const where = filterOf(call);
        const crossing = (counts.get(JSON.stringify(where)) ?? 0) + 1;
        counts.set(JSON.stringify(where), crossing);
        const mine = answerOf(session, call);
        const other = mine && anotherThan(mine, answers.get(placeOf(call)) ?? []);
        return other ? [{ name: mutantName, crossing, where, fault: other.fault }] : [];
      });
      return rules.slice(0, mostRules);
    },
  };
}

/** A refusal has none. Of stores, what was read from Redis as JSON. */
function hasValues(call: CallEvent): boolean {
  if (isStoreCall(call)) return call.protocol === 'resp' && holdsJson(call.result);
  const { response } = call;
  if (response === undefined || response.status >= 400) return false;
  return ['json', 'events'].includes(mediaKind(response.headers['content-type']));
}

function holdsJson(value: unknown): boolean {
  if (typeof value === 'string') return isContainer(looseJson(value));
  return isContainer(value) && Object.values(value).some(holdsJson);
}

/** Data of another session before that of the same; of the same status before any other. */
function anotherThan(mine: KnownAnswer, known: readonly KnownAnswer[]): KnownAnswer | undefined {
  const distance = (other: KnownAnswer): number =>
    (other.session === mine.session ? 2 : 0) + (other.status === mine.status ? 0 : 1);
  return known
    .filter(({ says, isSuccess }) => isSuccess && says !== mine.says)
    .toSorted((a, b) => distance(a) - distance(b))[0];
}

/** Undefined if it was not recorded completely, so that it cannot be replayed. */
function answerOf(session: string, call: CallEvent): KnownAnswer | undefined {
  const { response, incomplete, protocol } = call;
  if (isStoreCall(call) || response === undefined || incomplete !== undefined) return undefined;
  const { status, json, text, events, headers, bytes } = response;
  const hasBody = json !== undefined || text !== undefined || events !== undefined;
  if ((!hasBody && bytes > 0) || status < 200) return undefined;
  if (protocol === 'json-rpc' && !holdsRpcAnswer(json, events)) return undefined;
  const type = headers['content-type'];
  const fault: KnownAnswer['fault'] = {
    do: 'answer',
    status,
    ...(type === undefined ? {} : { headers: { 'content-type': type } }),
    ...defined({ json, text, events: events?.map(({ at: _at, ...event }) => event) }),
    keepsId: true,
    forward: true,
  };
  const says = JSON.stringify(canonicalise(meaningOf(call, fault)));
  return JSON.stringify(fault).length > mostAnswerChars
    ? undefined
    : { session, says, status, fault, isSuccess: isSuccess(call, status) };
}

function isSuccess({ error, result, turn }: CallEvent, status: number): boolean {
  const isToolError =
    typeof result === 'object' && result !== null && 'isError' in result && result.isError === true;
  return status < 300 && error === undefined && !isToolError && turn?.error === undefined;
}

/** The content of an answer; ids and the chunks of a streamed turn are not content. */
function meaningOf({ protocol, turn, result, error }: CallEvent, fault: KnownAnswer['fault']): unknown {
  const { status, json, text, events } = fault;
  if (turn)
    return {
      text: turn.text,
      calls: turn.calls.map((call) => ({ name: call.name, arguments: call.arguments })),
      error: turn.error,
    };
  return protocol === 'json-rpc' ? { result, error } : { status, json, text, events };
}

/** The answer may have come elsewhere, on a stream that was already open. */
function holdsRpcAnswer(json: unknown, events: readonly { readonly data: unknown }[] | undefined): boolean {
  return [json, ...(events ?? []).map(({ data }) => data)].some(
    (value) =>
      typeof value === 'object' && value !== null && ('result' in value || 'error' in value) && 'id' in value,
  );
}

/** Answers with the same key are interchangeable: edge, method, path, and the tool if one is called. */
function placeOf(call: CallEvent): string {
  const { params } = call;
  const tool = typeof params === 'object' && params !== null && 'name' in params ? params.name : undefined;
  return JSON.stringify([edgeOf(call), filterOf(call), call.protocol === 'json-rpc' ? tool : undefined]);
}

function filterOf({ protocol, method, path }: CallEvent): ExchangeFilter {
  const shape = pathShape(path);
  return protocol === 'json-rpc' ? { rpc: method, path: shape } : { method, path: shape };
}

/** `/notes/17?full=1` and `/notes/18` are the same place with different ids: `/notes/*`. */
export function pathShape(path: string): string {
  const [plain = ''] = path.split('?');
  return plain
    .split('/')
    .map((segment) => (isId(segment) ? '*' : segment))
    .join('/');
}

function isId(segment: string): boolean {
  return (
    /^\d+$/.test(segment) ||
    /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(segment) ||
    /^(?=.*\d)[0-9a-f]{8,}$/i.test(segment) ||
    /trial-[0-9a-z]{8,}/.test(segment)
  );
}
