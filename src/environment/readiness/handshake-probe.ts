/** Ready when the first framed message of a connection is the expected one. */
import { cutText } from '../../kernel/cut-text.ts';
import { matchPattern } from '../../patterns/match-pattern.ts';
import { findCodec } from '../../protocols/codecs/codec-registry.ts';
import type { ReadyCondition } from '../../system/system.ts';
import { converse } from './converse.ts';
import { isReady, type Look, notReady } from './look.ts';
import type { ReadinessSubject } from './subject.ts';

type HandshakeCondition = Extract<ReadyCondition, { probe: 'handshake' }>;

export function handshakeProbe(condition: HandshakeCondition, subject: ReadinessSubject): Look {
  const codec = findCodec(condition.codec);
  if (!codec) throw new Error(`the config was accepted with the unknown codec ${condition.codec}`);
  return async (signal) => {
    const address = subject.address(condition.listener);
    if (!address) return notReady('the service has not reported its port yet');
    let saw = 'no message';
    let matched = false;
    const talk = await converse(address, {
      signal,
      waitsForBytes: true,
      ...(condition.send === undefined ? {} : { send: codec.encode(condition.send) }),
      enough: (bytes) => {
        try {
          const [first] = codec.createDecoder().push(bytes);
          if (first === undefined) return false;
          saw = cutText(JSON.stringify(first), 200);
          matched = matchPattern(condition.expect, first).matched;
        } catch (error) {
          saw = error instanceof Error ? error.message : String(error);
        }
        return true;
      },
    });
    if (matched) return isReady;
    return notReady(
      `${codec.name} handshake at ${address.host}:${address.port}: ${talk.connected ? saw : talk.error}`,
    );
  };
}
