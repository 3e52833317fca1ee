/** What one act receives besides its answer: notifications, requests of the server, and violations by the server. */
import { cutText } from '../../kernel/cut-text.ts';
import { mcpLimits } from './mcp-limits.ts';
import type { Reply } from './scripted-client.ts';

export interface Said {
  readonly method: string;
  readonly params?: unknown;
}

/** What the server asked of us, and what it was answered. */
export type Asked = Said & Reply;

export interface ActRecord {
  sentBytes: number;
  /** The HTTP status of the newest answer. */
  status: number | undefined;
  notify(notification: Said): void;
  asked(request: Asked): void;
  note(anomaly: string): void;
  evidence(): Readonly<Record<string, unknown>>;
}

/** Keeps a limited number of messages and of their bytes; the rest is counted. */
export function createActRecord(mostBytes: number): ActRecord {
  const notifications: Said[] = [];
  const requests: Asked[] = [];
  const anomalies: string[] = [];
  let bytesLeft = mostBytes;
  let dropped = 0;
  const keep = <One extends Said>(list: One[], said: One, most: number): void => {
    const bytes = Buffer.byteLength(JSON.stringify(said));
    if (list.length >= most || bytes > bytesLeft) {
      dropped += 1;
      return;
    }
    bytesLeft -= bytes;
    list.push(said);
  };
  return {
    sentBytes: 0,
    status: undefined,
    notify: (notification) => keep(notifications, notification, mcpLimits.notifications),
    asked: (request) => keep(requests, request, mcpLimits.serverRequests),
    note: (anomaly) => {
      if (anomalies.length < mcpLimits.anomalies) anomalies.push(shorten(anomaly));
    },
    evidence: () => ({
      notifications: [...notifications],
      requests: [...requests],
      anomalies: [...anomalies],
      ...(dropped > 0 ? { dropped } : {}),
    }),
  };
}

export function shorten(text: string): string {
  return cutText(text.replaceAll(/\s+/g, ' ').trim(), mcpLimits.shownChars);
}
