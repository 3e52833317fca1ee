/** A key as a check sees it. Pure. */
import { defined } from '../../kernel/defined.ts';
import { utf8Text } from '../../kernel/utf8-text.ts';
import { jsonInText } from '../../kinds/redis/json-in-text.ts';
import { bytesIn, type Reply } from '../../resources/redis/client/reply.ts';
import type { ReadKey } from './read-keys.ts';
import { shownGroups } from './stream-groups.ts';
import { valueType } from './value-types.ts';

export type TextAs = 'json' | 'text';

export interface ShownKey {
  readonly key: string;
  readonly type: string;
  readonly value: unknown;
  readonly ttlMs?: number;
  readonly groups?: readonly unknown[];
}

export function showKey({ key, type, value, ttlMs, groups, pending }: ReadKey, as: TextAs): ShownKey {
  const shown = as === 'json' ? (bytes: Reply | undefined) => jsonInText(plain(bytes)) : plain;
  return {
    key: plain(key),
    type,
    value: valueType(type).show(value, shown, plain),
    ...defined({ ttlMs, groups: groups && shownGroups(groups, pending, plain) }),
  };
}

function plain(bytes: Reply | undefined): string {
  return utf8Text(bytesIn(bytes));
}
