/** Converts what was seen of a call to the event in the journal. */
import type { CallBreach, CallEvent, CallFault, CallMessage } from '../../journal/call-event.ts';
import { defined } from '../../kernel/defined.ts';
import { notRead } from '../../kernel/not-kept.ts';
import type { HttpHeaders, RequestHead, ResponseHead } from '../../protocols/http/http-message.ts';
import type { BodyReading } from '../../protocols/http/read-body.ts';
import type { CallPart, PassingCall } from './passing-call.ts';
import type { SeenTurn } from './turn-watch.ts';

export interface CallEnding {
  readonly from: string;
  readonly to: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly incomplete: CallFault | undefined;
  readonly answer: BodyReading;
  readonly turn: SeenTurn | undefined;
  readonly faults: readonly CallBreach[];
}

export function toCallEvent(call: PassingCall, part: CallPart, reporting: CallEnding): CallEvent {
  const { request, response } = call;
  const { rpc, said } = part;
  const sent = call.sentEvidence();
  const isLarge =
    sent.tooLarge ||
    reporting.answer.tooLarge ||
    reporting.turn?.tooLarge ||
    request.cut ||
    response?.cut ||
    (said && 'tooLarge' in said);
  const incomplete = reporting.incomplete ?? (isLarge ? 'too-large' : undefined);
  const isWhole = call.isSent && !sent.tooLarge;
  return {
    type: 'call',
    from: reporting.from,
    to: reporting.to,
    crossing: part.crossing,
    connection: call.connection,
    protocol: rpc === undefined ? 'http' : 'json-rpc',
    method: rpc?.method ?? request.method,
    path: request.target,
    ...defined({ params: rpc?.isPartial && isWhole ? unreadParams : rpc?.params }),
    ...(said === undefined || 'tooLarge' in said ? {} : said),
    request: {
      ...message(request, sent, call.requestBody?.bytes ?? 0, call.trailers.request),
      ...unfinished(sent, call.isSent, false, incomplete),
    },
    ...(response === undefined
      ? {}
      : {
          response: {
            status: response.status,
            ...message(response, reporting.answer, call.responseBody?.bytes ?? 0, call.trailers.response),
            ...unfinished(reporting.answer, call.isAnswered, call.isBrokenOff, incomplete),
          },
        }),
    ...(reporting.turn === undefined ? {} : { turn: reporting.turn.turn }),
    ...(reporting.faults.length === 0 ? {} : { faults: reporting.faults }),
    startedAt: reporting.startedAt,
    endedAt: reporting.endedAt,
    ...(incomplete === undefined ? {} : { incomplete }),
  };
}

const unreadParams = notRead('the JSON of the request cannot be read, so that its `params` are not known');

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
    ...(trailers ? { trailers } : {}),
  };
}
