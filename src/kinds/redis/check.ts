/** Keys of a Redis, with what they hold. */
import type { CheckKind } from '../kind/check-kind.ts';
import { alike, type Fields, measured, system } from '../kind/evidence.ts';
import type { Observation, Pattern, Row } from '../kind/flow-method.ts';
import type { Spec } from '../kind/step-kind.ts';
import { keyExpression } from './key-glob.ts';

const types = ['string', 'list', 'set', 'hash', 'zset', 'stream'];

const keyFields: Fields = {
  ...alike('key value', system),
  type: { ...system, enum: types },
  groups: { ...system, isOptional: true },
  ttlMs: { ...measured, isOptional: true },
};

export interface RedisFlow {
  readonly redis: <Key = Row>(
    store: string,
    key?: string,
    options?: {
      readonly database?: number;
      readonly as?: 'json' | 'text';
      readonly where?: Pattern;
    },
  ) => Observation<readonly Key[]>;
}

export const redisCheck: CheckKind = {
  gives: 'list',
  needsProof: true,
  readsResources: ['redis'],
  query: (named, own) => ({ store: named, ...own }),
  source: ({ store, database, key }) =>
    `redis ${String(store)}${database === undefined ? '' : `/${String(database)}`} ${String(key ?? '*')}`,
  sourceKey: 'key',
  forms: { key: 'glob' },
  target: (name) => ({ name }),
  change: 'key',
  unwanted: { store: 'elsewhere', database: 0, key: 'unexpected', op: 'created', type: 'string', value: 'x' },
  operations: ['created', 'changed', 'deleted'],
  fields: () => keyFields,
  filters: ({ key }) => (typeof key === 'string' ? [['key', keyExpression(key)]] : []),
  flow: (store: string, key: string | undefined, options: Spec) => ({
    redis: store,
    ...(key === undefined ? {} : { key }),
    ...options,
  }),
  takes: 'key',
  unread: 'stored',
};
