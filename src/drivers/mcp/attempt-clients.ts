/** The clients of one attempt: steps that mean the same server in the same way go on with the same conversation. */
import type { Belonging } from '../belongings.ts';
import type { DriverContext } from '../driver.ts';
import type { Call } from './call.ts';
import type { McpStep } from './mcp-step.ts';
import { type Opening, openClient } from './open-client.ts';
import { capabilitiesOf } from './scripted-client.ts';

export interface AttemptClients extends Belonging {
  /** The conversation that a step is part of: the one that goes on, or a new one where there is none, or one is wished for. */
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

/** What we can do is said in the greeting; what is answered is each step's own. */
function keyOf({ target, stdio, env, transport = 'auto', path, headers, era, client }: McpStep): string {
  return JSON.stringify([{ target, stdio, env, transport, path, headers, era }, capabilitiesOf(client)]);
}
