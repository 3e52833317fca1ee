/** Keeps what passes between consumers and a real provider, without its secrets. */
import { redactValues } from '../../../journal/redact-values.ts';
import type { Redactor } from '../../../journal/redaction.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { FoldedTurn } from '../../../protocols/turn/turn.ts';
import { cleanPieces } from '../../cassette/recorded-pieces.ts';
import { openTape, type Tape, type TapedCall } from '../../cassette/tape.ts';
import type { ModelCall } from '../model-call.ts';
import { type RecordedCall, requestParts } from './cassette.ts';

/** Of all answers of an attempt together; nothing is kept of a call that goes beyond. */
const most = { bytes: 64 * 1024 * 1024, calls: Number.POSITIVE_INFINITY };

export type ModelTape = Pick<Tape<ModelCall, FoldedTurn>, 'begin'>;

export interface RecordingTape extends ModelTape {
  /** Those that came to an end, in the order in which they began; and how many were too large. */
  recorded(): { readonly calls: readonly RecordedCall[]; readonly tooLarge: number };
}

export function recordTape(clock: Clock, redactor: Redactor): RecordingTape {
  const tape = openTape<ModelCall, FoldedTurn>(clock, most);
  return {
    begin: tape.begin,
    recorded: () => ({
      calls: tape.ended().map((taped) => recordedCall(taped, redactor)),
      tooLarge: tape.tooLarge(),
    }),
  };
}

function recordedCall(taped: TapedCall<ModelCall, FoldedTurn>, redactor: Redactor): RecordedCall {
  const { caller, number, dialect, request, wire } = taped.call;
  const { status, headers, pieces, end } = taped;
  const { usage, model } = taped.outcome;
  return {
    caller,
    call: number,
    dialect: dialect.name,
    streamed: request.stream,
    request: { path: wire.path, ...redactValues(requestParts(taped.call), redactor) },
    response: { status, headers: keptHeaders(headers), pieces: cleanPieces(pieces, redactor), end },
    usage,
    ...(model === undefined ? {} : { model }),
  };
}

/** A header that is not about the answer itself may say whose key it was. */
function keptHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => ofTheAnswer.test(name)));
}

const ofTheAnswer =
  /^(?:content-type|content-encoding|cache-control|retry-after(?:-ms)?|request-id|x-request-id|x-should-retry|(?:x|anthropic)-ratelimit-.*)$/;
