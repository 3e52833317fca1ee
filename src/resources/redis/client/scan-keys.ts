/** All keys of a database that fit a glob, without holding the server up. */
import type { RedisLink } from './redis-link.ts';
import { bytesIn, listIn, type Reply } from './reply.ts';

/** How many the server looks at for one answer. */
const perAnswer = 1_000;

/** Each key once. It stops when there are `most` of them. */
export async function scanKeys(
  link: RedisLink,
  glob: string,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly Buffer[]> {
  return restOfKeys(link, glob, await link.do('SCAN', 0, 'MATCH', glob, 'COUNT', perAnswer), most);
}

/** The same, where the first answer is there. */
export async function restOfKeys(
  link: RedisLink,
  glob: string,
  first: Reply,
  most: number,
): Promise<readonly Buffer[]> {
  const found = new Map<string, Buffer>();
  for (let page = first; ; ) {
    const [cursor, keys] = listIn(page);
    for (const key of listIn(keys).map(bytesIn)) found.set(key.toString('latin1'), key);
    const at = bytesIn(cursor);
    if (at.length === 0 || at.toString() === '0' || found.size >= most) return [...found.values()];
    page = await link.do('SCAN', at, 'MATCH', glob, 'COUNT', perAnswer);
  }
}
