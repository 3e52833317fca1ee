/** The one way down: whoever asks first starts it, everybody else waits for the same end, and may make it faster. */
import type { StopCause } from '../../journal/event.ts';
import { clearAway } from './clear-away.ts';
import type { KeeperParts } from './keeper-parts.ts';
import type { DownResult } from './messages.ts';

export interface Reason {
  readonly cause: StopCause;
  readonly because: string;
  /** Leaves no time for goodbyes. */
  readonly hurry?: boolean;
  readonly errors?: readonly unknown[];
}

export interface WayDown {
  readonly begun: () => boolean;
  take(reason: Reason): Promise<DownResult>;
  /** Settles when the way down has come to its end. */
  readonly ended: Promise<DownResult>;
}

export function openWayDown(parts: () => KeeperParts): WayDown {
  const ended = Promise.withResolvers<DownResult>();
  let begun = false;
  return {
    begun: () => begun,
    ended: ended.promise,
    take: (reason) => {
      const { hurry = false, errors = [] } = reason;
      if (begun && hurry) parts().environment.hurry();
      if (!begun) {
        begun = true;
        clearAway({ ...parts(), ...reason, hurry, errors }).then(ended.resolve, ended.reject);
      }
      return ended.promise;
    },
  };
}
