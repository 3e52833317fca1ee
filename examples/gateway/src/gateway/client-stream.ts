/** The stream to a client: it starts with the first chunk, and ends with the end mark or with an error, never with both. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Chunk } from '../chat/chunk.ts';
import { hasDefect } from '../defects.ts';
import { errorEnvelope } from '../service/refusal.ts';
import type { UpstreamFault } from './upstream-fault.ts';

export interface ClientStream {
  readonly isBegun: boolean;
  send(chunk: Chunk): Promise<void>;
  end(): void;
  fail(fault: UpstreamFault): void;
}

/** A client that reads nothing for so long is disconnected. */
const drainMs = 30_000;

export function openClientStream(response: ServerResponse, wantsUsage: boolean): ClientStream {
  let isBegun = false;

  const begin = (): void => {
    if (isBegun) return;
    isBegun = true;
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
    });
  };

  return {
    get isBegun() {
      return isBegun;
    },
    async send(chunk) {
      const shown = wantsUsage && !hasDefect('usage-lost') ? chunk : withoutUsage(chunk);
      if (shown.choices.length === 0 && !shown.usage) return; // nothing that a client could use
      begin();
      const isTaken = response.write(`data: ${JSON.stringify(shown)}\n\n`);
      if (!isTaken) await drained(response);
    },
    end() {
      begin();
      response.end('data: [DONE]\n\n');
    },
    fail({ type, message, code }) {
      begin();
      response.end(`data: ${JSON.stringify(errorEnvelope(type, message, code))}\n\n`);
    },
  };
}

async function drained(response: ServerResponse): Promise<void> {
  try {
    await once(response, 'drain', { signal: AbortSignal.timeout(drainMs) });
  } catch (error) {
    response.destroy();
    throw error;
  }
}

function withoutUsage({ usage: _usage, ...rest }: Chunk): Chunk {
  return { ...rest, choices: rest.choices };
}
