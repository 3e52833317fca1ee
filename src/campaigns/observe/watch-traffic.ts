/** Polls all edges: on a connection that stays open, nothing else shows traffic. */
import type { Traffic } from '../../environment/keeper/messages.ts';
import type { EdgeTraffic } from '../../journal/observation.ts';
import { edgeName } from '../../kernel/edge-name.ts';
import type { LiveEnvironment } from '../../trials/perform/live-environment.ts';
import type { Moment } from './attribute-moments.ts';
import { observeLimits } from './junit/observe-limits.ts';

export interface BytesSeen {
  /** All edges, with the traffic since the beginning. */
  readonly edges: ReadonlyArray<Pick<EdgeTraffic, 'from' | 'to' | 'bytesSent' | 'bytesReceived'>>;
  readonly moments: readonly Moment[];
}

/** Edges in `watched` report each call: no moments are kept for them. */
export async function watchTraffic(environment: LiveEnvironment, watched: ReadonlySet<string>) {
  const { clock } = environment;
  const asked = clock.now();
  const first = await environment.ask('traffic', {});
  // The answer was created between request and response; the middle is the best estimate.
  const offset = (asked + clock.now()) / 2 - first.at;
  const moments: Moment[] = [];
  let last = first;
  let isOver = false;
  const look = async (): Promise<void> => {
    const now = await environment.ask('traffic', {});
    const between = { from: last.at + offset, to: now.at + offset };
    for (const edge of busyEdges(last, now))
      if (!watched.has(edge) && moments.length < observeLimits.moments) moments.push({ edge, ...between });
    last = now;
  };
  const looking = (async () => {
    while (!isOver) {
      await clock.sleep(observeLimits.lookEveryMs);
      await look();
    }
  })().catch(() => undefined); // the environment is gone; whoever asks it next hears of it
  return {
    /** Time in the keeper's journal. */
    beganAt: first.at,
    /** Converts a time of the keeper's journal to wall time. */
    toWall: (at: number) => at + offset,
    end: async (): Promise<BytesSeen> => {
      isOver = true;
      await looking;
      await look();
      return { edges: passedSince(first, last), moments };
    },
  };
}

function busyEdges(before: Traffic, now: Traffic): readonly string[] {
  return passedSince(before, now)
    .filter(({ bytesSent, bytesReceived }) => bytesSent + bytesReceived > 0)
    .map(({ from, to }) => edgeName(`${from} -> ${to}`));
}

/** Taps stay open, in the same order. */
function passedSince(before: Traffic, now: Traffic): Traffic['edges'] {
  return now.edges.map((edge, index) => ({
    ...edge,
    bytesSent: edge.bytesSent - (before.edges[index]?.bytesSent ?? 0),
    bytesReceived: edge.bytesReceived - (before.edges[index]?.bytesReceived ?? 0),
  }));
}
