/** The fault that gives the consumer another answer than the provider's. */
import { defined } from '../../../kernel/defined.ts';
import { isMap } from '../../../kernel/is-map.ts';
import type { RequestHead, ResponseHead } from '../../../protocols/http/http-message.ts';
import { looseJson } from '../../../protocols/json-rpc/read-json.ts';
import { printSse } from '../../../protocols/sse/print-sse.ts';
import { type BodyCollector, bodyCollector } from '../body-collector.ts';
import type { EditAbout, EditedPart, ExchangeEdit, Part } from '../exchange-edit.ts';
import { exchangeLimits } from '../exchange-limits.ts';
import type { ExchangeFault } from '../exchange-rule.ts';
import { wholeResponse } from '../framing.ts';
import { endingConnection, opensListener } from '../listener-stream.ts';
import { wireResponse } from '../wire-response.ts';

type Answer = Extract<ExchangeFault, { do: 'answer' }>;

export function answerEdit(fault: Answer, { request }: EditAbout): ExchangeEdit {
  const what = `answered ${fault.status} instead of the provider${fault.forward ? ', which was asked' : ''}`;
  const asked = fault.keepsId ? bodyCollector(exchangeLimits.requestBytes) : undefined;
  const answer = (given?: ResponseHead, to = request): readonly EditedPart<ResponseHead>[] => {
    const own = asked === undefined ? fault : withId(fault, asked, given);
    if (own.events !== undefined)
      return wireResponse(
        to,
        { status: own.status, headers: headersOf(own), pieces: piecesOf(own), end: 'whole' },
        what,
      );
    const edited = wholeResponse(to, own.status, headersOf(own), bodyOf(own));
    const end = edited.findIndex((one) => 'is' in one && one.is === 'end');
    return edited.toSpliced(end, 0, { do: 'felt', what });
  };
  const listen: ExchangeEdit = asked ? { request: (part) => heard(asked, part) } : {};
  if (!fault.forward) return { ...listen, instead: answer };
  return { ...listen, ...afterProvider(request, answer) };
}

function heard(asked: BodyCollector, part: Part<RequestHead>): readonly [Part<RequestHead>] {
  asked.add(part);
  return [part];
}

/** The stream that a listener has opened may never end: it is answered when its head is there. */
function afterProvider(
  request: RequestHead,
  answer: (given: ResponseHead | undefined, to: RequestHead) => readonly EditedPart<ResponseHead>[],
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

/** The same answer for the consumer that asks now: with the id of this request, and in the session of this consumer. */
function withId(fault: Answer, asked: BodyCollector, given: ResponseHead | undefined): Answer {
  const message = looseJson(asked.take()?.toString('utf8') ?? '');
  const id = isMap(message) ? message.id : undefined;
  const session = given?.headers[sessionHeader];
  const named = (value: unknown): unknown =>
    id !== undefined && isRpcAnswer(value) ? { ...value, id } : value;
  return {
    ...fault,
    headers: { ...fault.headers, ...(session === undefined ? {} : { [sessionHeader]: session }) },
    ...(fault.json === undefined ? {} : { json: named(fault.json) }),
    ...defined({ events: fault.events?.map((event) => ({ ...event, data: named(event.data) })) }),
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
