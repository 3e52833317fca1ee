/** Converts a line of a third party's script, as written, into plain data for the peer. */
import type { PeerLineDocument } from '../document/peer-line-document.ts';
import { given } from './build-model-line.ts';
import { durationMs } from './duration-ms.ts';

type CallbackDocument = Exclude<NonNullable<PeerLineDocument['callback']>, unknown[]>;

/** In the form of `PeerLine` in `resources/http`. */
export function buildPeerLine(line: PeerLineDocument): Readonly<Record<string, unknown>> {
  const { answer, callback, ...same } = line;
  return given({
    ...same,
    answer: answer && timed(answer),
    callbacks: callback && (Array.isArray(callback) ? callback : [callback]).map(timed),
  });
}

function timed({ after, ...rest }: { after?: string | undefined } | CallbackDocument): unknown {
  return given({ ...rest, afterMs: after === undefined ? undefined : durationMs(after, 0) });
}
