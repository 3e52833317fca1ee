/** Reads keys of one moment: all their values in one transaction, and again where keys came or changed meanwhile. */
import type { Command } from '../../resources/redis/client/print-commands.ts';
import type { RedisLink } from '../../resources/redis/client/redis-link.ts';
import { isRefusal, listIn, Refused, type Reply } from '../../resources/redis/client/reply.ts';
import { restOfKeys, scanKeys } from '../../resources/redis/client/scan-keys.ts';
import { markKey } from '../../resources/redis/yours/database-mark.ts';
import { ObservationError } from '../observer.ts';
import { observerLimits } from '../observer-limits.ts';
import { groupsIn, readPending, type StreamGroup } from './stream-groups.ts';
import { valueType } from './value-types.ts';

export interface ReadKey {
  readonly key: Buffer;
  readonly type: string;
  readonly ttlMs?: number;
  readonly value: Reply;
  /** Of a stream. */
  readonly groups?: readonly StreamGroup[];
  readonly pending: readonly Reply[];
}

/** One key, or a glob of Redis. */
export type Wanted = { readonly key: string } | { readonly glob: string };

const tries = 5;

export async function readKeys(link: RedisLink, wanted: Wanted): Promise<readonly ReadKey[]> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const found = await readOnce(link, wanted);
    if (found) return found.toSorted((one, other) => Buffer.compare(one.key, other.key));
  }
  throw new ObservationError('its keys change faster than they can be read together', 'later');
}

/** Undefined where it is not one moment. */
async function readOnce(link: RedisLink, wanted: Wanted): Promise<readonly ReadKey[] | undefined> {
  const most = observerLimits.elements;
  const keys =
    'key' in wanted ? [Buffer.from(wanted.key)] : shownKeys(await scanKeys(link, wanted.glob, most + 1));
  if (keys.length > most) throw tooMany('keys');
  const types = (
    await allOf(
      link,
      keys.map((key) => ['TYPE', key]),
    )
  ).map(String);
  const plans = await planned(link, keys, types);
  const page: Command[] = 'key' in wanted ? [] : [['SCAN', 0, 'MATCH', wanted.glob, 'COUNT', 1_000]];
  const replies = await link.ask([
    ['MULTI'],
    ...plans.flatMap(({ commands }) => commands),
    ...page,
    ['EXEC'],
  ]);
  const refusal = replies.find(isRefusal);
  if (refusal) throw new Refused(refusal);
  const answers = [...listIn(replies.at(-1))];
  const read = plans.map((plan) => readPlan(plan, answers.splice(0, plan.commands.length)));
  if (read.includes('changed')) return undefined;
  if ('glob' in wanted) {
    const there = new Set(keys.map((key) => key.toString('latin1')));
    const now = shownKeys(await restOfKeys(link, wanted.glob, answers[0] ?? null, most + 1));
    if (now.some((key) => !there.has(key.toString('latin1')))) return undefined;
  }
  return read.filter((one) => one !== 'changed' && one !== 'gone');
}

interface Plan {
  readonly key: Buffer;
  readonly type: string;
  readonly groups: readonly StreamGroup[];
  readonly commands: readonly Command[];
}

/** More than is shown is not even read. */
async function planned(
  link: RedisLink,
  keys: readonly Buffer[],
  types: readonly string[],
): Promise<readonly Plan[]> {
  const most = observerLimits.elements;
  const all = keys.map((key, index) => ({ key, type: types[index] ?? 'none' }));
  const sized = all.flatMap(({ key, type }): Command[] => {
    const { size } = valueType(type);
    return size === undefined ? [] : [[size, key]];
  });
  const streams = all.filter(({ type }) => type === 'stream');
  const sizes = await link.ask(sized);
  const asked = await link.ask(streams.map(({ key }): Command => ['XINFO', 'GROUPS', key]));
  const groupsOf = new Map(streams.map(({ key }, index) => [key, groupsIn(asked[index])]));
  const pending = [...groupsOf.values()].flat().map((group) => group.pending);
  const elements = [...sizes, ...pending].reduce<number>((sum, one) => sum + (Number(one) || 0), 0);
  if (elements > most) throw tooMany('elements');
  return all.map(({ key, type }) => {
    const groups = groupsOf.get(key) ?? [];
    const ofStream: Command[] =
      type === 'stream'
        ? [['XINFO', 'GROUPS', key], ...groups.map((group) => readPending(key, group, most))]
        : [];
    const commands: Command[] = [['TYPE', key], ['PTTL', key], valueType(type).read(key), ...ofStream];
    return { key, type, groups, commands };
  });
}

function readPlan({ key, type, groups }: Plan, answers: readonly Reply[]): ReadKey | 'changed' | 'gone' {
  const [now, ttl = -1, value = null, info, ...pending] = answers;
  if (now === 'none') return 'gone';
  const refusal = answers.find(isRefusal);
  if (now !== type || refusal) {
    if (now === type && refusal && !/^(?:NOGROUP|WRONGTYPE)\b/.test(refusal.error))
      throw new Refused(refusal);
    return 'changed';
  }
  const ttlMs = Number(ttl) < 0 ? {} : { ttlMs: Number(ttl) };
  if (type !== 'stream') return { key, type, ...ttlMs, value, pending: [] };
  const current = groupsIn(info);
  const isSame =
    current.length === groups.length && current.every(({ name }, at) => groups[at]?.name.equals(name));
  return isSame ? { key, type, ...ttlMs, value, groups: current, pending } : 'changed';
}

/** A refusal of one of them is a refusal. */
async function allOf(link: RedisLink, commands: readonly Command[]): Promise<readonly Reply[]> {
  const replies = await link.ask(commands);
  const refusal = replies.find(isRefusal);
  if (refusal) throw new Refused(refusal);
  return replies;
}

/** Without the mark of the environment, which no service wrote. */
function shownKeys(keys: readonly Buffer[]): readonly Buffer[] {
  return keys.filter((key) => key.toString('latin1') !== markKey);
}

function tooMany(what: string): ObservationError {
  return new ObservationError(`more than ${observerLimits.elements} ${what} are there; narrow it with key`);
}
