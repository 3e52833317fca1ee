/** The clients of one attempt: steps that address the same server in the same way share a conversation. */
import type { AttemptResource } from '../attempt-resources.ts';
import type { DriverContext } from '../driver.ts';
import type { Call } from './call.ts';
import type { McpStep } from './mcp-step.ts';
import { type Opening, openClient } from './open-client.ts';
import { capabilitiesOf } from './scripted-client.ts';

export interface AttemptClients extends AttemptResource {
  /** The conversation of a step: the current one, or a new one where there is none or the step requests one. */
  take(step: McpStep, context: DriverContext, call: Call): HeldClient;
}

export interface HeldClient {
  readonly opening: Promise<Opening>;
  isBroken(): boolean;
  close(): Promise<void>;
}

export function createAttemptClients(): AttemptClients {
  const current = new Map<string, HeldClient>();
  const all = new Set<HeldClient>();
  return {
    take: (step, context, call) => {
      const key = keyOf(step);
      const known = current.get(key);
      if (known && !known.isBroken() && step.session !== 'new') return known;
      const held = hold(openClient(step, context, call), context.signal);
      current.set(key, held);
      all.add(held);
      return held;
    },
    end: async () => {
      await Promise.all([...all].map((held) => held.close()));
    },
  };
}

/** A conversation does not outlive an attempt that is given up. */
function hold(opening: Promise<Opening>, signal: AbortSignal): HeldClient {
  let opened: Opening | undefined;
  const noted = opening.then((result) => {
    opened = result;
    return result;
  });
  const close = async (): Promise<void> => {
    signal.removeEventListener('abort', giveUp);
    const result = await noted;
    await (result.kind === 'open' ? result.client.close() : result.closed);
  };
  const giveUp = (): void => void close();
  signal.addEventListener('abort', giveUp, { once: true });
  return {
    opening: noted,
    isBroken: () => opened !== undefined && (opened.kind !== 'open' || opened.client.broken() !== undefined),
    close,
  };
}

/** Capabilities are declared in the greeting; the answers are each step's own. */
function keyOf({ target, stdio, env, transport = 'auto', path, headers, era, client }: McpStep): string {
  return JSON.stringify([{ target, stdio, env, transport, path, headers, era }, capabilitiesOf(client)]);
}
