/** The official clients of all providers work with the scripted model. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { readJournal } from '../src/journal/reader.ts';
import { nothing } from './harness/until.ts';
import { useAnthropic } from './model-clients/anthropic.ts';
import { typeErrors } from './model-clients/check-types.ts';
import { useGemini } from './model-clients/gemini.ts';
import { useOpenAi } from './model-clients/openai.ts';
import { playModel } from './model-clients/played-model.ts';

test('plain, streamed, with tools, thinking, structured output, embeddings and counts', async () => {
  const model = await playModel();
  await useOpenAi(model);
  await useAnthropic(model);
  await useGemini(model);
  expect(await typeErrors(model.answers)).toBe('');
  const down = await model.project.run(['down']);
  expect(down.code, down.output).toBe(0);
  const { events } = await readJournal(path.join(model.project.folder, '.shakedown/latest/events.ndjson'));
  const called = events.filter((event) => event.type === 'model.called');
  const embedded = called.find(({ asks, status }) => asks === 'embedding' && status === 200);
  expect(embedded).toMatchObject({ model: 'text-embedding-3-small', usage: { input: 6, output: 0 } });
  expect(called.find(({ asks }) => asks === 'count')).toMatchObject({ status: 200, costUsd: 0 });
  const unscripted = called.flatMap(({ fault }) => (fault?.kind === 'unscripted' ? [fault.what] : []));
  const addresses = unscripted.map((what) => /^[A-Z]+ \/\S+ is not played/.exec(what)?.[0] ?? what);
  expect(addresses).toEqual([
    expect.stringContaining('`background: true`'),
    'POST /v1/moderations is not played',
    'GET /v1/skills is not played',
    'POST /v1/nowhere is not played',
    'POST /v1/nowhere is not played',
    'POST /v1beta/nothing is not played',
  ]);
  expect(model.project.left()).toEqual(nothing);
});
