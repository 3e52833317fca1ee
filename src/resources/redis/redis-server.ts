/** What every form of a Redis (our own, the user's) is to the rest of this folder. */
import type { ProvisionedResource } from '../resource.ts';
import type { RedisTarget } from './redis-target.ts';

export interface RedisServer
  extends Pick<ProvisionedResource, 'endpoint' | 'pid' | 'summary' | 'died' | 'stop'> {
  /** Where it is, with its user and its database. */
  readonly target: RedisTarget;
  /** Nothing may be running. */
  snapshot(): Promise<void>;
  restore(): Promise<void>;
}
