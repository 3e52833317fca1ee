/** The budget for a real provider: reserved before each call, and charged by the actual cost. */
import { describe, expect, test } from 'vitest';
import { openFront, openProvider } from './open-front.ts';
import { asking } from './open-model.ts';

const chat = asking['openai-chat']();
const usage = { input: 1_000, output: 100 };

describe('a budget', () => {
  const priced = { prices: { 'gpt-4o': { input: 1, output: 1 } } };
  const limited = { ...chat.body, max_tokens: 1_000 };

  test('is reserved before a call, and charged by the actual cost', async () => {
    const provider = await openProvider([{ says: 'x', usage, times: 'any' }]);
    const front = await openFront('live', provider, priced);
    await front.begin(undefined, { budget: { usd: 0.0035 } });
    const statuses: number[] = [];
    for (let call = 0; call < 4; call += 1) statuses.push((await front.ask(chat.path, limited)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = front.calls()[3];
    expect(refused).toMatchObject({ status: 429, costUsd: 0, fault: { kind: 'budget' } });
    expect(refused?.fault?.what).toMatch(/^the budget of the trial is \$0\.0035: \$0\.0033 are spent/);
    expect(provider.calls()).toHaveLength(3);
    await front.begin(undefined, { budget: { usd: 0.0035 } });
    expect((await front.ask(chat.path, limited)).status, 'the next trial has its own').toBe(200);
  });

  test('of the run holds over all trials', async () => {
    const provider = await openProvider([{ says: 'x', usage, times: 'any' }]);
    const front = await openFront('live', provider, { ...priced, budget: { tokens: 2_500 } });
    await front.begin();
    expect((await front.ask(chat.path, limited)).status).toBe(200);
    await front.begin();
    const refused = await front.ask(chat.path, { ...limited, max_tokens: 2_000 });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('x-should-retry')).toBe('false');
    expect(refused.text).toContain('the budget of the run is 2500 tokens: 1100 are spent');
  });

  test('that a call exceeds is a fault of that call, although it was answered, and the next is refused', async () => {
    const provider = await openProvider([{ says: 'x', usage: { input: 90_000, output: 2 }, times: 'any' }]);
    const front = await openFront('live', provider, priced);
    await front.begin(undefined, { budget: { usd: 0.01 } });
    const pdf = { type: 'file', file: { file_id: 'file-0123' } };
    const asked = { ...limited, messages: [{ role: 'user', content: [pdf] }] };
    const statuses = [(await front.ask(chat.path, asked)).status, (await front.ask(chat.path, asked)).status];
    expect(statuses).toEqual([200, 429]);
    expect(front.calls()[0]).toMatchObject({
      status: 200,
      fault: { kind: 'budget' },
      counted: { tokens: 90_002 },
    });
    expect(front.calls()[0]?.fault?.what).toMatch(
      /^the budget of the trial is \$0\.01, and \$0\.09 are spent/,
    );
  });

  test('concurrent calls reserve together', async () => {
    const provider = await openProvider([{ says: 'x', usage, times: 'any', afterMs: 50 }]);
    const front = await openFront('live', provider, priced);
    await front.begin(undefined, { budget: { usd: 0.0025 } });
    const answers = await Promise.all([1, 2, 3].map(() => front.ask(chat.path, limited)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429]);
  });

  test('of zero refuses everything', async () => {
    const provider = await openProvider([{ says: 'x' }]);
    const front = await openFront('live', provider, { ...priced, budget: { usd: 0 } });
    expect((await front.ask(chat.path, limited)).status).toBe(429);
    expect(provider.calls()).toEqual([]);
  });

  test('in dollars refuses a model without a price, and says what to do', async () => {
    const provider = await openProvider([{ says: 'x', usage }]);
    const front = await openFront('live', provider);
    await front.begin(undefined, { budget: { usd: 1 } });
    const answer = await front.ask(chat.path, { ...limited, model: 'our-own' });
    expect(answer.status).toBe(429);
    expect(answer.text).toContain(
      'the price of the model is not known; give `prices: { our-own: { input, output } }`',
    );
    await front.begin(undefined, { budget: { tokens: 10_000 } });
    expect((await front.ask(chat.path, { ...limited, model: 'our-own' })).status).toBe(200);
    expect(front.calls()[1]).toMatchObject({ usage, costUsd: null });
  });

  test('assumes the worst of a call that sets no limit', async () => {
    const provider = await openProvider([{ says: 'x', usage }]);
    const front = await openFront('live', provider, priced);
    await front.begin(undefined, { budget: { tokens: 10_000 } });
    const answer = await front.ask(chat.path, chat.body);
    expect(answer.status).toBe(429);
    expect(answer.text).toContain('32768 tokens are assumed');
  });
});
