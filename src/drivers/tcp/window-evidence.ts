/** What is known of one window of a connection, as plain JSON. */
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
    received: window ? [...window.messages] : [],
    ...(raw ? { raw: raw.kept().toString('utf8') } : {}),
    ...(raw?.truncated || window?.truncated ? { truncated: true } : {}),
    ...(window?.closedBy === undefined ? {} : { closedBy: window.closedBy }),
    ...(window?.broken === undefined ? {} : { broken: window.broken }),
    bytesSent: window?.bytesSent ?? 0,
    bytesReceived: window?.bytesReceived ?? 0,
    ...(error ? { error } : {}),
  };
}
