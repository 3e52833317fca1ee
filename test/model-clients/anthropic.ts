/** Anthropic's own client against the scripted model: messages, thinking with its signature, counts. */
import Anthropic from '@anthropic-ai/sdk';
import { expect } from 'vitest';
import { listOf, type PlayedModel, weather } from './played-model.ts';

const model = 'claude-sonnet-5';
const common = { model, max_tokens: 2_000 };
const said = (content: string) => [{ role: 'user' as const, content }];
const tools = [{ name: weather.name, input_schema: weather.schema }];
const thinking = { type: 'enabled' as const, budget_tokens: 1_024 };

export async function useAnthropic({ url, fetch }: PlayedModel): Promise<void> {
  const client = new Anthropic({ baseURL: url, apiKey: 'sk-right', fetch, maxRetries: 0 });
  await messages(client);
  for (const streamed of [false, true]) await thoughts(client, streamed);
  await threads(client);
  const models = (await listOf(client.models.list())).map(({ id }) => id);
  expect(models).toContain('claude-opus-4-8');
  expect(models.filter((id) => !id.startsWith('claude-'))).toEqual([]);
  expect(await client.models.retrieve(`${model}-20270101`)).toMatchObject({ id: `${model}-20270101` });
  const wrong = new Anthropic({ baseURL: url, apiKey: 'sk-wrong', fetch, maxRetries: 0 });
  const refused = await wrong.messages.create({ ...common, messages: said('Hello') }).catch((error) => error);
  expect(refused).toMatchObject({ status: 401, type: 'authentication_error' });
  expect(refused.requestID).toMatch(/^req_\w+$/);
  expect(refused.error.request_id).toBe(refused.requestID);
  await expect(client.post('/v1/nowhere', { body: {} })).rejects.toMatchObject({
    status: 404,
    type: 'not_found_error',
  });
  await expect(client.messages.create({ ...common, messages: said('Too fast') })).rejects.toMatchObject({
    status: 429,
    error: { request_id: expect.stringMatching(/^req_\w+$/) },
  });
  const unversioned = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': 'sk-right' },
    body: JSON.stringify({ ...common, messages: said('Hello') }),
  });
  expect(unversioned.status).toBe(400);
  expect(await unversioned.json()).toMatchObject({
    error: { type: 'invalid_request_error', message: 'anthropic-version: header is required' },
  });
}

async function messages(client: Anthropic): Promise<void> {
  const stopped = { ...common, messages: said('Stop there.'), stop_sequences: ['END', 'STOP'] };
  const end = { stop_reason: 'stop_sequence', stop_sequence: 'END' };
  expect(await client.messages.create(stopped)).toMatchObject(end);
  expect(await client.messages.stream(stopped).finalMessage()).toMatchObject(end);
  const whole = await client.messages.create({ ...common, messages: said('Hello') });
  expect(whole.content).toEqual([{ type: 'text', text: 'Hello to you.' }]);
  expect(whole._request_id).toMatch(/^req_\w+$/);
  const streamed = client.messages.stream({ ...common, messages: said('Hello') });
  expect(await streamed.finalText()).toBe('Hello to you.');
  const events = await listOf(
    await client.messages.create({ ...common, messages: said('Hello'), stream: true }),
  );
  expect(events.find(({ type }) => type === 'message_delta')).toMatchObject({
    usage: {
      input_tokens: whole.usage.input_tokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: whole.usage.output_tokens,
    },
  });
  const count = await client.messages.countTokens({ model, messages: said('Hello') });
  expect(count).toEqual({ input_tokens: whole.usage.input_tokens });
  expect(await client.messages.countTokens({ model, messages: said('as told') })).toEqual({
    input_tokens: 1234,
  });
  const withTools = { system: 'Be brief.', tools, messages: said('How is the weather?') };
  const asked = await client.messages.create({ ...common, ...withTools });
  expect((await client.messages.countTokens({ model, ...withTools })).input_tokens).toBe(
    asked.usage.input_tokens,
  );
  const between = { role: 'system' as const, content: 'Be brief.' };
  const warmed = await client.messages.create({
    model,
    max_tokens: 0,
    messages: [...said('Hello'), between],
  });
  expect(warmed.type).toBe('message');
  const parsed = await client.messages.parse({
    ...common,
    messages: said('As JSON.'),
    output_config: {
      format: { type: 'json_schema', schema: { type: 'object' }, parse: (text: string) => JSON.parse(text) },
    },
  } as never);
  expect(parsed).toHaveProperty('parsed_output', { city: 'Basel', degrees: 15 });
}

/** The model's thinking is sent back unchanged; anything else is refused. */
async function thoughts(client: Anthropic, streamed: boolean): Promise<void> {
  const ask = (messages: Anthropic.MessageParam[]): Promise<Anthropic.Message> => {
    const request = { ...common, tools, thinking, messages };
    return streamed
      ? client.messages.stream(request).finalMessage()
      : client.messages.create({ ...request, stream: false });
  };
  const question = said('How is the weather?');
  const { content } = await ask(question);
  const [thought, call] = content;
  if (thought?.type !== 'thinking' || call?.type !== 'tool_use') throw new Error(JSON.stringify(content));
  expect(thought.signature).toMatch(/^\S{40,}$/);
  const result = { type: 'tool_result' as const, tool_use_id: call.id, content: '15 degrees' };
  const goOn = (first: object) =>
    ask([
      ...question,
      { role: 'assistant', content: [first as Anthropic.ThinkingBlockParam, call] },
      { role: 'user', content: [result] },
    ]);
  expect((await goOn(thought)).content).toMatchObject([{ text: 'It is mild.' }]);
  await expect(goOn({ type: 'text', text: 'I look.' })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('Expected `thinking` or `redacted_thinking`, but found `text`'),
  });
  const { signature, ...unsigned } = thought;
  for (const bad of [
    unsigned,
    { ...thought, signature: '' },
    { ...thought, signature: `${signature}AAAA` },
    { ...thought, thinking: 'Something else.' },
  ])
    await expect(goOn(bad)).rejects.toMatchObject({ status: 400, type: 'invalid_request_error' });
  const secret = (await ask(said('Think in secret.'))).content;
  expect(secret).toMatchObject([{ type: 'redacted_thinking' }, { text: 'I thought.' }]);
  const [hidden] = secret;
  expect((await goOn(hidden as object)).content).toMatchObject([{ text: 'It is mild.' }]);
  await expect(goOn({ type: 'redacted_thinking', data: 'made up' })).rejects.toMatchObject({ status: 400 });
}

/** The tool runner sends only new messages, and leaves the rest to the provider. */
async function threads(client: Anthropic): Promise<void> {
  const cities: unknown[] = [];
  const runner = client.beta.messages.toolRunner({
    ...common,
    messages: said('How is it everywhere?'),
    tools: [
      {
        type: 'custom',
        ...(tools[0] as (typeof tools)[0]),
        parse: (input: unknown) => input,
        run: (input: unknown) => {
          cities.push(input);
          return '15 degrees';
        },
      },
    ],
  });
  expect((await runner.runUntilDone()).content).toMatchObject([{ text: 'It is mild.' }]);
  expect(cities).toEqual([{ city: 'Basel' }, { city: 'Bern' }]);
  const send = (messages: Anthropic.Beta.BetaMessageParam[], previous?: string) =>
    client.beta.messages.create({
      ...common,
      tools,
      messages,
      thread:
        previous === undefined ? { type: 'create' } : { type: 'continue', previous_message_id: previous },
    });
  const { id } = await send(said('How is the weather?'));
  await expect(send(said('Well?'), id)).rejects.toMatchObject({ status: 400 });
  const unthreaded = await client.messages.create({ ...common, messages: said('Hello') });
  await expect(send(said('Well?'), unthreaded.id)).rejects.toMatchObject({
    status: 404,
    errorCode: 'thread_not_found',
  });
}
