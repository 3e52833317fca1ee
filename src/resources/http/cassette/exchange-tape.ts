/** Records what passes between consumers and a real third party; credentials are removed before anything is written. */

import { fromOutside } from '../../../journal/outside-text.ts';
import { createRedactor, type Redactor } from '../../../journal/redaction.ts';
import { isSecretField, secretsInFields } from '../../../journal/secret-fields.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { exactJsonOr } from '../../../kernel/exact-json.ts';
import type { RecordedResponse } from '../../cassette/cassette.ts';
import { cleanPieces, type RawPiece } from '../../cassette/recorded-pieces.ts';
import type { WireRequest } from '../../wire/wire-server.ts';
import { peerLimits } from '../peer-limits.ts';
import { cleanParts, type ExchangeParts, exchangeParts, secretsInParts } from './exchange-parts.ts';
import type { RecordedExchange } from './recorded-exchange.ts';

export interface ExchangeTape {
  begin(caller: string, request: WireRequest): TapedExchange;
  /** Those that came to an end, in the order in which they began. */
  recorded(): readonly RecordedExchange[];
  readonly isTooLarge: boolean;
}

export interface TapedExchange {
  head(status: number, headers: Readonly<Record<string, string>>): void;
  piece(bytes: Uint8Array): void;
  end(how: RecordedResponse['end']): void;
}

type Secrets = Readonly<Record<string, string | undefined>>;

interface RawExchange {
  readonly caller: string;
  readonly call: number;
  readonly parts: ExchangeParts;
  readonly pieces: RawPiece[];
  status: number;
  headers: Readonly<Record<string, string>>;
  end?: RecordedResponse['end'];
}

export function exchangeTape(clock: Clock, secrets: Secrets): ExchangeTape {
  const raw: RawExchange[] = [];
  const counts = new Map<string, number>();
  let bytes = 0;
  const isTooLarge = (): boolean => bytes > peerLimits.tapeBytes || raw.length > peerLimits.tapeCalls;
  return {
    begin: (caller, request) => {
      const call = (counts.get(caller) ?? 0) + 1;
      counts.set(caller, call);
      const exchange: RawExchange = {
        caller,
        call,
        parts: exchangeParts(request),
        pieces: [],
        status: 0,
        headers: {},
      };
      bytes += request.body.length;
      if (!isTooLarge()) raw.push(exchange);
      let before = clock.monotonic();
      return {
        head: (status, headers) => {
          exchange.status = status;
          exchange.headers = keptHeaders(headers);
        },
        piece: (piece) => {
          const now = clock.monotonic();
          bytes += piece.length;
          if (!isTooLarge()) exchange.pieces.push({ bytes: piece, afterMs: Math.round(now - before) });
          before = now;
        },
        end: (how) => {
          exchange.end = how;
        },
      };
    },
    recorded: () => cleaned(raw, secrets),
    get isTooLarge() {
      return isTooLarge();
    },
  };
}

/** At the end, because a token that one answer gave may be in a request before it was known to be one. */
function cleaned(raw: readonly RawExchange[], secrets: Secrets): readonly RecordedExchange[] {
  const redactor = createRedactor([...Object.entries(secrets), ...learnedSecrets(raw, secrets)]);
  return raw.flatMap(({ caller, call, parts, pieces, status, headers, end }) =>
    end === undefined
      ? []
      : [
          {
            caller,
            call,
            request: cleanParts(parts, redactor),
            response: {
              status,
              headers: cleanHeaders(headers, redactor),
              pieces: cleanPieces(pieces, redactor),
              end,
            },
          },
        ],
  );
}

/**
 * What was sent or given in a field whose name says what it is. Of those that the real one gave, a second value of the same name
 * gets a number, so that they are distinct; what a consumer makes up differs in every run, and has only its name.
 */
function learnedSecrets(
  raw: readonly RawExchange[],
  secrets: Secrets,
): readonly (readonly [string, string])[] {
  const known = new Set(Object.values(secrets));
  const learned: (readonly [string, string])[] = [];
  const counts = new Map<string, number>();
  const learn = (name: string, secret: string): void => {
    known.add(secret);
    learned.push([name, secret]);
  };
  for (const { parts, pieces } of raw) {
    for (const [name, secret] of secretsInParts(parts)) if (!known.has(secret)) learn(name, secret);
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
function keptHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !notOfTheAnswer.test(name) && !isSecretField(name)),
  );
}

const notOfTheAnswer =
  /^(?:set-cookie2?|date|age|server|via|alt-svc|nel|report-to|reporting-endpoints|strict-transport-security|x-powered-by|x-served-by|x-runtime|cf-.*)$/;

function cleanHeaders(
  headers: Readonly<Record<string, string>>,
  redactor: Redactor,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, redactor.redact(fromOutside(value))]),
  );
}
