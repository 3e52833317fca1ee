/** What a trial says about itself: what it protects and would catch, its author, and whether it was seen failing. */
import { defined } from '../kernel/defined.ts';
import type { SuiteFault } from './verdict.ts';

export interface Explanation {
  /** The contract that it protects. */
  readonly protects?: string;
  /** The failure that it would catch. */
  readonly catches?: string;
  /** A tool wrote it, so its purpose must be stated. */
  readonly generated?: true;
  /** It is meant to prevent a fault from coming back; the revision on which it was seen to fail, null if never. */
  readonly regression?: { readonly shownRedOn: string | null };
}

/** These parts of a larger object, without keys that it does not have. */
export function explanationOf({ protects, catches, generated, regression }: Explanation): Explanation {
  return defined({ protects, catches, generated, regression });
}

/** A generated trial is trusted only if a person can read its purpose. */
export function explanationFaults({ generated, protects, catches }: Explanation): SuiteFault[] {
  const missing = [
    ...(protects === undefined ? ['`protects` (the contract that it protects)'] : []),
    ...(catches === undefined ? ['`catches` (the failure that it would catch)'] : []),
  ];
  if (!generated || missing.length === 0) return [];
  return [
    {
      kind: 'generated-unexplained',
      text: `it was generated, but its purpose is not stated: add ${missing.join(' and ')}`,
    },
  ];
}
