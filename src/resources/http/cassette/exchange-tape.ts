/** Records what passes between consumers and a real third party; credentials are removed before anything is written. */
import { createRedactor } from '../../../journal/redaction.ts';
import { isSecretField, secretsInFields } from '../../../journal/secret-fields.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { exactJsonOr } from '../../../kernel/exact-json.ts';
import { cleanHeaders } from '../../cassette/recorded-headers.ts';
import { cleanPieces, type RawPiece } from '../../cassette/recorded-pieces.ts';
import { openTape, type Tape, type TapedAnswer, type TapedCall } from '../../cassette/tape.ts';
import type { Variables } from '../../resource.ts';
import type { WireRequest } from '../../wire/wire-server.ts';
import { peerLimits } from '../peer-limits.ts';
import {
  cleanParts,
  type ExchangeParts,
  exchangeParts,
  type RecordedExchange,
  secretsInParts,
} from './exchange-parts.ts';

export interface ExchangeTape extends Pick<Tape<unknown, void>, 'tooLarge'> {
  begin(caller: string, request: WireRequest): TapedAnswer<void>;
  /** Those that came to an end, in the order in which they began. */
  recorded(): readonly RecordedExchange[];
}

interface Asked {
  readonly caller: string;
  readonly number: number;
  readonly parts: ExchangeParts;
}

type Taped = TapedCall<Asked, void>;

export function exchangeTape(clock: Clock, secrets: Variables): ExchangeTape {
  const tape = openTape<Asked, void>(clock, { bytes: peerLimits.tapeBytes, calls: peerLimits.tapeCalls });
  const counts = new Map<string, number>();
  return {
    begin: (caller, request) => {
      const number = (counts.get(caller) ?? 0) + 1;
      counts.set(caller, number);
      return tape.begin({ caller, number, parts: exchangeParts(request) }, request.body.length);
    },
    recorded: () => cleaned(tape.ended(), secrets),
    tooLarge: tape.tooLarge,
  };
}

/** At the end, because a token that one answer gave may be in a request before it was known to be one. */
function cleaned(taped: readonly Taped[], secrets: Variables): readonly RecordedExchange[] {
  const redactor = createRedactor([...Object.entries(secrets), ...learnedSecrets(taped, secrets)]);
  return taped.map(({ call: { caller, number, parts }, status, headers, pieces, end }) => ({
    caller,
    call: number,
    request: cleanParts(parts, redactor),
    response: {
      status,
      headers: cleanHeaders(ofTheAnswer(headers), redactor),
      pieces: cleanPieces(pieces, redactor),
      end,
    },
  }));
}

/**
 * What was sent or given in a field whose name says what it is. Of those that the real one gave, a second value of the same name
 * gets a number, so that they are distinct; what a consumer makes up differs in every run, and has only its name.
 */
function learnedSecrets(taped: readonly Taped[], secrets: Variables): readonly (readonly [string, string])[] {
  const known = new Set(Object.values(secrets));
  const learned: (readonly [string, string])[] = [];
  const counts = new Map<string, number>();
  const learn = (name: string, secret: string): void => {
    known.add(secret);
    learned.push([name, secret]);
  };
  for (const { call, pieces } of taped) {
    for (const [name, secret] of secretsInParts(call.parts)) if (!known.has(secret)) learn(name, secret);
    for (const [name, secret] of secretsInFields(answerJson(pieces))) {
      if (known.has(secret)) continue;
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      learn(count === 1 ? name : `${name}.${count}`, secret);
    }
  }
  return learned;
}

/** An answer that is not JSON has no fields. */
function answerJson(pieces: readonly RawPiece[]): unknown {
  return exactJsonOr(Buffer.concat(pieces.map(({ bytes }) => bytes)).toString(), undefined);
}

/** Headers about the connection, the machine or the date, and credentials, are not part of the answer. */
function ofTheAnswer(headers: Taped['headers']): Taped['headers'] {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !notOfTheAnswer.test(name) && !isSecretField(name)),
  );
}

const notOfTheAnswer =
  /^(?:set-cookie2?|date|age|server|via|alt-svc|nel|report-to|reporting-endpoints|strict-transport-security|x-powered-by|x-served-by|x-runtime|cf-.*)$/;
