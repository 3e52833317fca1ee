/** What a tap is to the rest of the code: an address for one consumer, numbers, and a rule that can be replaced. */
import type { CallEvent } from '../journal/call-event.ts';
import type { Emit } from '../journal/event.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Random } from '../kernel/random.ts';
import type { Disturbance } from './disturbance.ts';
import type { ExchangeRule } from './exchanges/exchange-rule.ts';

export interface TapOptions {
  readonly from: string;
  readonly to: string;
  /** The address to bind; 127.0.0.1 when absent. */
  readonly host?: string;
  /** The kernel's choice when absent. */
  readonly port?: number;
  /** Where the provider is; undefined while it does not listen yet. */
  readonly target: () => Target | undefined;
  readonly emit: Emit;
  readonly clock: Clock;
  /** Observe what passes, and report the calls in it. `store`: statements of PostgreSQL or commands of Redis, whichever it is; `redis`: also as a person types them. */
  readonly watch?: 'http' | 'store' | 'redis' | 'perhaps-store';
  /** Requests get the provider's own address as their `Host`; it stays as it is where absent. Only where the tap looks. */
  readonly hostHeader?: 'own';
  /** Milliseconds since the journal's first moment, for the times of calls. */
  readonly at?: (moment?: number) => number;
  /** Source of randomness for disturbances. */
  readonly random?: Random;
  readonly limits?: {
    readonly tapBufferedBytes?: number;
    readonly tapConnections?: number;
    /** How many files this process may have open; any number where absent. */
    readonly openFiles?: number;
  };
}

export interface Target {
  readonly host: string;
  readonly port: number;
  /** What it is called in `Host`, where that is another name. */
  readonly authority?: string;
}

export interface TapStats {
  readonly open: number;
  readonly total: number;
  /** Bytes forwarded: consumer to provider, and back. */
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /** Bytes that a disturbance or a slow reader keeps inside the tap. */
  readonly bytesWaiting: number;
  /** Requests without a complete response, where the tap looks; a stream of events that a GET opened does not count. */
  readonly callsInFlight: number;
  /** On the clock's monotonic scale; the tap's opening when nothing has come yet. */
  readonly lastActivityAt: number;
}

export interface Tap {
  readonly from: string;
  readonly to: string;
  readonly host: string;
  readonly port: number;
  /** Replaces the rule; resolves when it is in force. One at a time, in the order of the calls. */
  disturb(disturbance: Disturbance): Promise<void>;
  /**
   * Replaces the rules for single exchanges; none removes them. A running exchange continues, but what an earlier
   * rule still holds back is cut off. Only where the tap looks.
   */
  disturbExchanges(rules: readonly ExchangeRule[]): Promise<void>;
  stats(): TapStats;
  /** Calls that are not over, as far as they have passed, `incomplete: 'in-flight'`; none where the tap does not look. */
  callsInFlight(): readonly CallEvent[];
  /** Resets what is open; resolves when every socket is gone. */
  close(): Promise<void>;
}
