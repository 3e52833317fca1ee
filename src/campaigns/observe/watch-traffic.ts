/** Looks at all edges again and again: on a connection that stays open, nothing else tells that something passed. */
import type { Traffic } from '../../environment/keeper/describe-traffic.ts';
import type { EdgeTraffic } from '../../journal/observation.ts';
import { edgeName } from '../../kernel/edge-name.ts';
import type { Stage } from '../../trials/perform/stage.ts';
import type { Moment } from './attribute-moments.ts';
import { observeLimits } from './observe-limits.ts';

export interface TrafficWatch {
  /** On the keeper's journal. */
  readonly beganAt: number;
  /** From the keeper's journal to wall time. */
  toWall(at: number): number;
  end(): Promise<BytesSeen>;
}

export interface BytesSeen {
  /** All of them, with what has passed since the beginning. */
  readonly edges: ReadonlyArray<Pick<EdgeTraffic, 'from' | 'to' | 'bytesSent' | 'bytesReceived'>>;
  readonly moments: readonly Moment[];
}

/** `told` are edges whose calls are told one by one: no moments are kept of them. */
export async function watchTraffic(stage: Stage, told: ReadonlySet<string>): Promise<TrafficWatch> {
  const { clock } = stage;
  const asked = clock.now();
  const first = await stage.ask('traffic', {});
  // It was answered somewhere between question and answer; the middle is as near as can be known.
  const offset = (asked + clock.now()) / 2 - first.at;
  const moments: Moment[] = [];
  let last = first;
  let isOver = false;
  const look = async (): Promise<void> => {
    const now = await stage.ask('traffic', {});
    const between = { from: last.at + offset, to: now.at + offset };
    for (const edge of busyEdges(last, now))
      if (!told.has(edge) && moments.length < observeLimits.moments) moments.push({ edge, ...between });
    last = now;
  };
  const looking = (async () => {
    while (!isOver) {
      await clock.sleep(observeLimits.lookEveryMs);
      await look();
    }
  })().catch(() => 'the environment is gone; whoever asks it next hears of it');
  return {
    beganAt: first.at,
    toWall: (at) => at + offset,
    end: async () => {
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

/** Taps stay as they were opened, in the same order. */
function passedSince(before: Traffic, now: Traffic): Traffic['edges'] {
  return now.edges.map((edge, index) => ({
    ...edge,
    bytesSent: edge.bytesSent - (before.edges[index]?.bytesSent ?? 0),
    bytesReceived: edge.bytesReceived - (before.edges[index]?.bytesReceived ?? 0),
  }));
}
