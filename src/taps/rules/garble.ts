/** The rule that replaces what the provider sends by junk of the same length, generated from the seed. */
import type { Random } from '../../kernel/random.ts';
import type { Gate, Rule } from './rule.ts';

export interface Garble {
  readonly rule: 'garble';
}

/** The provider gets the consumer's bytes unchanged, so that only the answers differ. */
export function garbleRule(random: Random): Rule {
  return {
    kind: 'garble',
    listens: true,
    gate: ({ direction, connection, felt }) =>
      direction === 'received' ? garbleGate(random.fork(String(connection)), felt) : undefined,
  };
}

function garbleGate(random: Random, felt: ((what: string) => void) | undefined): Gate {
  let isFelt = false;
  return {
    decide: (front) => (front === undefined ? { then: 'wait' } : { then: 'pass', bytes: front.length }),
    alter: (bytes) => {
      const junk = junkFor(bytes, random);
      if (!isFelt && !junk.equals(bytes)) {
        isFelt = true;
        felt?.(`${bytes.length} bytes of the provider replaced by junk`);
      }
      return junk;
    },
  };
}

/** Bytes that are neither ASCII nor UTF-8. Line ends stay, so that a reader of lines gets one, and need not wait. */
function junkFor(bytes: Buffer, random: Random): Buffer {
  const junk = Buffer.allocUnsafe(bytes.length);
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    junk[at] = byte === 0x0a || byte === 0x0d ? byte : 0xc0 + Math.floor(random.next() * 0x40);
  }
  return junk;
}
