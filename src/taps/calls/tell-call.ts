/** Puts what was seen of a call into the event that is written down. */
import type { CallBreach, CallEvent, CallFault, CallMessage } from '../../journal/call-event.ts';
import type { HttpHeaders } from '../../protocols/http/http-message.ts';
import type { BodyEvidence } from './kept-body.ts';
import type { CallPart, PassingCall } from './passing-call.ts';
import type { SeenTurn } from './turn-watch.ts';

export interface Telling {
  readonly from: string;
  readonly to: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly incomplete: CallFault | undefined;
  readonly answer: BodyEvidence;
  readonly turn: SeenTurn | undefined;
  readonly faults: readonly CallBreach[];
}

export function tellCall(call: PassingCall, part: CallPart, telling: Telling): CallEvent {
  const { request, response } = call;
  const { rpc, said } = part;
  const sent = call.sentEvidence();
  const isLarge =
    sent.tooLarge ||
    telling.answer.tooLarge ||
    telling.turn?.tooLarge ||
    request.cut ||
    response?.cut ||
    (said && 'tooLarge' in said);
  const incomplete = telling.incomplete ?? (isLarge ? 'too-large' : undefined);
  return {
    type: 'call',
    from: telling.from,
    to: telling.to,
    crossing: part.crossing,
    connection: call.connection,
    protocol: rpc === undefined ? 'http' : 'json-rpc',
    method: rpc?.method ?? request.method,
    path: request.target,
    ...(rpc?.params === undefined ? {} : { params: rpc.params }),
    ...(said === undefined || 'tooLarge' in said ? {} : said),
    request: {
      ...message(request.headers, sent, call.requestBody?.bytes ?? 0),
      ...(call.isSent && !call.requestBody?.isUnfinished ? {} : unfinished(sent, incomplete)),
    },
    ...(response === undefined
      ? {}
      : {
          response: {
            status: response.status,
            ...message(response.headers, telling.answer, call.responseBody?.bytes ?? 0),
            ...(call.isAnswered && !call.responseBody?.isUnfinished
              ? {}
              : unfinished(telling.answer, incomplete)),
          },
        }),
    ...(telling.turn === undefined ? {} : { turn: telling.turn.turn }),
    ...(telling.faults.length === 0 ? {} : { faults: telling.faults }),
    startedAt: telling.startedAt,
    endedAt: telling.endedAt,
    ...(incomplete === undefined ? {} : { incomplete }),
  };
}

/** Of what was not read or not kept, that says more. */
function unfinished(
  { events }: BodyEvidence,
  incomplete: CallFault | undefined,
): Pick<CallMessage, 'unfinished'> {
  return events || incomplete === 'too-large' || incomplete === 'not-http' ? {} : { unfinished: true };
}

function message(headers: HttpHeaders, { tooLarge, ...body }: BodyEvidence, bytes: number): CallMessage {
  return { headers, ...body, bytes };
}
