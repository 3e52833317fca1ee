/** An edge under rules for single exchanges, with what a consumer gets of one exchange. */
import type { JournalEventBody } from '../../src/journal/event.ts';
import type { ExchangeFault, ExchangeRule } from '../../src/taps/exchanges/exchange-rule.ts';
import type { TapOptions } from '../../src/taps/tap.ts';
import { eventually } from './eventually.ts';
import type { Peer } from './peer.ts';
import { chunk, eventsHead, lastChunk, type WatchedEdge, watchedEdge } from './watched-edge.ts';

export type Felt = Extract<JournalEventBody, { type: 'disturbance.felt' }>;

export interface DisturbedEdge extends WatchedEdge {
  felt(): Felt[];
  /** The disturbances that had an effect, once there are so many. */
  untilFelt(count: number): Promise<string[]>;
  /** Both ends of a new connection; the provider answers each request as soon as it is there. */
  answering(request: Uint8Array, answer: string | Uint8Array): Promise<Answered>;
}

export interface Answered {
  readonly consumer: Peer;
  readonly provider: Peer;
  /** What the consumer has received so far, as bytes in a string. */
  got(): string;
  /** Resolves when the consumer has received exactly this. */
  until(text: string): Promise<void>;
}

export async function disturbedEdge(
  deeds: ExchangeFault | readonly ExchangeFault[] | readonly ExchangeRule[],
  options: Partial<TapOptions> = {},
): Promise<DisturbedEdge> {
  const edge = await watchedEdge(options);
  await edge.tap.disturbExchanges(rulesOf(deeds));
  const felt = (): Felt[] => edge.events.filter((event) => event.type === 'disturbance.felt');
  return {
    ...edge,
    felt,
    untilFelt: async (count) => {
      await eventually(() => felt().length >= count, `${count} disturbances were felt`);
      return felt().map(({ what }) => what);
    },
    answering: async (request, answer) => {
      const { consumer, provider } = await edge.join();
      provider.socket.once('data', () => void provider.socket.write(answer));
      consumer.socket.write(request);
      return spokenTo(consumer, provider);
    },
  };
}

export function spokenTo(consumer: Peer, provider: Peer): Answered {
  const got = (): string => consumer.got.toString('latin1');
  return {
    consumer,
    provider,
    got,
    until: async (text) => {
      const wanted = Buffer.from(text).toString('latin1');
      await eventually(
        () => consumer.gotBytes >= wanted.length,
        `the consumer gets ${JSON.stringify(text)}`,
      ).catch((error: unknown) => {
        throw new Error(`it has ${JSON.stringify(got())}`, { cause: error });
      });
      if (got() !== wanted) throw new Error(`it has ${JSON.stringify(got())}, not ${JSON.stringify(wanted)}`);
    },
  };
}

export function rulesOf(
  deeds: ExchangeFault | readonly ExchangeFault[] | readonly ExchangeRule[],
): readonly ExchangeRule[] {
  const list = 'do' in deeds ? [deeds] : deeds;
  return list.map((one, index) => ('do' in one ? { name: `disturb[${index}]`, fault: one } : one));
}

/** A stream of events, each in a chunk of its own. */
export function eventStream(events: readonly string[]): string {
  return `${eventsHead}${events.map((event) => chunk(event)).join('')}${lastChunk}`;
}

/** An event with this data. */
export function event(data: unknown): string {
  return `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}
