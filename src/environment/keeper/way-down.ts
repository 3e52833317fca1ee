/** The single teardown: the first request starts it; later ones wait for the same end, and may force it. */
import type { StopCause } from '../../journal/event.ts';
import { clearAway } from './clear-away.ts';
import type { KeeperParts } from './keeper-parts.ts';
import type { DownResult } from './messages.ts';

export interface Reason {
  readonly cause: StopCause;
  readonly because: string;
  /** Skips the graceful shutdown. */
  readonly forceStop?: boolean;
  readonly errors?: readonly unknown[];
}

export function openWayDown(parts: () => KeeperParts) {
  const ended = Promise.withResolvers<DownResult>();
  let begun = false;
  return {
    begun: () => begun,
    /** Settles when the teardown is complete. */
    ended: ended.promise,
    take: (reason: Reason): Promise<DownResult> => {
      const { forceStop = false, errors = [] } = reason;
      if (begun && forceStop) parts().environment.forceStop();
      if (!begun) {
        begun = true;
        clearAway({ ...parts(), ...reason, forceStop, errors }).then(ended.resolve, ended.reject);
      }
      return ended.promise;
    },
  };
}

export type WayDown = ReturnType<typeof openWayDown>;
