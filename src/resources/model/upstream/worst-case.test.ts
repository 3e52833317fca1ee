import { expect, test } from 'vitest';
import { dialects } from '../../../protocols/dialects/dialect-table.ts';
import type { ModelCall } from '../model-call.ts';
import { worstCase } from './budget.ts';

const prices = { m: { input: 1, output: 0 } };

/** Of 300,000 bytes, so that it may be 100,000 tokens. */
function worst(dialect: ModelCall['dialect'], kept?: object): number | null {
  const text = JSON.stringify([{ type: 'text', text: '"cache_control" says \\"1h\\"', ...kept }]);
  const request = { model: 'm', maxTokens: 0 } as ModelCall['request'];
  const wire = { body: Buffer.from(text.padEnd(300_000)) } as Partial<ModelCall['wire']> as ModelCall['wire'];
  return worstCase({ dialect, request, wire }, prices).usd;
}

test('all of a call may be written to the cache of Anthropic, where it asks for that', () => {
  expect(worst(dialects.anthropic)).toBeCloseTo(0.1);
  expect(worst(dialects.anthropic, { cache_control: { type: 'ephemeral' } })).toBeCloseTo(0.125);
  expect(worst(dialects.anthropic, { cache_control: { type: 'ephemeral', ttl: '1h' } })).toBeCloseTo(0.2);
  expect(worst(dialects['openai-chat'], { cache_control: { type: 'ephemeral' } })).toBeCloseTo(0.1);
});

test('each of several answers may be as long as is allowed', () => {
  const request = { model: 'm', maxTokens: 1_000_000, choices: 3 } as ModelCall['request'];
  const wire = { body: Buffer.alloc(0) } as Partial<ModelCall['wire']> as ModelCall['wire'];
  const worst = worstCase(
    { dialect: dialects['openai-chat'], request, wire },
    { m: { input: 1, output: 2 } },
  );
  expect(worst).toEqual({ usd: 6, tokens: 3_000_000 });
});
