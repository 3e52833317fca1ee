/** An edge whose tap looks for calls, and a provider that a test controls, byte by byte. */
import type { CallEvent } from '../../src/journal/call-event.ts';
import type { TapOptions } from '../../src/taps/tap.ts';
import { eventually } from './eventually.ts';
import type { Peer } from './peer.ts';
import { type WiredEdge, wiredEdge } from './wired-edge.ts';

export interface WatchedEdge extends WiredEdge {
  calls(): CallEvent[];
  /** The calls, when there are so many. */
  untilCalls(count: number): Promise<CallEvent[]>;
  /** A new connection on which each side waits for the bytes of the other side. */
  talk(): Promise<Talk>;
}

export interface Talk {
  readonly consumer: Peer;
  readonly provider: Peer;
  /** The consumer sends it, and the provider has received it. */
  ask(bytes: string | Uint8Array): Promise<void>;
  answer(bytes: string | Uint8Array): Promise<void>;
}

export async function watchedEdge(options: Partial<TapOptions> = {}): Promise<WatchedEdge> {
  const wired = await wiredEdge({ watch: 'http', ...options });
  const calls = (): CallEvent[] => wired.events.filter((event) => event.type === 'call');
  return {
    ...wired,
    calls,
    untilCalls: async (count) => {
      await eventually(() => calls().length >= count, `${count} calls`);
      return calls();
    },
    talk: async () => {
      const { consumer, provider } = await wired.join();
      return {
        consumer,
        provider,
        ask: (bytes) => say(consumer, provider, bytes),
        answer: (bytes) => say(provider, consumer, bytes),
      };
    },
  };
}

async function say(speaker: Peer, hearer: Peer, bytes: string | Uint8Array): Promise<void> {
  const before = hearer.gotBytes;
  speaker.socket.write(bytes);
  await eventually(
    () => hearer.gotBytes === before + Buffer.byteLength(bytes),
    `${String(bytes).slice(0, 80)} was heard`,
  );
}

/** One message with the length that it has. */
export function http(
  first: string,
  headers: Record<string, string> = {},
  body: string | Uint8Array = '',
): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const needsLength = Buffer.byteLength(body) > 0 || first.startsWith('HTTP/');
  const length = needsLength ? `content-length: ${Buffer.byteLength(body)}\r\n` : '';
  return Buffer.concat([
    Buffer.from(`${first}\r\n${lines.join('')}${length}\r\n`),
    Buffer.from(body as string),
  ]);
}

const json = { 'content-type': 'application/json' };

export function post(path: string, body: unknown): Buffer {
  return http(`POST ${path} HTTP/1.1`, json, JSON.stringify(body));
}

export function jsonAnswer(body: unknown, status = 200): Buffer {
  return http(`HTTP/1.1 ${status} Said`, json, JSON.stringify(body));
}

/** The head of a stream of events in chunks, and the chunks. */
export const eventsHead =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n';

export function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

export const lastChunk = '0\r\n\r\n';
