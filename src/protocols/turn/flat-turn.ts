/** A folded turn as it is written down: its texts joined, its calls in a list. */
import { defined } from '../../kernel/defined.ts';
import type { FoldedPart, FoldedTurn } from './turn.ts';

export interface FlatTurn extends Omit<FoldedTurn, 'parts' | 'stopWord' | 'id'> {
  /** All visible text, refusals included. */
  readonly text: string;
  readonly reasoning?: string;
  readonly calls: readonly FlatCall[];
}

type CallPart = Extract<FoldedPart, { readonly kind: 'call' }>;

export type FlatCall = Omit<CallPart, 'kind' | 'namespace'>;

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

function withoutKind({ kind: _, namespace: __, ...call }: CallPart): FlatCall {
  return call;
}
