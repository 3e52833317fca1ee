/** A question that a shape asks in a server's place, and how its answer is known: the server knows nothing of it, and must not get it. */
import type { Random } from '../../kernel/random.ts';
import { isMap } from '../json-rpc/is-map.ts';
import type { Outgoing } from '../json-rpc/message.ts';

/** How its id begins. */
export const ownPingPrefix = 'shakedown-ping-';

export function ownPing(random: Random): Outgoing {
  return { jsonrpc: '2.0', id: `${ownPingPrefix}${random.hex(6)}`, method: 'ping' };
}

/** Of what a consumer sends: nothing but an answer to such a question. */
export function answersOwnPing(json: unknown): boolean {
  return (
    isMap(json) &&
    json.method === undefined &&
    typeof json.id === 'string' &&
    json.id.startsWith(ownPingPrefix)
  );
}
