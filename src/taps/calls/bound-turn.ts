/** Cuts a turn to what is kept of one. */
import type { TurnEvidence } from '../../journal/turn-evidence.ts';
import { callLimits } from './call-limits.ts';
import type { SeenTurn } from './turn-watch.ts';

/** A turn that is cut is not complete, so that nobody takes its beginning for all of it. */
export function boundTurn(turn: TurnEvidence): SeenTurn {
  const size = turn.text.length + (turn.reasoning?.length ?? 0) + JSON.stringify(turn.calls).length;
  if (size <= callLimits.turnChars) return { turn };
  const cut = (text: string): string => text.slice(0, callLimits.turnChars >> 2);
  let room = callLimits.turnChars >> 2;
  const calls = turn.calls.flatMap(({ id, name, arguments: given, argumentsText }) => {
    const text = argumentsText ?? JSON.stringify(given ?? {});
    room -= text.length;
    return room < 0 ? [] : [{ id, name, argumentsText: text }];
  });
  const reasoning = turn.reasoning === undefined ? {} : { reasoning: cut(turn.reasoning) };
  return { turn: { ...turn, complete: false, text: cut(turn.text), ...reasoning, calls }, tooLarge: true };
}
