/** What a trial says about itself: what it protects, what it would catch, who wrote it, and whether anybody has seen it red. */
import type { SuiteFault } from './suite-fault.ts';

export interface Explanation {
  /** The contract that it protects. */
  readonly protects?: string;
  /** The failure that it would catch. */
  readonly catches?: string;
  /** A tool wrote it, so that nobody can be asked what it is for. */
  readonly generated?: true;
  /** It is meant to keep a fault from coming back. */
  readonly regression?: Regression;
}

export interface Regression {
  /** The revision on which it was seen to fail; null while nobody has. */
  readonly shownRedOn: string | null;
}

/** These parts of something larger, without keys that it does not have. */
export function explanationOf({ protects, catches, generated, regression }: Explanation): Explanation {
  return {
    ...(protects === undefined ? {} : { protects }),
    ...(catches === undefined ? {} : { catches }),
    ...(generated === undefined ? {} : { generated }),
    ...(regression === undefined ? {} : { regression }),
  };
}

/** A trial that a tool wrote is trusted only when a person can read what it is for. */
export function explanationFaults({ generated, protects, catches }: Explanation): SuiteFault[] {
  const missing = [
    ...(protects === undefined ? ['`protects` (the contract that it protects)'] : []),
    ...(catches === undefined ? ['`catches` (the failure that it would catch)'] : []),
  ];
  if (!generated || missing.length === 0) return [];
  return [
    {
      kind: 'generated-unexplained',
      text: `it was generated, and nobody can say what it is for: add ${missing.join(' and ')}`,
    },
  ];
}
