/** Converts a line of a third party's script, as written, into plain data for the peer. */
import { defined } from '../../kernel/defined.ts';
import { maybeMs } from '../../kernel/duration.ts';
import type { PeerLineDocument } from '../document/peer-line-document.ts';

type CallbackDocument = Exclude<NonNullable<PeerLineDocument['callback']>, unknown[]>;

/** In the form of `PeerLine` in `resources/http`. */
export function buildPeerLine(line: PeerLineDocument): Readonly<Record<string, unknown>> {
  const { answer, callback, ...same } = line;
  return defined({
    ...same,
    answer: answer && timed(answer),
    callbacks: callback && [callback].flat().map(timed),
  });
}

function timed({ after, ...rest }: { after?: string | undefined } | CallbackDocument): unknown {
  return defined({ ...rest, afterMs: maybeMs(after) });
}
