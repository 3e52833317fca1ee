/** Sends an answer that is given as bytes, with its pauses and its end. */
import type { RequestHead, ResponseHead } from '../../protocols/http/http-message.ts';
import { mediaKind } from '../../protocols/http/media-type.ts';
import type { WireAnswer } from '../../protocols/shapes/shape.ts';
import type { EditedPart, Move } from './exchange-edit.ts';
import { Framing, wholeResponse } from './framing.ts';

/** `what` is felt when all of it has arrived that is to arrive. */
export function wireResponse(
  request: RequestHead,
  answer: WireAnswer,
  what: string,
): readonly EditedPart<ResponseHead>[] {
  const { status, headers, pieces, end } = answer;
  if (isOneBody(answer)) {
    const body = Buffer.concat(pieces.map(({ bytes }) => bytes));
    const edited = wholeResponse(request, status, headers, body);
    return edited.toSpliced(
      edited.findIndex((one) => 'is' in one && one.is === 'end'),
      0,
      { do: 'felt', what },
    );
  }
  const framing = new Framing(request);
  return [
    framing.newHead(status, headers),
    ...wirePieces(answer, what).flatMap<EditedPart<ResponseHead>>((one) =>
      'do' in one ? one : framing.body(one),
    ),
    ...(end === 'whole' ? framing.end() : []),
  ];
}

/** The body with its pauses, and how it ends where that is not as HTTP demands. */
export function wirePieces({ pieces, end }: WireAnswer, what: string): readonly (Buffer | Move)[] {
  const felt: Move = { do: 'felt', what };
  const sent = pieces.flatMap(({ bytes, afterMs }): (Buffer | Move)[] => [
    ...(afterMs === undefined ? [] : [{ do: 'wait', ms: afterMs } as const]),
    Buffer.from(bytes),
  ]);
  // A client may leave at the last event of a stream, before its end has come.
  if (end === 'whole') return [...sent.slice(0, -1), { do: 'arrive', what }, ...sent.slice(-1), felt];
  return end === 'hang' ? [...sent, felt, { do: 'hold' }] : [...sent, { do: 'cut', by: end, what }];
}

function isOneBody({ pieces, headers, end }: WireAnswer): boolean {
  const isStream = mediaKind(headers['content-type']) === 'events';
  return end === 'whole' && !isStream && pieces.every(({ afterMs }) => afterMs === undefined);
}
