/** A question that a shape asks in a server's place, and how its answer is recognized: the server must not get it. */
import { isMap } from '../../kernel/is-map.ts';
import type { Random } from '../../kernel/random.ts';
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
