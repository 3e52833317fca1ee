/** OpenAI's own client against the scripted model: chat, responses, completions, embeddings, counts. */
import OpenAI, { AzureOpenAI } from 'openai';
import { expect } from 'vitest';
import { listOf, type PlayedModel, weather } from './played-model.ts';

const said = (content: string) => [{ role: 'user' as const, content }];
const format = {
  name: 'reading',
  strict: true,
  schema: { type: 'object', properties: { city: { type: 'string' }, degrees: { type: 'number' } } },
};

export async function useOpenAi({ url, fetch }: PlayedModel): Promise<void> {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'sk-right', fetch, maxRetries: 0 });
  await chat(client);
  await severalChoices(client);
  await responses(client);
  await keptResponses(client);
  await completions(client);
  await embeddings(client);
  await azure(url, fetch);
  const models = (await listOf(client.models.list())).map(({ id }) => id);
  expect(models).toContain('gpt-4o');
  expect(models.filter((id) => /claude|gemini/.test(id))).toEqual([]);
  expect(await client.models.retrieve('gpt-4o')).toMatchObject({ id: 'gpt-4o', object: 'model' });
  expect(await client.models.retrieve('ft:gpt-4o:acme::1')).toMatchObject({ id: 'ft:gpt-4o:acme::1' });
  const wrong = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'sk-wrong', fetch, maxRetries: 0 });
  await expect(wrong.models.list()).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
  await expect(client.moderations.create({ input: 'x' })).rejects.toMatchObject({ status: 404 });
  await expect(client.skills.list()).rejects.toMatchObject({ status: 404 });
  await expect(client.post('/nowhere', { body: {} })).rejects.toMatchObject({
    status: 404,
    code: null,
    type: 'invalid_request_error',
    requestID: expect.stringMatching(/^req_\w+$/),
  });
}

async function chat(client: OpenAI): Promise<void> {
  const model = 'gpt-4o';
  const whole = await client.chat.completions.create({ model, messages: said('Hello') });
  expect(whole.choices[0]?.message.content).toBe('Hello to you.');
  expect(whole._request_id).toMatch(/^req_\w+$/);
  const streamed = client.chat.completions.stream({
    model,
    messages: said('Hello'),
    stream_options: { include_usage: true },
  });
  expect(await streamed.finalContent()).toBe('Hello to you.');
  expect(await streamed.totalUsage()).toMatchObject({ prompt_tokens: whole.usage?.prompt_tokens });
  const parsed = await client.chat.completions.parse({
    model,
    messages: said('As JSON.'),
    response_format: { type: 'json_schema', json_schema: format },
  });
  expect(parsed.choices[0]?.message.parsed).toEqual({ city: 'Basel', degrees: 15 });
  const runner = client.chat.completions.runTools({
    model,
    messages: said('How is the weather?'),
    stream: true,
    tools: [
      {
        type: 'function',
        function: {
          name: weather.name,
          description: weather.description,
          parameters: weather.schema,
          parse: JSON.parse,
          function: ({ city }: { city: string }) => `${city}: 15 degrees`,
        },
      },
    ],
  });
  expect(await runner.finalContent()).toBe('It is mild.');
  await expect(client.chat.completions.create({ model, messages: said('Too fast') })).rejects.toMatchObject({
    status: 429,
    requestID: expect.stringMatching(/^req_\w+$/),
  });
}

async function severalChoices(client: OpenAI): Promise<void> {
  const asked = { model: 'gpt-4o', messages: said('Hello'), n: 3 };
  const whole = await client.chat.completions.create(asked);
  expect(whole.choices.map(({ index, message }) => [index, message.content])).toEqual(
    [0, 1, 2].map((index) => [index, 'Hello to you.']),
  );
  const streamed = await client.chat.completions.stream(asked).finalChatCompletion();
  expect(streamed.choices.map(({ message }) => message.content)).toEqual(Array(3).fill('Hello to you.'));
  const texts = await client.completions.create({ model: 'gpt-3.5-turbo-instruct', prompt: 'Hello', n: 2 });
  expect(texts.choices.map(({ index, text }) => [index, text])).toEqual(
    [0, 1].map((index) => [index, 'Hello to you.']),
  );
  await expect(client.chat.completions.create({ ...asked, n: 0 })).rejects.toMatchObject({ status: 400 });
  const tools = [{ type: 'custom' as const, custom: { name: 'code' } }];
  const custom = { model: 'gpt-5', messages: said('Run it.'), tools };
  const called = await client.chat.completions.create(custom);
  expect(called.choices[0]?.message.tool_calls).toMatchObject([
    { type: 'custom', custom: { name: 'code', input: 'print(1)' } },
  ]);
  const chunks = await listOf(await client.chat.completions.create({ ...custom, stream: true }));
  const pieces = chunks.flatMap(({ choices: [choice] }) => choice?.delta.tool_calls ?? []);
  expect(pieces).toMatchObject([{ type: 'custom' }, { custom: { input: 'print(1)' } }]);
}

async function keptResponses(client: OpenAI): Promise<void> {
  const shown = {
    model: 'gpt-5',
    metadata: { k: 'v' },
    instructions: 'be brief',
    max_output_tokens: 77,
    temperature: 0.3,
    parallel_tool_calls: false,
    tools: [{ type: 'custom' as const, name: 'code' }],
  };
  const request = { ...shown, text: { format: { type: 'json_object' as const } } };
  const stream = client.responses.stream({ ...request, reasoning: { effort: 'low' }, input: 'Run it.' });
  const first = await stream.finalResponse();
  expect(first).toMatchObject({ ...request, reasoning: { effort: 'low', summary: null }, store: true });
  const [call] = first.output;
  if (call?.type !== 'custom_tool_call') throw new Error(`it has ${call?.type}`);
  expect(call.input).toBe('print(1)');
  const after = { ...shown, previous_response_id: first.id };
  const result = (call_id: string) => [{ type: 'custom_tool_call_output' as const, call_id, output: '15' }];
  const reference = (id = ''): OpenAI.Responses.ResponseInput => [{ type: 'item_reference', id }];
  const meant = await client.responses.create({
    ...shown,
    input: [{ role: 'user', content: 'Run it.' }, ...reference(call.id), ...result(call.call_id)],
  });
  expect(meant.output_text).toBe('It is mild.');
  await expect(
    client.responses.create({ ...shown, input: [...reference('msg_never'), ...result(call.call_id)] }),
  ).rejects.toMatchObject({
    status: 404,
    message: expect.stringContaining("Item with id 'msg_never' not found"),
  });
  const second = await client.responses.create({ ...after, input: result(call.call_id) });
  expect(second).toMatchObject({ output_text: 'It is mild.', previous_response_id: first.id });
  const lost = await client.responses.create({ ...shown, input: 'Hello', store: false });
  expect(lost).toMatchObject({ store: false });
  const refused = [
    [{ ...after, input: 'Hello' }, /No tool output found/],
    [{ ...after, input: result('call_of_nobody') }, /No tool call found/],
    [
      { ...shown, input: 'Hello', previous_response_id: lost.id },
      /Previous response with id 'resp_\w+' not found/,
    ],
    [{ ...shown, input: 'Hello', conversation: 'conv_x' }, /Conversation with id 'conv_x' not found/],
    [{ ...shown, input: reference(call.id) }, /No tool output found/],
    [{ ...shown, input: reference(call.id).concat(result('call_of_nobody')) }, /No tool call found/],
    [{ ...shown, input: 'Hello', background: true }, /`background: true`/],
  ] as const;
  for (const [body, message] of refused)
    await expect(client.responses.create(body)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(message),
    });
  await expect(
    client.responses.create({ ...shown, input: 'Hello', previous_response_id: 'resp_never' }),
  ).rejects.toMatchObject({ code: 'previous_response_not_found' });
}

async function responses(client: OpenAI): Promise<void> {
  const model = 'gpt-5';
  const whole = await client.responses.create({ model, input: 'Hello' });
  expect(whole.output_text).toBe('Hello to you.');
  const count = await client.responses.inputTokens.count({ model, input: 'Hello' });
  expect(count).toEqual({ object: 'response.input_tokens', input_tokens: whole.usage?.input_tokens });
  const parsed = await client.responses.parse({
    model,
    input: 'As JSON.',
    text: { format: { type: 'json_schema', ...format } },
  });
  expect(parsed.output_parsed).toEqual({ city: 'Basel', degrees: 15 });
  const asked = {
    model,
    store: false,
    include: ['reasoning.encrypted_content' as const],
    tools: [{ type: 'function' as const, name: weather.name, parameters: weather.schema, strict: true }],
  };
  const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'How is the weather?' }];
  const first = await client.responses.stream({ ...asked, input }).finalResponse();
  const [thought, call] = first.output;
  if (thought?.type !== 'reasoning' || call?.type !== 'function_call') throw new Error(first.output_text);
  expect(thought.encrypted_content).toMatch(/^\S{40,}$/);
  const output = { type: 'function_call_output' as const, call_id: call.call_id, output: '15 degrees' };
  const second = await client.responses.create({ ...asked, input: [...input, thought, call, output] });
  expect(second.output_text).toBe('It is mild.');
  const altered = { ...thought, encrypted_content: `${thought.encrypted_content}AAAA` };
  await expect(
    client.responses.create({ ...asked, input: [...input, altered, call, output] }),
  ).rejects.toMatchObject({ status: 400, code: 'invalid_encrypted_content' });
  const { encrypted_content: _, ...unsealed } = thought;
  await expect(
    client.responses.create({ ...asked, input: [...input, unsealed, call, output] }),
  ).rejects.toMatchObject({ status: 400 });
  const plain = await client.responses.create({ model, input: 'Think.' });
  expect(plain.output[0]).not.toHaveProperty('encrypted_content');
}

async function completions(client: OpenAI): Promise<void> {
  const model = 'gpt-3.5-turbo-instruct';
  const whole = await client.completions.create({ model, prompt: 'Hello' });
  expect(whole.choices[0]).toMatchObject({ text: 'Hello to you.', finish_reason: 'stop' });
  const stream = await client.completions.create({ model, prompt: 'Hello', stream: true });
  const chunks = await listOf(stream);
  expect(chunks.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe('Hello to you.');
  expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop');
}

async function embeddings(client: OpenAI): Promise<void> {
  const model = 'text-embedding-3-small';
  const one = await client.embeddings.create({ model, input: 'the cat sat on the mat' });
  expect(one.data[0]?.embedding).toHaveLength(1536);
  expect(one.usage).toEqual({ prompt_tokens: 6, total_tokens: 6 });
  const input = ['the cat sat on the mat', 'a cat on a mat', 'quarterly tax report'];
  const many = await client.embeddings.create({ model, input, dimensions: 256, encoding_format: 'float' });
  const [same = [], near = [], far = []] = many.data.map(({ embedding }) => embedding);
  expect(many.data.map(({ index }) => index)).toEqual([0, 1, 2]);
  expect(same).toHaveLength(256);
  expect(dot(same, same)).toBeCloseTo(1, 5);
  expect(dot(same, near)).toBeGreaterThan(dot(same, far));
  const again = await client.embeddings.create({ model, input: input[0] ?? '', dimensions: 256 });
  expect(dot(again.data[0]?.embedding ?? [], same)).toBeCloseTo(1, 5);
  const tokens = await client.embeddings.create({ model, input: [[1, 2, 3], [4]] });
  expect(tokens.data).toHaveLength(2);
  expect(tokens.usage.prompt_tokens).toBe(4);
  const shown = await client.embeddings.create({ model, input: 'as told', encoding_format: 'float' });
  expect(shown).toMatchObject({ data: [{ embedding: [0.6, 0.8] }], usage: { prompt_tokens: 7 } });
  await expect(client.embeddings.create({ model, input: 'too much' })).rejects.toMatchObject({ status: 429 });
  await expect(client.embeddings.create({ model, input: '' })).rejects.toMatchObject({ status: 400 });
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

async function azure(url: string, fetch: PlayedModel['fetch']): Promise<void> {
  const options = { endpoint: url, apiVersion: '2024-10-21', fetch, maxRetries: 0 };
  const client = new AzureOpenAI({ ...options, apiKey: 'sk-right' });
  const answer = await client.chat.completions.create({ model: 'ours', messages: said('Hello') });
  expect(answer.choices[0]?.message.content).toBe('Hello to you.');
  expect((await client.embeddings.create({ model: 'ours', input: 'x' })).data).toHaveLength(1);
  const wrong = new AzureOpenAI({ ...options, apiKey: 'sk-wrong' });
  await expect(
    wrong.chat.completions.create({ model: 'ours', messages: said('Hello') }),
  ).rejects.toMatchObject({ status: 401 });
  const bare = await fetch(`${url}/openai/deployments/ours/chat/completions?api-version=2024-10-21`, {
    method: 'POST',
    headers: { 'api-key': 'sk-right' },
    body: JSON.stringify({ messages: said('Hello') }),
  });
  expect(await bare.json()).toMatchObject({ model: 'ours' });
}
