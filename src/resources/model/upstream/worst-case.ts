/** What a call could come to at most, known before it is made. */
import type { Usage } from '../../../protocols/turn/turn.ts';
import type { ModelPrice } from '../../../system/system.ts';
import { costOf } from '../cost-of.ts';
import type { ModelCall } from '../model-call.ts';
import type { Amount } from './budget.ts';

/** What is assumed of a call that does not say how long its answer may be. */
export const assumedOutputTokens = 32_768;

/** A token is rarely shorter than this, in any language. */
const bytesOfToken = 3;

export function worstCase(
  { dialect, request, wire }: Pick<ModelCall, 'dialect' | 'request' | 'wire'>,
  prices: Readonly<Record<string, ModelPrice>>,
): Amount {
  const input = Math.ceil(wire.body.length / bytesOfToken);
  const output = (request.maxTokens ?? assumedOutputTokens) * (request.choices ?? 1);
  const written = dialect.name === 'anthropic' ? cacheWrites(wire.body, input) : {};
  return { usd: costOf(request.model, { input, output, ...written }, prices), tokens: input + output };
}

/** Where anything may be put into the cache, all of it may. */
function cacheWrites(body: ModelCall['wire']['body'], input: number): Partial<Usage> {
  if (!body.includes('"cache_control"')) return {};
  return body.includes('"1h"') ? { cacheWrite1h: input } : { cacheWrite5m: input };
}
