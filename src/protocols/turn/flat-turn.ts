/** A folded turn as it is written down: its texts joined, its calls in a list. */
import { defined } from '../../kernel/defined.ts';
import type { DialectName, FoldedPart, FoldedTurn, StopReason, TurnError, Usage, WireFault } from './turn.ts';

export interface FlatTurn {
  readonly dialect: DialectName;
  readonly streamed: boolean;
  readonly complete: boolean;
  /** All visible text, refusals included. */
  readonly text: string;
  readonly reasoning?: string;
  readonly calls: readonly FlatCall[];
  readonly stop: StopReason | null;
  readonly usage: Usage | null;
  readonly model?: string;
  readonly error?: TurnError;
  readonly faults: readonly WireFault[];
  readonly oddities: readonly WireFault[];
}

export interface FlatCall {
  readonly id: string;
  readonly name: string;
  readonly arguments?: unknown;
  readonly argumentsText?: string;
}

export function flatTurn(folded: FoldedTurn): FlatTurn {
  const texts: string[] = [];
  const reasonings: string[] = [];
  const calls: FlatCall[] = [];
  for (const part of folded.parts) {
    if (part.kind === 'text' || part.kind === 'refusal') texts.push(part.text);
    else if (part.kind === 'reasoning') reasonings.push(part.text);
    else if (part.kind === 'call') calls.push(withoutKind(part));
  }
  const { dialect, streamed, complete, stop, usage, model, error, faults, oddities } = folded;
  const reasoning = reasonings.join('');
  return {
    dialect,
    streamed,
    complete,
    text: texts.join(''),
    ...(reasoning === '' ? {} : { reasoning }),
    calls,
    stop,
    usage,
    ...defined({ model, error }),
    faults,
    oddities,
  };
}

function withoutKind({
  kind: _,
  namespace: __,
  ...call
}: Extract<FoldedPart, { readonly kind: 'call' }>): FlatCall {
  return call;
}
