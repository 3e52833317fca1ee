/** How much has crossed each edge, to find out which were used in a period. */
import type { EnvironmentContext } from '../environment-context.ts';

export interface Traffic {
  /** The time of this answer, in milliseconds on the keeper's journal. */
  readonly at: number;
  readonly edges: ReadonlyArray<{
    readonly from: string;
    readonly to: string;
    readonly bytesSent: number;
    readonly bytesReceived: number;
  }>;
}

export function describeTraffic({ book, clock, at }: EnvironmentContext): Traffic {
  return {
    edges: book.taps.map(({ tap }) => {
      const { bytesSent, bytesReceived } = tap.stats();
      return { from: tap.from, to: tap.to, bytesSent, bytesReceived };
    }),
    at: at?.() ?? clock.monotonic(),
  };
}
