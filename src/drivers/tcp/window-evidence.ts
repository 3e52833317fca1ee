/** What is known of one window of a connection, as plain JSON. */
import { defined } from '../../kernel/defined.ts';
import { notRead } from '../../kernel/not-kept.ts';
import { utf8Text } from '../../kernel/utf8-text.ts';
import type { ActError, ActEvidence } from '../driver.ts';
import type { ReceivedWindow } from './received-window.ts';

export function windowEvidence(
  connected: boolean,
  window: ReceivedWindow | undefined,
  error: ActError | undefined,
): ActEvidence {
  const raw = window?.raw;
  return {
    connected,
    received: window?.hasUnread ? noMessages : [...(window?.messages ?? [])],
    ...defined({ raw: raw && utf8Text(raw.kept(), raw.truncated) }),
    ...(raw?.truncated || window?.truncated ? { truncated: true } : {}),
    ...defined({ closedBy: window?.closedBy, broken: window?.broken }),
    ...(window?.pendingBytes ? { pendingBytes: window.pendingBytes } : {}),
    bytesSent: window?.bytesSent ?? 0,
    bytesReceived: window?.bytesReceived ?? 0,
    ...defined({ error }),
  };
}

const noMessages = notRead(
  'expect `raw` or `bytesReceived`, or name a `codec`: without one, no messages are known of the bytes that came',
);
