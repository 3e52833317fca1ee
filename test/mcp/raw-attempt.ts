/** An attempt on a hand-made server, and what ends with the test. */
import { type McpEvidence, openAttempt, type TestAttempt } from './act-on.ts';
import { type Misbehave, openRawServer, type RawServer } from './raw-server.ts';

export type RawOptions = Parameters<typeof openRawServer>[1];

export interface RawAttempts {
  attemptOn(misbehave: Misbehave, options?: RawOptions): Promise<TestAttempt & { peer: RawServer }>;
  /** What a call gives when the server does this instead of answering. */
  callOn(misbehave: Misbehave, options?: RawOptions): Promise<McpEvidence>;
  /** Ended with the rest, the last first. */
  alsoEnd(...things: readonly { close(): Promise<unknown> }[]): void;
  end(): Promise<void>;
}

export function rawAttempts(): RawAttempts {
  const open: { close(): Promise<unknown> }[] = [];
  const attemptOn: RawAttempts['attemptOn'] = async (misbehave, options) => {
    const peer = await openRawServer(misbehave, options);
    const attempt = openAttempt(peer.address);
    open.push(peer, { close: attempt.end });
    return { ...attempt, peer };
  };
  return {
    attemptOn,
    callOn: async (misbehave, options) => {
      const { act } = await attemptOn(misbehave, options);
      return act({ target: 'server', tool: 'a' });
    },
    alsoEnd: (...things) => void open.push(...things),
    end: async () => {
      for (const thing of open.splice(0).reverse()) await thing.close();
    },
  };
}
