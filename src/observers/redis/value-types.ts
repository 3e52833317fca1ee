/** How each type of value is read, and what of it is shown. Pure. */
import { createHash } from 'node:crypto';
import { exactNumber } from '../../kernel/exact-json.ts';
import { notRead } from '../../kernel/not-kept.ts';
import type { Command } from '../../resources/redis/client/print-commands.ts';
import { bytesIn, listIn, type Reply } from '../../resources/redis/client/reply.ts';

/** A text as it is shown. */
export type Shown = (bytes: Reply | undefined) => unknown;

export interface ValueType {
  /** Gives the number of its elements; absent where it is one. */
  readonly size?: string;
  readonly read: (key: Buffer) => Command;
  readonly show: (reply: Reply, shown: Shown, plain: (bytes: Reply | undefined) => string) => unknown;
}

const byText = (a: unknown, b: unknown): number => {
  const [one, other] = [textOf(a), textOf(b)];
  return one < other ? -1 : one > other ? 1 : 0;
};

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const types: Readonly<Record<string, ValueType>> = {
  string: { read: (key) => ['GET', key], show: (reply, shown) => shown(reply) },
  list: {
    size: 'LLEN',
    read: (key) => ['LRANGE', key, 0, -1],
    show: (reply, shown) => listIn(reply).map(shown),
  },
  set: {
    size: 'SCARD',
    read: (key) => ['SMEMBERS', key],
    show: (reply, shown) => listIn(reply).map(shown).sort(byText),
  },
  hash: {
    size: 'HLEN',
    read: (key) => ['HGETALL', key],
    show: (reply, shown, plain) => asMap(pairsIn(reply), shown, plain),
  },
  zset: {
    size: 'ZCARD',
    read: (key) => ['ZRANGE', key, 0, -1, 'WITHSCORES'],
    show: (reply, shown) =>
      pairsIn(reply).map(([member, score]) => ({ member: shown(member), score: numberIn(score) })),
  },
  stream: {
    size: 'XLEN',
    read: (key) => ['XRANGE', key, '-', '+'],
    show: (reply, shown, plain) =>
      listIn(reply).map((entry) => {
        const [id, fields = null] = listIn(entry);
        return { id: plain(id), fields: asMap(pairsIn(fields), shown, plain) };
      }),
  },
};

/** What a module brings is there and is not read; that it has changed can be seen. */
export function valueType(type: string): ValueType {
  const show = (reply: Reply): unknown => {
    const hash = createHash('sha256').update(bytesIn(reply)).digest('hex');
    return notRead(`a value of the type ${type} is not read, and has the hash ${hash}`);
  };
  return types[type] ?? { read: (key) => ['DUMP', key], show };
}

function pairsIn(reply: Reply): readonly (readonly [Reply, Reply])[] {
  const all = listIn(reply);
  return all.flatMap((first, index) => (index % 2 === 0 ? [[first, all[index + 1] ?? null] as const] : []));
}

/** An entry may have a field twice, and then is a list of pairs. */
function asMap(
  pairs: readonly (readonly [Reply, Reply])[],
  shown: Shown,
  plain: (bytes: Reply | undefined) => string,
): unknown {
  const named = pairs.map(([name, value]) => [plain(name), shown(value)] as const);
  named.sort(([one], [other]) => byText(one, other));
  const isMap = new Set(named.map(([name]) => name)).size === named.length;
  return isMap ? Object.fromEntries(named) : pairs.map(([name, value]) => [plain(name), shown(value)]);
}

/** `inf` stays a text. */
function numberIn(score: Reply): unknown {
  const text = bytesIn(score).toString();
  return /^-?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(text) ? exactNumber(text) : text;
}
