/** Plays a recording: each call gets what the same call got when it was recorded, or hears what has changed. */
import { isDeepStrictEqual } from 'node:util';
import type { PeerUnused } from '../../../journal/peer-event.ts';
import { redactValues } from '../../../journal/redact-values.ts';
import type { Redactor } from '../../../journal/redaction.ts';
import { mapTexts } from '../../../kernel/references.ts';
import { createEventsFold } from '../../../protocols/shapes/answer-forms.ts';
import { printSse } from '../../../protocols/sse/print-sse.ts';
import type { Dialect } from '../../../protocols/turn/dialect.ts';
import type { FoldedTurn, TurnPart } from '../../../protocols/turn/turn.ts';
import { changedPieces, type RawPiece, sentPieces } from '../../cassette/recorded-pieces.ts';
import { RenamedIds } from '../../cassette/renamed-ids.ts';
import type { CallOutcome, ModelCall, ModelPlayer } from '../model-call.ts';
import { refuseCall } from '../refuse-call.ts';
import { callIdsIn, withoutCallIds } from './call-ids.ts';
import { type ModelCassette, type RecordedCall, type RequestParts, requestParts } from './cassette.ts';
import { addressDrift, explainDrift } from './explain-drift.ts';
import { renamedStream } from './rename-stream.ts';

interface CassettePart {
  readonly cassette: ModelCassette;
  readonly timing: 'original' | 'compressed';
  readonly resource: string;
  /** The one with which it was recorded: both sides are compared without their secrets. */
  readonly redactor: Redactor;
  emit(event: PeerUnused): void;
}

export function playCassette({ cassette, timing, resource, emit, redactor }: CassettePart): ModelPlayer {
  const left = [...cassette.calls];
  const ids = knownIds(cassette);
  const recordAgain = `record it again: shakedown record ${cassette.trial}`;
  return {
    answer: (call) => {
      const parts = redactValues(requestParts(call), redactor);
      const { found, drift, isCertain } = findCall(call, parts, left, ids);
      if (found === undefined) {
        const count = cassette.calls.filter(({ caller }) => caller === call.caller).length;
        const what = `the recording has ${count} calls of ${call.caller}, and all have been played; ${recordAgain}`;
        return refuseCall(call, { kind: 'drift', what });
      }
      left.splice(left.indexOf(found), 1);
      if (drift.length > 0)
        return refuseCall(call, { kind: 'drift', what: `${drift.join('; ')}; ${recordAgain}` });
      ids.texts.learn(idParts(found.request), idParts(parts), isCertain);
      ids.calls.learn(callIdsIn(found.request.messages), callIdsIn(parts.messages), isCertain);
      return replay(call, found, timing, ids.texts);
    },
    unused: () => left.length,
    settle: async () => {
      for (const { caller, call, response } of left) {
        const what = `a recorded answer with status ${response.status}; ${recordAgain}`;
        emit({ type: 'peer.unused', resource, caller, line: call, what });
      }
    },
  };
}

export interface KnownIds {
  readonly texts: RenamedIds;
  /** Of tool calls, whatever they look like. */
  readonly calls: RenamedIds<readonly string[]>;
}

/** An id of a call that a recorded answer has is sent again, and means that very call; the client chose the others. */
export function knownIds({ calls }: Pick<ModelCassette, 'calls'>): KnownIds {
  const answers = calls.map(({ response }) => textOf(sentPieces(response.pieces))).join('\n');
  const sent = calls.flatMap(({ request }) => callIdsIn(request.messages));
  const given = [...new Set(sent)].filter((id) => answers.includes(JSON.stringify(id)));
  const ids = { texts: new RenamedIds(), calls: new RenamedIds<readonly string[]>((list) => list) };
  ids.calls.learn(given, given);
  return ids;
}

interface Found {
  readonly found: RecordedCall | undefined;
  readonly drift: readonly string[];
  /** It could not have been meant for another one. */
  readonly isCertain: boolean;
}

/** The caller's next one; for concurrent calls, one that is identical, with the ids mapped to each other. */
export function findCall(
  call: Pick<ModelCall, 'caller' | 'dialect' | 'wire' | 'request'>,
  parts: RequestParts,
  left: readonly RecordedCall[],
  ids: KnownIds,
): Found {
  const own = left.filter(({ caller }) => caller === call.caller);
  const driftOf = (recorded: RecordedCall): readonly string[] => [
    ...(recorded.dialect === call.dialect.name
      ? []
      : [`the dialect changed from ${recorded.dialect} to ${call.dialect.name}`]),
    ...explainDrift(recorded.request, parts),
    ...(recorded.dialect === call.dialect.name ? addressDrift(recorded, call) : []),
  ];
  const [next] = own;
  if (next === undefined) return { found: undefined, drift: [], isCertain: false };
  const alike = own.filter((recorded) => driftOf(recorded).length === 0);
  const [first] = alike;
  if (first === undefined) return { found: next, drift: driftOf(next), isCertain: false };
  const objectionTo = ({ request }: RecordedCall, certain: boolean): string | undefined =>
    ids.texts.objection(idParts(request), idParts(parts), certain) ??
    ids.calls.objection(callIdsIn(request.messages), callIdsIn(parts.messages), certain);
  const isCertain = alike.length === 1;
  const found =
    alike.find((recorded) => objectionTo(recorded, false) === undefined) ??
    // Which of several calls side by side was which may have been guessed wrongly.
    alike.find((recorded) => objectionTo(recorded, true) === undefined);
  return found
    ? { found, drift: [], isCertain }
    : { found: first, drift: [`an id changed: ${objectionTo(first, true)}`], isCertain };
}

function idParts({ prompt, messages, parameters }: RequestParts): readonly unknown[] {
  return [prompt.text, withoutCallIds(messages), parameters];
}

function textOf(pieces: readonly RawPiece[]): string {
  return Buffer.concat(pieces.map(({ bytes }) => bytes)).toString('latin1');
}

async function replay(
  { reply, dialect }: ModelCall,
  { response, usage, model, streamed }: RecordedCall,
  timing: CassettePart['timing'],
  ids: RenamedIds,
): Promise<CallOutcome> {
  const { status, headers, end } = response;
  const recorded = sentPieces(response.pieces);
  const isStream = streamed && headers['content-type']?.startsWith('text/event-stream') === true;
  const pieces = renamedAnswer(recorded, isStream, dialect, ids);
  // A consumer that repeats an id that was introduced here means that very id.
  ids.learnOwn(textOf(recorded));
  await reply.answer({
    status,
    headers,
    pieces: pieces.map(({ bytes, afterMs }) => ({
      bytes,
      ...(timing === 'original' && afterMs > 0 ? { afterMs } : {}),
    })),
    end,
  });
  return { status, usage, ...(model === undefined ? {} : { model }) };
}

/** In a stream an id may span several events; where it cannot be replaced there, the turn is reprinted in the plain form. */
function renamedAnswer(
  pieces: readonly RawPiece[],
  isStream: boolean,
  dialect: Dialect,
  ids: RenamedIds,
): readonly RawPiece[] {
  const changed = changedPieces(pieces, (bytes) => ids.rename(bytes));
  if (!isStream) return changed;
  const recorded = folded(pieces, dialect);
  const parts = mapTexts(recorded.parts, (text) => ids.rename(text)) as readonly TurnPart[];
  if ([recorded, folded(changed, dialect)].some((turn) => isDeepStrictEqual(turn.parts, parts)))
    return changed;
  const stream = Buffer.concat(pieces.map(({ bytes }) => bytes)).toString();
  const renamed = renamedStream(stream, (text) => ids.rename(text));
  const whole = renamed === undefined ? [] : [{ bytes: Buffer.from(renamed), afterMs: 0 }];
  if (isDeepStrictEqual(folded(whole, dialect).parts, parts)) return whole;
  const turn = {
    parts,
    stop: recorded.stop ?? 'end',
    ...(recorded.usage === null ? {} : { usage: recorded.usage }),
  };
  const about = {
    id: recorded.id ?? '',
    model: recorded.model ?? 'unknown',
    createdAt: 0,
    wantsUsage: recorded.usage !== null,
    pieceChars: 20,
  };
  return dialect
    .printEvents(turn, about)
    .map((event) => ({ bytes: Buffer.from(printSse(event)), afterMs: 0 }));
}

function folded(pieces: readonly RawPiece[], dialect: Dialect): FoldedTurn {
  const fold = createEventsFold({ dialect, status: 200, headers: {} });
  for (const { bytes } of pieces) fold.push(bytes);
  return fold.end('end');
}
