/** Converts what was seen of a call to the event in the journal. */
import type { CallBreach, CallEvent, CallFault, CallMessage } from '../../journal/call-event.ts';
import { defined } from '../../kernel/defined.ts';
import { notRead } from '../../kernel/not-kept.ts';
import type { HttpHeaders, RequestHead, ResponseHead } from '../../protocols/http/http-message.ts';
import type { BodyReading } from '../../protocols/http/read-body.ts';
import type { CallPart, PassingCall } from './passing-call.ts';
import type { SeenTurn } from './turn-watch.ts';

export interface CallEnding extends Pick<CallEvent, 'from' | 'to' | 'startedAt' | 'endedAt'> {
  readonly incomplete: CallFault | undefined;
  readonly answer: BodyReading;
  readonly turn: SeenTurn | undefined;
  readonly faults: readonly CallBreach[];
}

export function toCallEvent(call: PassingCall, part: CallPart, reporting: CallEnding): CallEvent {
  const { request, response, trailers } = call;
  const { rpc, said } = part;
  const { from, to, startedAt, endedAt, answer, turn, faults } = reporting;
  const sent = call.sentEvidence();
  const large = [sent.tooLarge, answer.tooLarge, turn?.tooLarge, request.cut, response?.cut];
  const isLarge = large.some(Boolean) || (said && 'tooLarge' in said);
  const incomplete = reporting.incomplete ?? (isLarge ? 'too-large' : undefined);
  const isWhole = call.isSent && !sent.tooLarge;
  const isUnreadable = incomplete === 'not-http' && response !== undefined && !call.isAnswered;
  const answered = response && {
    status: response.status,
    ...message(response, answer, call.responseBody?.bytes ?? 0, trailers.response),
    ...unfinished(answer, call.isAnswered, call.isBrokenOff, incomplete),
    ...(isUnreadable ? unreadBody : {}),
  };
  return {
    type: 'call',
    from,
    to,
    crossing: part.crossing,
    connection: call.connection,
    protocol: rpc === undefined ? 'http' : 'json-rpc',
    method: rpc?.method ?? request.method,
    path: request.target,
    ...defined({ params: rpc?.isPartial && isWhole ? unreadParams : rpc?.params }),
    ...(said === undefined && rpc !== undefined && isUnreadable
      ? { result: unreadAnswer, error: unreadAnswer }
      : {}),
    ...(said === undefined || 'tooLarge' in said ? {} : said),
    request: {
      ...message(request, sent, call.requestBody?.bytes ?? 0, trailers.request),
      ...unfinished(sent, call.isSent, false, incomplete),
    },
    ...defined({ response: answered, turn: turn?.turn }),
    ...(faults.length === 0 ? {} : { faults }),
    startedAt,
    endedAt,
    ...defined({ incomplete }),
  };
}

const unreadParams = notRead('the JSON of the request cannot be read, so that its `params` are not known');

/** It passed, in a framing that only others may be able to read. */
const unreadAnswer = notRead('the framing of the body cannot be read, so that its content is not known');
const unreadBody = { json: unreadAnswer, text: unreadAnswer, events: unreadAnswer } as Pick<
  CallMessage,
  'json'
>;

/** Of what was not read or not kept, that says more; of events, only where more was to come. */
function unfinished(
  body: BodyReading,
  isWhole: boolean,
  isBrokenOff: boolean,
  incomplete: CallFault | undefined,
): Pick<CallMessage, 'unfinished'> {
  const isRead = incomplete !== 'too-large' && incomplete !== 'not-http';
  const isOpen = body.unfinished || (body.events ? isBrokenOff : !isWhole);
  return isOpen && isRead ? { unfinished: true } : {};
}

function message(
  { headers, cut }: RequestHead | ResponseHead,
  { tooLarge, unfinished: _, broken, ...body }: BodyReading,
  bytes: number,
  trailers: HttpHeaders | undefined,
): CallMessage {
  return {
    headers,
    ...body,
    bytes,
    ...(tooLarge || cut ? { truncated: true } : {}),
    ...defined({ trailers }),
  };
}
