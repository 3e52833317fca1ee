/** Keeps the body of one message, as long as it is not too large. */
import type { Part } from './exchange-edit.ts';

export interface BodyCollector {
  add(part: Part<unknown>): void;
  /** Undefined where it was more than accepted. */
  take(): Buffer | undefined;
}

export function bodyCollector(mostBytes: number): BodyCollector {
  let bodies: Buffer[] = [];
  let bytes = 0;
  return {
    add: ({ is, raw }) => {
      if (is !== 'body') return;
      bytes += raw.length;
      if (bytes <= mostBytes) bodies.push(raw);
      else bodies = [];
    },
    take: () => (bytes <= mostBytes ? Buffer.concat(bodies) : undefined),
  };
}
