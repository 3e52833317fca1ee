/** The groups of a stream: how far each has come, and which entries its consumers hold. Pure. */
import type { Command } from '../../resources/redis/client/print-commands.ts';
import { bytesIn, listIn, type Reply } from '../../resources/redis/client/reply.ts';

export interface StreamGroup {
  readonly name: Buffer;
  readonly lastId: string;
  readonly pending: number;
}

export function groupsIn(reply: Reply | undefined): readonly StreamGroup[] {
  return listIn(reply).map((group) => {
    const facts = listIn(group);
    const factNamed = (name: string): Reply | undefined =>
      facts[facts.findIndex((fact) => bytesIn(fact).toString() === name) + 1];
    return {
      name: bytesIn(factNamed('name')),
      lastId: bytesIn(factNamed('last-delivered-id')).toString(),
      pending: Number(factNamed('pending')),
    };
  });
}

export function readPending(key: Buffer, { name }: StreamGroup, most: number): Command {
  return ['XPENDING', key, name, '-', '+', most];
}

/** For each group what `readPending` was answered. */
export function shownGroups(
  groups: readonly StreamGroup[],
  pending: readonly Reply[],
  plain: (bytes: Reply | undefined) => string,
): readonly unknown[] {
  return groups.map(({ name, lastId }, index) => ({
    name: plain(name),
    lastId,
    pending: listIn(pending[index]).map((entry) => {
      const [id, consumer, , deliveries] = listIn(entry);
      return { id: plain(id), consumer: plain(consumer), deliveries: Number(deliveries) };
    }),
  }));
}
