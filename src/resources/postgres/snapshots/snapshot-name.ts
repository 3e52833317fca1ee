/** The name of a database's copy: one that no service's database can have. Pure. */
import { createHash } from 'node:crypto';

const longestNameBytes = 63;
const mark = '@snapshot';

/** `main@snapshot`. A long name keeps its beginning, so that the mark of its creator stays in front. */
export function snapshotName(database: string): string {
  const whole = `${database}${mark}`;
  if (Buffer.byteLength(whole) <= longestNameBytes) return whole;
  const hash = createHash('sha256').update(database).digest('hex').slice(0, 8);
  const room = longestNameBytes - mark.length - hash.length - 1;
  return `${Buffer.from(database)
    .subarray(0, room)
    .toString('latin1')
    .replaceAll(/[^\x20-\x7e]/g, '_')}_${hash}${mark}`;
}
