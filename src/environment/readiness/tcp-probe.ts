/** Ready when a connection is accepted and, where configured, the first bytes match. */
import { cutText } from '../../kernel/cut-text.ts';
import { createRegexTester } from '../../patterns/bounded-regex.ts';
import type { ReadyCondition } from '../../system/system.ts';
import { converse } from './converse.ts';
import { isReady, type Look, notReady } from './look.ts';
import type { ReadinessSubject } from './subject.ts';

type TcpCondition = Extract<ReadyCondition, { probe: 'tcp' }>;

export function tcpProbe(condition: TcpCondition, subject: ReadinessSubject): Look {
  const wanted = condition.firstBytes;
  const tester = createRegexTester();
  return async (signal) => {
    const address = subject.address(condition.listener);
    if (!address) return notReady('the service has not reported its port yet');
    const place = `tcp ${address.host}:${address.port}`;
    let text = '';
    const talk = await converse(address, {
      signal,
      ...(condition.send === undefined ? {} : { send: Buffer.from(condition.send) }),
      enough: (bytes) => {
        text = bytes.toString('utf8');
        return wanted === undefined || tester.test(wanted, '', text) === true;
      },
      waitsForBytes: wanted !== undefined,
    });
    if (talk.enough) return isReady;
    return notReady(
      `${place}: ${talk.connected ? `it said ${JSON.stringify(cutText(text, 200))}` : talk.error}`,
    );
  };
}
