/** The interface of all faults: what an edit does to the parts of one request and of its response. */
import type { Random } from '../../kernel/random.ts';
import type { RequestHead, ResponseHead } from '../../protocols/http/http-message.ts';
import type { CutBy } from '../rules/rule.ts';

/**
 * An edit belongs to one exchange. It gets each part of a message in order and returns what replaces it: parts, and
 * moves between them. A function that is absent leaves that message alone.
 */
export interface ExchangeEdit {
  /** Answers without the provider, which does not get the request. Asked once, when the whole request has come. */
  readonly instead?: () => readonly EditedPart<ResponseHead>[];
  readonly request?: (part: Part<RequestHead>) => readonly EditedPart<RequestHead>[];
  readonly response?: (part: Part<ResponseHead>) => readonly EditedPart<ResponseHead>[];
  /** Nothing more of the response comes, and it is not whole: gives what was kept back. Later parts pass. */
  readonly release?: () => readonly EditedPart<ResponseHead>[];
}

/** What an edit can read about its exchange. */
export interface EditAbout {
  readonly request: RequestHead;
  /** For what it draws: the same seed gives the same disturbance. */
  readonly random: Random;
  /** Seconds since 1970. */
  readonly now: () => number;
  /** Sends the bytes of a whole request to the provider once more; says whether it was answered. */
  readonly sendAgain: (request: readonly Buffer[]) => Promise<boolean>;
}

/** A piece of a message with its bytes as they are on the wire. The bytes of all parts in their order are the message. */
export type Part<Head> =
  | (Wire & { readonly is: 'head'; readonly head: Head })
  /** Sizes and ends of chunks, and what follows the last of them. */
  | (Wire & { readonly is: 'frame' })
  | (Wire & { readonly is: 'body' })
  /** The message is over; without bytes. */
  | (Wire & { readonly is: 'end' });

interface Wire {
  readonly raw: Buffer;
  /** No bytes of this message follow. Of a body that lasts until the connection ends, only its end knows. */
  readonly isLast?: true;
}

export type EditedPart<Head> = Part<Head> | Move;

export type Move =
  /** What follows is forwarded this much later. */
  | { readonly do: 'wait'; readonly ms: number }
  /** Nothing is forwarded for this long; permanently where absent. */
  | { readonly do: 'hold'; readonly ms?: number }
  /** The connection ends when what went before has arrived; with `what`, that is felt. */
  | { readonly do: 'cut'; readonly by: CutBy; readonly what?: string }
  /** What was forwarded before has this effect when it arrives. Reported once for each exchange. */
  | { readonly do: 'felt'; readonly what: string }
  /** What follows waits until what went before has arrived. A consumer that leaves from then on has felt all of it. */
  | { readonly do: 'arrive'; readonly what: string }
  /** It met the exchange, and has nothing to do there. */
  | { readonly do: 'unfit'; readonly what: string }
  /** What follows waits for it. */
  | { readonly do: 'work'; readonly work: () => Promise<string | undefined> };

export function bodyPart(raw: Buffer): Part<never> {
  return { is: 'body', raw };
}

export function framePart(text: string): Part<never> {
  return { is: 'frame', raw: Buffer.from(text, 'latin1') };
}

export const endPart: Part<never> = { is: 'end', raw: Buffer.alloc(0) };
