/** A shape: one encoding of a logical message that was seen in the wild, legal or not, and how to make it. */
import type { Random } from '../../kernel/random.ts';
import type { PrintAbout } from '../turn/dialect.ts';
import type { DialectName, Turn } from '../turn/turn.ts';
import type { Asked } from './asked.ts';

/** What the corpus says of it. */
export interface ShapeRow {
  /** `S01` … `M44`. */
  readonly id: string;
  /** 1: illegal, must be contained. 2: legal, must give the same turn. 2c: outside of the specification, or more than the provider's own client reads, and sent all the same. */
  readonly tier: '1' | '2' | '2c';
  readonly title: string;
  /** What a good consumer does with it. */
  readonly right: string;
  /** Public threads about software that it broke: `owner/repo#number`. */
  readonly seen: readonly string[];
  /** Tier 2c only: whether our own folds accept it or reject it. Neither ever corrupts. */
  readonly policy?: 'accept' | 'reject';
  /** What of a turn is another one afterwards, though the shape is legal; nothing where absent. */
  readonly changes?: readonly TurnChange[];
  readonly over: readonly (DialectName | 'mcp-http' | 'mcp-stdio')[];
  /** Why there is no generator. */
  readonly why?: string;
}

export interface Shape extends ShapeRow {
  /** Of model dialects. */
  readonly make?: MakeAnswer;
  /** Of the tool protocol: what a server says to one request. */
  readonly makeRpc?: MakeRpcAnswer;
}

export type TurnChange =
  /** The ids of calls. */
  | 'ids'
  /** Why it ended. */
  | 'stop'
  | 'usage'
  /** How many parts there are and in which order, not their joined text, their joined reasoning and their calls. */
  | 'parts';

/** Undefined where the shape does not apply to the turn (no calls, one call, no text), or was not requested. */
export type MakeAnswer = (input: ShapeInput) => WireAnswer | undefined;

export interface ShapeInput {
  readonly dialect: DialectName;
  readonly turn: Turn;
  readonly about: PrintAbout;
  /** What the consumer asked for. */
  readonly streamed: boolean;
  readonly asked: Asked;
  readonly random: Random;
}

export type MakeRpcAnswer = (input: RpcShapeInput) => WireAnswer | undefined;

export interface RpcShapeInput {
  readonly transport: 'mcp-http' | 'mcp-stdio';
  readonly request: { readonly id?: string | number; readonly method: string; readonly params?: unknown };
  /** What an honest server would say. */
  readonly result: unknown;
  readonly accept: string;
  /** Of HTTP; a post where absent. A client that listens sends a GET, which holds no message: its `request` has an empty method. */
  readonly http?: string;
  /** What the server has given the session, or gives it with this answer. */
  readonly sessionId?: string;
  readonly random: Random;
}

/** An answer as bytes: written piece by piece, then ended. Over stdio, status and headers mean nothing. */
export interface WireAnswer {
  readonly status: number;
  /** Names in lower case; without the transfer framing, which the sender adds. */
  readonly headers: Readonly<Record<string, string>>;
  readonly pieces: readonly WirePiece[];
  readonly end: WireEnd;
}

export interface WirePiece {
  readonly bytes: Uint8Array;
  /** Waited before this piece. */
  readonly afterMs?: number;
}

export type WireEnd =
  /** As HTTP demands. */
  | 'whole'
  /** The connection is closed in the middle of the answer. */
  | 'fin'
  | 'reset'
  /** Nothing more comes, and the connection stays open. */
  | 'hang';
