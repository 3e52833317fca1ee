/** The first step of the pipeline: the text of a message, its sender, and whether the sender is allowed. */
import type { Gateways } from '../gateways.ts';
import { Refusal } from '../refusal.ts';
import { nameAt, textAt } from '../wire/message.ts';
import type { Value } from '../wire/sexp.ts';

export interface Stimulus {
  readonly session: string;
  readonly sensor: 'user-input' | 'heartbeat';
  /** The gateway through which it came. */
  readonly source: string;
  readonly id: string | null;
  readonly text: string;
}

/** These need no link: a plain connection, and the command line. */
const builtIn = ['tcp', 'cli'];

export function sense(message: Value, session: string, gateways: Gateways): Stimulus {
  const sensor = nameAt(message, 'PAYLOAD', 'SENSOR');
  const source = nameAt(message, 'META', 'SOURCE') ?? 'tcp';
  const id = textAt(message, 'ID') ?? null;
  if (!builtIn.includes(source) && !gateways.has(source)) {
    throw new Refusal('gateway-not-linked', `there is no gateway ${source}`);
  }
  if (sensor === 'heartbeat') return { session, sensor, source, id, text: '' };
  if (sensor !== 'user-input') {
    throw new Refusal('unknown-sensor', `${sensor ?? 'nothing'} is neither user-input nor heartbeat`);
  }
  const text = textAt(message, 'PAYLOAD', 'TEXT');
  if (text === undefined || text.trim() === '') throw new Refusal('no-text', 'user-input needs a :TEXT');
  return { session, sensor, source, id, text };
}
