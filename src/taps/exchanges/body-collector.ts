/** Keeps the body of one message, as long as it is not too large. */
import type { Part } from './exchange-edit.ts';

export function bodyCollector(mostBytes: number) {
  let bodies: Buffer[] = [];
  let bytes = 0;
  return {
    add: ({ is, raw }: Part<unknown>): void => {
      if (is !== 'body') return;
      bytes += raw.length;
      if (bytes <= mostBytes) bodies.push(raw);
      else bodies = [];
    },
    /** Undefined where it was more than accepted. */
    take: (): Buffer | undefined => (bytes <= mostBytes ? Buffer.concat(bodies) : undefined),
  };
}

export type BodyCollector = ReturnType<typeof bodyCollector>;
