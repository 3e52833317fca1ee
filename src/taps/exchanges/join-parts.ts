/** Joins parts that belong together, so that a chunk is one write and two chunks are two. */
import type { Part } from './exchange-edit.ts';

/** Parts as bytes, in groups that end before a chunk begins; what is not a part stays as it is, in its place. */
export function joinParts<Head, Other extends object>(
  edited: readonly (Part<Head> | Other)[],
): (Buffer | Other)[] {
  const joined: (Buffer | Other)[] = [];
  let group: Buffer[] = [];
  const close = (): void => {
    if (group.length > 0) joined.push(group.length === 1 ? (group[0] as Buffer) : Buffer.concat(group));
    group = [];
  };
  for (const one of edited) {
    if (!('is' in one)) {
      close();
      joined.push(one);
    } else {
      if (one.is === 'frame' && !isLineEnd(one.raw)) close();
      if (one.raw.length > 0) group.push(one.raw);
    }
  }
  close();
  return joined;
}

/** The end of a chunk. */
export function isLineEnd(raw: Buffer): boolean {
  return raw.every((byte) => byte === lineFeed || byte === carriageReturn);
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
