/** A recorded answer with the ids of now: what tools and services gave then is another one in this attempt. */
import { isDeepStrictEqual } from 'node:util';
import { mapTexts } from '../../../kernel/references.ts';
import { createEventsFold } from '../../../protocols/shapes/answer-forms.ts';
import { printSse } from '../../../protocols/sse/print-sse.ts';
import type { Dialect } from '../../../protocols/turn/dialect.ts';
import type { FoldedTurn, TurnPart } from '../../../protocols/turn/turn.ts';
import { changedPieces, type RawPiece } from '../../cassette/recorded-pieces.ts';
import type { RenamedIds } from '../../cassette/renamed-ids.ts';

/** In a stream an id may span several events; where that hides it, the turn is reprinted in the plain form. */
export function renamedAnswer(
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
