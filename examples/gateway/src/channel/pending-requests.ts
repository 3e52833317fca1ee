/** Requests that wait for their reply: each has an id and a token of its own, is answered once, and expires after a time. */
import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { hasDefect } from '../defects.ts';

export interface PendingRequest {
  readonly id: string;
  readonly token: string;
  /** The recipient of the reply. */
  readonly user: string;
}

export type Claim =
  | { readonly state: 'claimed'; readonly request: PendingRequest }
  | { readonly state: 'unknown' | 'wrong-token' | 'answered' | 'expired' };

export interface PendingRequests {
  open(user: string): PendingRequest;
  /** The first caller that claims a request gets it; the check and the claim are atomic. */
  claim(id: string, token: string): Claim;
  readonly waiting: number;
}

interface Entry {
  readonly request: PendingRequest;
  state: 'waiting' | 'answered' | 'expired';
  readonly timer: NodeJS.Timeout;
}

const mostEntries = 5_000;

export function createPendingRequests(
  expireMs: number,
  onExpired: (request: PendingRequest) => void,
): PendingRequests {
  const entries = new Map<string, Entry>();
  const waiting = (): Entry[] => [...entries.values()].filter(({ state }) => state === 'waiting');

  const open = (user: string): PendingRequest => {
    const request = { id: randomUUID(), token: randomBytes(24).toString('hex'), user };
    const timer = setTimeout(() => expire(request), expireMs);
    entries.set(request.id, { request, state: 'waiting', timer });
    forgetOldest(entries);
    return request;
  };

  const expire = (request: PendingRequest): void => {
    const entry = entries.get(request.id);
    if (entry?.state !== 'waiting') return;
    entry.state = 'expired';
    onExpired(request);
  };

  return {
    open,
    claim(id, token) {
      const own = entries.get(id);
      const entry = hasDefect('callback-wakes-wrong') ? (waiting()[0] ?? own) : own;
      if (!own || !entry) return { state: 'unknown' };
      if (!isSame(token, own.request.token) && !hasDefect('token-not-checked'))
        return { state: 'wrong-token' };
      if (entry.state === 'answered' && !hasDefect('duplicate-callback-accepted'))
        return { state: 'answered' };
      if (entry.state === 'expired' && !hasDefect('stale-callback-accepted')) return { state: 'expired' };
      clearTimeout(entry.timer);
      entry.state = 'answered';
      return { state: 'claimed', request: entry.request };
    },
    get waiting() {
      return waiting().length;
    },
  };
}

/** Finished requests are kept for a while, to distinguish a late callback from an unknown one. */
function forgetOldest(entries: Map<string, Entry>): void {
  for (const [id, { state, timer }] of entries) {
    if (entries.size <= mostEntries) return;
    if (state === 'waiting') clearTimeout(timer);
    entries.delete(id);
  }
}

function isSame(told: string, right: string): boolean {
  const [a, b] = [Buffer.from(told), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
