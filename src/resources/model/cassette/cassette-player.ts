/** Plays a recording: each call gets what the same call got when it was recorded. */

import type { PeerUnused } from '../../../journal/peer-event.ts';
import { redactValues } from '../../../journal/redact-values.ts';
import type { Redactor } from '../../../journal/redaction.ts';
import { bytesOf } from '../../cassette/recorded-pieces.ts';
import type { CallOutcome, ModelCall, ModelPlayer } from '../model-call.ts';
import { refuseCall } from '../refuse-call.ts';
import type { ModelCassette, RecordedCall } from './cassette.ts';
import { explainDrift } from './explain-drift.ts';
import { requestParts } from './request-parts.ts';

export interface CassettePart {
  readonly cassette: ModelCassette;
  readonly timing: 'original' | 'compressed';
  readonly resource: string;
  /** The one with which it was recorded: both sides are compared without their secrets. */
  readonly redactor: Redactor;
  emit(event: PeerUnused): void;
}

export function playCassette({ cassette, timing, resource, emit, redactor }: CassettePart): ModelPlayer {
  const left = [...cassette.calls];
  const recordAgain = `record it again: shakedown record ${cassette.trial}`;
  return {
    answer: (call) => {
      const { found, drift } = findCall(call, left, redactor);
      if (found === undefined) {
        const count = cassette.calls.filter(({ caller }) => caller === call.caller).length;
        const what = `the recording has ${count} calls of ${call.caller}, and all have been played; ${recordAgain}`;
        return refuseCall(call, { kind: 'drift', what });
      }
      left.splice(left.indexOf(found), 1);
      if (drift.length === 0) return replay(call, found, timing);
      return refuseCall(call, { kind: 'drift', what: `${drift.join('; ')}; ${recordAgain}` });
    },
    settle: async () => {
      for (const { caller, call, response } of left) {
        const what = `a recorded answer with status ${response.status}; ${recordAgain}`;
        emit({ type: 'peer.unused', resource, caller, line: call, what });
      }
    },
  };
}

interface Found {
  readonly found: RecordedCall | undefined;
  readonly drift: readonly string[];
}

/** The caller's next one; where calls ran side by side, one that is the very same. */
function findCall(call: ModelCall, left: readonly RecordedCall[], redactor: Redactor): Found {
  const own = left.filter(({ caller }) => caller === call.caller);
  const parts = redactValues(requestParts(call), redactor);
  const driftOf = (recorded: RecordedCall): readonly string[] => [
    ...(recorded.dialect === call.dialect.name
      ? []
      : [`the dialect changed from ${recorded.dialect} to ${call.dialect.name}`]),
    ...explainDrift(recorded.request, parts),
  ];
  const [next] = own;
  if (next === undefined) return { found: undefined, drift: [] };
  const drift = driftOf(next);
  if (drift.length === 0) return { found: next, drift };
  const same = own.find((recorded) => driftOf(recorded).length === 0);
  return same === undefined ? { found: next, drift } : { found: same, drift: [] };
}

async function replay(
  { reply }: ModelCall,
  { response, usage, model }: RecordedCall,
  timing: CassettePart['timing'],
): Promise<CallOutcome> {
  const { status, headers, pieces, end } = response;
  await reply.answer({
    status,
    headers,
    pieces: pieces.map((piece) => ({
      bytes: bytesOf(piece),
      ...(timing === 'original' && piece.afterMs > 0 ? { afterMs: piece.afterMs } : {}),
    })),
    end,
  });
  return { status, usage, ...(model === undefined ? {} : { model }) };
}
