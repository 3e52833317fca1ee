/** Ids of items in an answer that was changed on its way. A played provider, which never sent them, can tell what they are. */
import type { Random } from '../../kernel/random.ts';

/** Of an item that was added to the answer. */
export function addedId(prefix: string, answer: string, number: number): string {
  return `${prefix}_${ownPart(answer)}x${number}`;
}

/** The id of the answer to which such an item was added. */
export function addedTo(item: string): string | undefined {
  const [, own] = /^[a-z]+_(.+)x\d+$/.exec(item) ?? [];
  return own === undefined ? undefined : `resp_${own}`;
}

/** What the ids of an answer and of its items have in common. */
export function ownPart(answer: string): string {
  return answer.replace(/^resp_/, '');
}

/** Opaque, and another one each time. */
export function veiledId(id: unknown, random: Random): string {
  return Buffer.from(`${random.hex(8)}:${String(id)}`).toString('base64');
}

/** Any other is as it was. */
export function unveiledId(id: string): string {
  const [, own = id] = /^[0-9a-f]{8}:(\w+)$/.exec(Buffer.from(id, 'base64').toString()) ?? [];
  return own;
}
