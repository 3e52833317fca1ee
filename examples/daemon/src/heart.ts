/** Counts heartbeats and records them. */
import type { Parts } from './parts.ts';
import type { Stimulus } from './pipeline/sense.ts';

export interface Heart {
  beat(stimulus: Stimulus, parts: Parts): void;
  readonly beats: number;
}

export function createHeart(): Heart {
  let beats = 0;
  return {
    beat(stimulus, parts) {
      beats += 1;
      parts.events.write({ ...stimulus, outcome: 'recorded' });
    },
    get beats() {
      return beats;
    },
  };
}
