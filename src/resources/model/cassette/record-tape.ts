/** Keeps what passes between consumers and a real provider, without its secrets. */

import { redactValues } from '../../../journal/redact-values.ts';
import type { Redactor } from '../../../journal/redaction.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { cleanPieces } from '../../cassette/recorded-pieces.ts';
import type { ModelCall } from '../model-call.ts';
import type { Tape } from '../upstream/upstream-player.ts';
import type { RecordedCall } from './cassette.ts';
import { requestParts } from './request-parts.ts';

/** Of all answers of an attempt together; nothing is kept of a call that goes beyond. */
const mostBytes = 64 * 1024 * 1024;

export interface RecordingTape extends Tape {
  /** Those that came to an end, in the order in which they began; and how many were too large. */
  recorded(): { readonly calls: readonly RecordedCall[]; readonly tooLarge: number };
}

export function recordTape(clock: Clock, redactor: Redactor): RecordingTape {
  const calls: (RecordedCall | undefined)[] = [];
  let bytes = 0;
  let tooLarge = 0;
  return {
    begin: (call) => {
      const place = calls.push(undefined) - 1;
      const pieces: { readonly bytes: Uint8Array; readonly afterMs: number }[] = [];
      let head: Pick<RecordedCall['response'], 'status' | 'headers'> | undefined;
      let before = clock.monotonic();
      return {
        head: (status, headers) => {
          head = { status, headers: keptHeaders(headers) };
        },
        piece: (piece) => {
          const now = clock.monotonic();
          bytes += piece.length;
          if (bytes <= mostBytes) pieces.push({ bytes: piece, afterMs: Math.round(now - before) });
          before = now;
        },
        end: (how, folded) => {
          if (bytes > mostBytes) tooLarge += 1;
          else if (head !== undefined)
            calls[place] = {
              ...requestOf(call, redactor),
              response: { ...head, pieces: cleanPieces(pieces, redactor), end: how },
              usage: folded.usage,
              ...(folded.model === undefined ? {} : { model: folded.model }),
            };
        },
      };
    },
    recorded: () => ({ calls: calls.filter((call) => call !== undefined), tooLarge }),
  };
}

function requestOf(call: ModelCall, redactor: Redactor): Omit<RecordedCall, 'response' | 'usage'> {
  const { caller, number, dialect, request, wire } = call;
  const parts = redactValues(requestParts(call), redactor);
  return {
    caller,
    call: number,
    dialect: dialect.name,
    streamed: request.stream,
    request: { path: wire.path, ...parts },
  };
}

/** A header that is not about the answer itself may say whose key it was. */
function keptHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => ofTheAnswer.test(name)));
}

const ofTheAnswer =
  /^(?:content-type|content-encoding|cache-control|retry-after(?:-ms)?|request-id|x-request-id|x-should-retry|(?:x|anthropic)-ratelimit-.*)$/;
