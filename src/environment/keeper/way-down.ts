/** The one way down: whoever asks first starts it, everybody else waits for the same end. */
import { clearAway } from './clear-away.ts';
import type { KeeperParts } from './keeper-parts.ts';
import type { DownResult } from './messages.ts';

export interface WayDown {
  readonly begun: () => boolean;
  take(how: {
    readonly because: string;
    readonly hurry?: boolean;
    readonly errors?: readonly unknown[];
  }): Promise<DownResult>;
  /** Settles when the way down has come to its end. */
  readonly ended: Promise<DownResult>;
}

export function openWayDown(parts: () => KeeperParts): WayDown {
  const ended = Promise.withResolvers<DownResult>();
  let begun = false;
  return {
    begun: () => begun,
    ended: ended.promise,
    take: ({ because, hurry = false, errors = [] }) => {
      if (!begun) {
        begun = true;
        clearAway({ ...parts(), because, hurry, errors }).then(ended.resolve, ended.reject);
      }
      return ended.promise;
    },
  };
}
