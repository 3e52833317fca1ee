/** What of a turn each dialect can carry, so that two turns are compared by no more than that. */
import type { DialectName, StopReason } from '../../src/protocols/turn/turn.ts';

export interface Carries {
  /** Text, reasoning and calls keep their order; without it they come back as reasoning, text, refusal, calls. */
  readonly order: boolean;
  /** Adjacent parts of this kind come back as one. */
  readonly joins: readonly ('text' | 'reasoning' | 'refusal')[];
  readonly signature: boolean;
  readonly redacted: boolean;
  /** A refusal is a part of its own; otherwise it is sent as text. */
  readonly refusal: boolean;
  /** The wire has no separate stop reason for a turn with calls or with a refusal: it follows from the parts. */
  readonly stopFollowsParts: boolean;
  /** What each reason comes back as. */
  readonly stops: Readonly<Record<StopReason, StopReason>>;
  /** The reasons that a turn without calls is drawn with. */
  readonly drawnStops: readonly StopReason[];
  readonly cachedInput: boolean;
  readonly reasoningUsage: boolean;
  /** How an id of a call begins. */
  readonly callId: string;
}

const plainStops: Readonly<Record<StopReason, StopReason>> = {
  end: 'end',
  'tool-calls': 'tool-calls',
  length: 'length',
  filter: 'filter',
  refusal: 'refusal',
  'stop-sequence': 'end',
  pause: 'end',
  context: 'length',
  other: 'end',
};

export const dialectCarries: Readonly<Record<DialectName, Carries>> = {
  'openai-chat': {
    order: false,
    joins: ['text', 'reasoning', 'refusal'],
    signature: false,
    redacted: false,
    refusal: true,
    stopFollowsParts: true,
    stops: plainStops,
    drawnStops: ['end', 'length', 'filter'],
    cachedInput: true,
    reasoningUsage: true,
    callId: 'call_',
  },
  'openai-responses': {
    order: true,
    joins: [],
    signature: true,
    redacted: false,
    refusal: true,
    stopFollowsParts: true,
    stops: plainStops,
    drawnStops: ['end', 'length', 'filter'],
    cachedInput: true,
    reasoningUsage: true,
    callId: 'call_',
  },
  anthropic: {
    order: true,
    joins: [],
    signature: true,
    redacted: true,
    refusal: false,
    stopFollowsParts: false,
    stops: {
      ...plainStops,
      filter: 'refusal',
      'stop-sequence': 'stop-sequence',
      pause: 'pause',
      context: 'context',
    },
    drawnStops: ['end', 'length', 'refusal', 'stop-sequence', 'pause', 'context'],
    cachedInput: true,
    reasoningUsage: false,
    callId: 'toolu_',
  },
  gemini: {
    order: true,
    joins: ['text', 'reasoning'],
    signature: true,
    redacted: false,
    refusal: false,
    stopFollowsParts: true,
    stops: { ...plainStops, refusal: 'filter' },
    drawnStops: ['end', 'length', 'filter'],
    cachedInput: true,
    reasoningUsage: true,
    callId: 'call_',
  },
};
