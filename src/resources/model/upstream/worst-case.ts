/** What a call could come to at most, known before it is made. */
import type { ModelPrice } from '../../../system/system.ts';
import { costOf } from '../cost-of.ts';
import type { ModelCall } from '../model-call.ts';
import type { Amount } from './budget.ts';

/** What is assumed of a call that does not say how long its answer may be. */
export const assumedOutputTokens = 32_768;

/** A token is seldom shorter than this, whatever the language. */
const bytesOfToken = 3;

export function worstCase(
  { request, wire }: Pick<ModelCall, 'request' | 'wire'>,
  prices: Readonly<Record<string, ModelPrice>>,
): Amount {
  const input = Math.ceil(wire.body.length / bytesOfToken);
  const output = request.maxTokens ?? assumedOutputTokens;
  return { usd: costOf(request.model, { input, output }, prices), tokens: input + output };
}
