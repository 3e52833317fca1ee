/** Google's own client against the scripted model: contents, thoughts with their signature, embeddings, counts. */
import { type FunctionCall, GoogleGenAI } from '@google/genai';
import { expect } from 'vitest';
import { listOf, type PlayedModel, weather } from './played-model.ts';

const model = 'gemini-2.5-flash';
const tools = [{ functionDeclarations: [{ name: weather.name, parametersJsonSchema: weather.schema }] }];

export async function useGemini({ url, fetch }: PlayedModel): Promise<void> {
  const client = new GoogleGenAI({ apiKey: 'sk-right', httpOptions: { baseUrl: url } });
  const whole = await client.models.generateContent({ model, contents: 'Hello' });
  expect(whole.text).toBe('Hello to you.');
  const chunks = await listOf(await client.models.generateContentStream({ model, contents: 'Hello' }));
  expect(chunks.map(({ text }) => text).join('')).toBe('Hello to you.');
  expect(chunks.at(-1)?.usageMetadata).toEqual(whole.usageMetadata);
  const three = { model, contents: 'Hello', config: { candidateCount: 3 } };
  const { candidates = [] } = await client.models.generateContent(three);
  expect(candidates.map(({ index, content }) => [index, content?.parts?.[0]?.text])).toEqual(
    [0, 1, 2].map((index) => [index, 'Hello to you.']),
  );
  await expect(client.models.generateContentStream(three)).rejects.toMatchObject({ status: 400 });
  const count = await client.models.countTokens({ model, contents: 'Hello' });
  expect(count.totalTokens).toBe(whole.usageMetadata?.promptTokenCount);
  const parsed = await client.models.generateContent({
    model,
    contents: 'As JSON.',
    config: { responseMimeType: 'application/json', responseJsonSchema: { type: 'object' } },
  });
  expect(JSON.parse(parsed.text ?? '')).toEqual({ city: 'Basel', degrees: 15 });
  for (const name of [model, 'gemini-3-pro-preview']) await thoughts(client, name);
  await severalCalls(client);
  await embeddings(client);
  await door({ url, fetch });
  const models = await listOf(await client.models.list());
  expect(models.map(({ name }) => name)).toContain('models/gemini-2.5-pro');
  expect(models.filter(({ name }) => !name?.startsWith('models/gemini-'))).toEqual([]);
  const latest = await client.models.get({ model: 'gemini-flash-latest' });
  expect(latest).toMatchObject({ version: '001', inputTokenLimit: 1_048_576, outputTokenLimit: 65_536 });
}

async function thoughts(client: GoogleGenAI, name: string): Promise<void> {
  const chat = client.chats.create({ model: name, config: { tools } });
  const asked = await listOf(await chat.sendMessageStream({ message: 'How is the weather?' }));
  const [call] = asked.flatMap(({ functionCalls }) => functionCalls ?? []) as [FunctionCall];
  expect(call).toMatchObject({ name: 'get_weather', args: { city: 'Basel' } });
  const response = { name: weather.name, id: call.id ?? '', response: { output: '15 degrees' } };
  const shown = await chat.sendMessage({ message: [{ functionResponse: response }] });
  expect(shown.text).toBe('It is mild.');
  const history = chat.getHistory();
  const part = history.flatMap(({ parts }) => parts ?? []).find(({ functionCall }) => functionCall);
  expect(part?.thoughtSignature).toMatch(/^\S{40,}$/);
  const ask = (thoughtSignature: string | undefined) =>
    client.models.generateContent({
      model: name,
      contents: [
        { role: 'user', parts: [{ text: 'How is the weather?' }] },
        {
          role: 'model',
          parts: [{ functionCall: call, ...(thoughtSignature === undefined ? {} : { thoughtSignature }) }],
        },
        { role: 'user', parts: [{ functionResponse: response }] },
      ],
      config: { tools },
    });
  expect((await ask(part?.thoughtSignature)).text).toBe('It is mild.');
  await expect(ask(`${part?.thoughtSignature}AAAA`)).rejects.toMatchObject({ status: 400 });
  const unsigned = ask(undefined);
  if (name.startsWith('gemini-3')) await expect(unsigned).rejects.toMatchObject({ status: 400 });
  else expect((await unsigned).text).toBe('It is mild.');
}

/** A chat that streams keeps one content for each chunk. */
async function severalCalls(client: GoogleGenAI): Promise<void> {
  const chat = client.chats.create({ model: 'gemini-3-pro-preview', config: { tools } });
  const asked = await listOf(await chat.sendMessageStream({ message: 'How is it everywhere?' }));
  const calls = asked.flatMap(({ functionCalls }) => functionCalls ?? []);
  expect(calls).toHaveLength(2);
  const message = calls.map(({ id = '' }) => ({
    functionResponse: { id, name: weather.name, response: { output: '15 degrees' } },
  }));
  const shown = await listOf(await chat.sendMessageStream({ message }));
  expect(shown.map(({ text }) => text).join('')).toBe('It is mild.');
}

async function embeddings(client: GoogleGenAI): Promise<void> {
  const one = await client.models.embedContent({ model: 'gemini-embedding-001', contents: 'a cat' });
  expect(one.embeddings?.[0]?.values).toHaveLength(3072);
  const many = await client.models.embedContent({
    model: 'gemini-embedding-001',
    contents: ['a cat', 'a dog'],
    config: { outputDimensionality: 64 },
  });
  expect(many.embeddings?.map(({ values }) => values?.length)).toEqual([64, 64]);
  await expect(
    client.models.embedContent({ model: 'gemini-embedding-001', contents: 'too much' }),
  ).rejects.toMatchObject({ status: 429 });
}

async function door({ url, fetch }: Pick<PlayedModel, 'url' | 'fetch'>): Promise<void> {
  const ask = async (path: string, headers: Record<string, string>, verb = ':generateContent') => {
    const body = JSON.stringify({ contents: [{ parts: [{ text: 'Hello' }] }] });
    const response = await fetch(`${url}/v1beta/${path}${verb}`, { method: 'POST', headers, body });
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      text: await response.text(),
    };
  };
  const wrong = await ask(`models/${model}`, { 'x-goog-api-key': 'sk-wrong' });
  expect(wrong.status).toBe(400);
  const message = 'API key not valid. Please pass a valid API key.';
  expect(JSON.parse(wrong.text)).toEqual({
    error: {
      code: 400,
      message,
      status: 'INVALID_ARGUMENT',
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'API_KEY_INVALID',
          domain: 'googleapis.com',
          metadata: { service: 'generativelanguage.googleapis.com' },
        },
        { '@type': 'type.googleapis.com/google.rpc.LocalizedMessage', locale: 'en-US', message },
      ],
    },
  });
  const missing = await ask(`models/${model}`, {});
  expect(missing.status).toBe(403);
  expect(JSON.parse(missing.text)).toMatchObject({ error: { code: 403, status: 'PERMISSION_DENIED' } });
  const key = { 'x-goog-api-key': 'sk-right' };
  const streamed = await ask(`models/${model}`, key, ':streamGenerateContent?alt=sse');
  expect(streamed.text).toMatch(/^(?:data: \{.*\}\r\n\r\n)+$/);
  const nowhere = await ask('nothing', key, '');
  expect(nowhere).toMatchObject({ status: 404, type: 'text/html; charset=UTF-8' });
  const embedded = await ask('models/gemini-embedding-001', key, ':embedContent');
  expect(embedded.status, 'contents instead of content').toBe(400);
}
