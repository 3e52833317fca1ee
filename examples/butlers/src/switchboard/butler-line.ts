/** The connection to one butler: an MCP client that is kept, and replaced when the butler has been restarted. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { reasonOf } from '../daemon/log.ts';
import { createQueue } from '../daemon/queue.ts';
import { hasDefect } from '../defects.ts';
import { connectMcp } from '../mcp/client.ts';
import type { DirectoryEntry } from './directory.ts';

interface HandOver extends Record<string, unknown> {
  readonly text: string;
  readonly session: string;
  readonly event_id: string;
}

export type Delivery =
  | { readonly status: 'delivered'; readonly answer: string }
  | { readonly status: 'target_unavailable' | 'failed'; readonly error: string };

export interface ButlerLine {
  deliver(message: HandOver, traceparent: string): Promise<Delivery>;
}

const answerWithinMs = 120_000;
const retryAfterMs = 100;

export function butlerLine(butler: DirectoryEntry): ButlerLine {
  // A butler processes one message at a time; the others wait here, where their time-out has not begun.
  const queue = createQueue({ width: hasDefect('not-serial') ? 8 : 1, limit: 1_000 });
  let kept: Promise<Client> | undefined;

  const call = async (message: HandOver, traceparent: string) => {
    kept ??= connectMcp(butler, 'switchboard');
    const line = kept;
    try {
      const client = await line;
      const _meta = hasDefect('trace-lost') ? {} : { traceparent };
      const parameters = { name: 'handle_message', arguments: message, _meta };
      return await client.callTool(parameters, undefined, { timeout: answerWithinMs });
    } catch (error) {
      if ((isBrokenLine(error) || isTimeout(error)) && !hasDefect('stale-client')) {
        kept = undefined;
        void line.then((client) => client.close()).catch(() => undefined); // a broken connection cannot be closed properly
      }
      throw error;
    }
  };

  return {
    deliver: (message, traceparent) =>
      queue.run(async () => {
        if (hasDefect('socket-leak')) leakSocket(butler.url);
        try {
          return toDelivery(await call(message, traceparent));
        } catch (error) {
          if (!isBrokenLine(error)) return failure(error);
        }
        // A kept connection may be stale. Sending again is safe: a butler executes a session once.
        await sleep(retryAfterMs);
        return call(message, traceparent).then(toDelivery, failure);
      }),
  };
}

/** Opens a connection that is never read and never closed: the defect `socket-leak`. */
function leakSocket(url: string): void {
  const { hostname, port } = new URL(url);
  connect(Number(port), hostname).on('error', () => 'the hand-over itself reports that the butler is down');
}

function toDelivery(result: Awaited<ReturnType<Client['callTool']>>): Delivery {
  const structured = result.structuredContent as { readonly answer?: unknown } | undefined;
  if (!result.isError) return { status: 'delivered', answer: String(structured?.answer ?? '') };
  const [first] = result.content as readonly { readonly text?: string }[];
  return { status: 'failed', error: first?.text ?? 'the butler refused without a reason' };
}

function failure(error: unknown): Delivery {
  const unavailable = isBrokenLine(error) || isTimeout(error);
  return { status: unavailable ? 'target_unavailable' : 'failed', error: reasonOf(error) };
}

/** Any failure except an error answer and a time-out: connection refused or cut, or an unknown session. */
function isBrokenLine(error: unknown): boolean {
  return !(error instanceof McpError) || error.code === ErrorCode.ConnectionClosed;
}

function isTimeout(error: unknown): boolean {
  return error instanceof McpError && error.code === ErrorCode.RequestTimeout;
}
