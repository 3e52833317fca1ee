/** The deed that gives the consumer another answer than the provider's. */
import type { RequestHead, ResponseHead } from '../../../protocols/http/http-message.ts';
import { isMap } from '../../../protocols/json-rpc/is-map.ts';
import { printSse } from '../../../protocols/sse/print-sse.ts';
import { readJson } from '../../calls/read-json.ts';
import { type BodyCollector, bodyCollector } from '../body-collector.ts';
import type { EditAbout, ExchangeEdit, Part, Told } from '../exchange-edit.ts';
import { exchangeLimits } from '../exchange-limits.ts';
import type { ExchangeDeed } from '../exchange-rule.ts';
import { wholeResponse } from '../framing.ts';
import { endingConnection, opensListener } from '../listener-stream.ts';
import { wireResponse } from '../wire-response.ts';

type Answer = Extract<ExchangeDeed, { do: 'answer' }>;

export function answerEdit(deed: Answer, { request }: EditAbout): ExchangeEdit {
  const what = `answered ${deed.status} instead of the provider${deed.forward ? ', which was asked' : ''}`;
  const asked = deed.keepsId ? bodyCollector(exchangeLimits.requestBytes) : undefined;
  const answer = (given?: ResponseHead, to = request): readonly Told<ResponseHead>[] => {
    const own = asked === undefined ? deed : withId(deed, asked, given);
    if (own.events !== undefined)
      return wireResponse(
        to,
        { status: own.status, headers: headersOf(own), pieces: piecesOf(own), end: 'whole' },
        what,
      );
    const told = wholeResponse(to, own.status, headersOf(own), bodyOf(own));
    const end = told.findIndex((one) => 'is' in one && one.is === 'end');
    return told.toSpliced(end, 0, { do: 'felt', what });
  };
  const listen: ExchangeEdit = asked ? { request: (part) => heard(asked, part) } : {};
  if (!deed.forward) return { ...listen, instead: answer };
  return { ...listen, ...afterProvider(request, answer) };
}

function heard(asked: BodyCollector, part: Part<RequestHead>): readonly [Part<RequestHead>] {
  asked.add(part);
  return [part];
}

/** The stream that a listener has opened may never end: it is answered when its head is there. */
function afterProvider(
  request: RequestHead,
  answer: (given: ResponseHead | undefined, to: RequestHead) => readonly Told<ResponseHead>[],
): Pick<ExchangeEdit, 'response'> {
  let head: ResponseHead | undefined;
  let isAnswered = false;
  return {
    response: (part) => {
      if (part.is === 'head') head = part.head;
      const isEndless = part.is === 'head' && opensListener(request, part.head);
      if (isAnswered || (part.is !== 'end' && !isEndless)) return [];
      isAnswered = true;
      return answer(head, isEndless ? endingConnection(request) : request);
    },
  };
}

/** The same answer for whoever asks now: with the id of this request, and in the session of this consumer. */
function withId(deed: Answer, asked: BodyCollector, given: ResponseHead | undefined): Answer {
  const message = readJson(asked.take()?.toString('utf8') ?? '')?.json;
  const id = isMap(message) ? message.id : undefined;
  const session = given?.headers[sessionHeader];
  const named = (value: unknown): unknown =>
    id !== undefined && isRpcAnswer(value) ? { ...value, id } : value;
  return {
    ...deed,
    headers: { ...deed.headers, ...(session === undefined ? {} : { [sessionHeader]: session }) },
    ...(deed.json === undefined ? {} : { json: named(deed.json) }),
    ...(deed.events === undefined
      ? {}
      : { events: deed.events.map((event) => ({ ...event, data: named(event.data) })) }),
  };
}

const sessionHeader = 'mcp-session-id';

function isRpcAnswer(value: unknown): value is Readonly<Record<string, unknown>> {
  return isMap(value) && value.jsonrpc === '2.0' && ('result' in value || 'error' in value);
}

function headersOf({ headers = {}, json, text, events }: Answer): Readonly<Record<string, string>> {
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  if (hasType) return headers;
  if (events !== undefined) return { 'content-type': 'text/event-stream', ...headers };
  if (json !== undefined) return { 'content-type': 'application/json', ...headers };
  return text === undefined ? headers : { 'content-type': 'text/plain; charset=utf-8', ...headers };
}

function bodyOf({ json, text = '' }: Answer): Buffer {
  return Buffer.from(json === undefined ? text : JSON.stringify(json), 'utf8');
}

function piecesOf({ events = [] }: Answer): readonly { readonly bytes: Buffer }[] {
  return events.map(({ data, ...event }) => ({
    bytes: Buffer.from(
      printSse({ ...event, data: typeof data === 'string' ? data : JSON.stringify(data) }),
      'utf8',
    ),
  }));
}
