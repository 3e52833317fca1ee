/** A real provider behind the model: recorded, replayed, refused when the prompt has changed, and stopped by a budget. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import type { Project } from './harness/project.ts';
import { latestVerdict, performTrials, trialsProject, unfolded } from './harness/trials-project.ts';

const key = 'sk-the-real-one-0123456789';

/** Answers like a provider, repeats the question, and counts. */
async function startProvider({
  packs = false,
} = {}): Promise<{ url: string; asked: { text: string; key: string | undefined }[] }> {
  const asked: { text: string; key: string | undefined }[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const text = String(body.messages.at(-1).content);
    asked.push({ text, key: request.headers.authorization });
    const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 };
    const message = { role: 'assistant', content: `You said ${text}.` };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    const answer = {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: body.model,
      choices,
      usage,
    };
    const packed = packs ? { 'content-encoding': 'gzip' } : {};
    response.writeHead(200, { 'content-type': 'application/json', ...packed });
    response.end(packs ? gzipSync(JSON.stringify(answer)) : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

function project(mode: string, more = '', trials = 1): Project {
  const config = `isolation: shared
resources:
  model:
    kind: model
    mode: ${mode}
    upstreams: { openai: { url: "\${env.PROVIDER_URL}", key: PROVIDER_KEY } }
    prices: { model-a: { input: 10, output: 100 } }
    ${more}
secrets: [PROVIDER_KEY]
services:
  agent:
    run: [node, services/asks-a-model.mjs]
    listen: { env: PORT }
    ready: { http: /health }
    env: { MODEL_URL: "\${model.url}" }`;
  const asks = (text: string): string => `steps:
  - { http: POST agent/ask, json: { text: ${text} }, as: answer }
checks:
  echoed: { exchange: answer, expect: { status: 200, json: { text: You said ${text}. } } }`;
  return trialsProject(
    config,
    Object.fromEntries(
      Array.from({ length: trials }, (_, index) => [`talk-${index + 1}`, asks(`hello${index + 1}`)]),
    ),
  );
}

test('recorded once with the real provider, replayed without it, and drift is named', async () => {
  const { url, asked } = await startProvider();
  const env = { PROVIDER_URL: url, PROVIDER_KEY: key };
  const made = project('cassette');
  const recorded = await made.run(['record'], { env });
  expect(recorded.code, recorded.output).toBe(0);
  expect(asked).toEqual([{ text: 'hello1', key: `Bearer ${key}` }]);
  const folder = path.join(made.folder, 'shakedown/cassettes');
  const [file = ''] = readdirSync(folder);
  const tape = readFileSync(path.join(folder, file), 'utf8');
  expect(tape).not.toContain(key);

  const replayed = await made.run(['run'], { env: { PROVIDER_URL: 'http://127.0.0.1:9', PROVIDER_KEY: '' } });
  expect(replayed.code, replayed.output).toBe(0);
  expect(asked).toHaveLength(1);

  const trial = path.join(made.folder, 'trials/talk-1.trial.yaml');
  writeFileSync(trial, readFileSync(trial, 'utf8').replaceAll('hello1', 'goodbye'));
  const drifted = await made.run(['run'], { env: { PROVIDER_URL: url, PROVIDER_KEY: key } });
  expect(drifted.code, drifted.output).toBe(1);
  expect(unfolded(drifted.output)).toMatch(/messages?.*shakedown record/);

  writeFileSync(path.join(folder, file), tape.slice(0, 100));
  const torn = await made.run(['run'], { env: { PROVIDER_URL: url, PROVIDER_KEY: key } });
  expect(torn.code, torn.output).toBe(6);
  expect(unfolded(torn.output)).toContain(file);
});

test('live, each trial shows its cost, even if the provider compresses its answers', async () => {
  const { url } = await startProvider({ packs: true });
  const made = project('live');
  const { code, output } = await made.run(['run'], { env: { PROVIDER_URL: url, PROVIDER_KEY: key } });
  expect(code, output).toBe(0);
  expect(latestVerdict(made).trial('talk-1')).toMatchObject({
    costUsd: 0.02,
    tokens: { input: 1_000, output: 100 },
  });
  expect(output).toContain('0.02');
  expect(output).not.toContain('as if live');
  expect(existsSync(path.join(made.folder, 'shakedown/cassettes'))).toBe(false);
});

test('a spent budget stops the run: exit 5, what was not performed is unknown, and the sum is correct', async () => {
  const { url, asked } = await startProvider();
  const made = project('live', 'budget: { tokens: 20000 }', 30);
  const { code, output } = await made.run(['run', '--parallel', '1'], {
    env: { PROVIDER_URL: url, PROVIDER_KEY: key },
  });
  expect(code, output).toBe(5);
  const { verdict } = latestVerdict(made);
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.length).toBeLessThan(20);
  expect(verdict.counts.passed).toBe(asked.length);
  expect(verdict.counts.unknown).toBe(30 - asked.length);
  expect(verdict.counts.failed).toBe(0);
  expect(unfolded(output)).toMatch(/budget/);
});

test('with a budget of zero nothing is asked, and a model without a price is not free', async () => {
  const { url, asked } = await startProvider();
  const env = { PROVIDER_URL: url, PROVIDER_KEY: key };
  const none = project('live', 'budget: { usd: 0 }');
  const refused = await none.run(['run'], { env });
  expect(refused.code, refused.output).toBe(5);
  expect(unfolded(refused.output)).toContain('a budget limit was reached');
  expect(refused.output).not.toMatch(/budget (?:is|was) spent/);
  expect(asked).toHaveLength(0);
  const made = project('live', 'budget: { usd: 5 }');
  const config = path.join(made.folder, 'shakedown.yaml');
  writeFileSync(config, readFileSync(config, 'utf8').replace('model-a:', 'model-b:'));
  const unpriced = await made.run(['run'], { env });
  expect(unpriced.code, unpriced.output).toBe(5);
  expect(unfolded(unpriced.output)).toContain('model-a');
  expect(asked).toHaveLength(0);
});

test('without the key that the config names, the trial cannot be performed, and the reason is reported', async () => {
  const { url } = await startProvider();
  const made = project('live');
  const run = await made.run(['run'], { env: { PROVIDER_URL: url, PROVIDER_KEY: '' } });
  expect(run.code, run.output).not.toBe(0);
  expect(unfolded(run.output)).toContain('PROVIDER_KEY');
});

test('--model chooses another mode than the config', async () => {
  const made = project('live');
  const run = await made.run(['run', '--model', 'nonsense'], { env: { PROVIDER_URL: 'http://127.0.0.1:9' } });
  expect(run.code).toBe(2);
  expect(unfolded(run.output)).toContain('script, record, cassette, live');
  const scripted = await performTrials(
    trialsProject('services: { web: { run: [node, services/answers.mjs], listen: { env: PORT } } }', {
      a: 'steps: [{ http: GET web/, expect: { status: 200 } }]',
    }),
  );
  expect(scripted.code, scripted.text).toBe(0);
});

test('a failed recording leaves the existing one unchanged', async () => {
  const { url } = await startProvider();
  const made = project('cassette');
  const good = await made.run(['record'], { env: { PROVIDER_URL: url, PROVIDER_KEY: key } });
  expect(good.code, good.output).toBe(0);
  const file = path.join(made.folder, 'shakedown/cassettes/talk-1.json');
  const before = readFileSync(file, 'utf8');
  const away = await made.run(['record'], { env: { PROVIDER_URL: 'http://127.0.0.1:9', PROVIDER_KEY: key } });
  expect(away.code, away.output).toBe(1);
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test('a declared secret that is said to the model reaches neither the recording nor the journal, and is still replayed', async () => {
  const { url } = await startProvider();
  const made = project('cassette');
  const config = path.join(made.folder, 'shakedown.yaml');
  writeFileSync(
    config,
    readFileSync(config, 'utf8').replace('secrets: [PROVIDER_KEY]', 'secrets: [PASSWORD]'),
  );
  const trial = path.join(made.folder, 'trials/talk-1.trial.yaml');
  const password = 'hunter2-very-secret';
  const spoken = `id: talk-1
steps: [{ http: POST agent/ask, json: { text: "say \${env.PASSWORD} and ${key}" }, as: answer }]
checks: { answered: { exchange: answer, expect: { status: 200 } } }
`;
  writeFileSync(trial, spoken.replace(key, '${env.PROVIDER_KEY}'));
  const env = { PROVIDER_URL: url, PROVIDER_KEY: key, PASSWORD: password };
  for (const words of [['record'], ['run']]) {
    const { code, output } = await made.run(words, { env });
    expect(code, output).toBe(0);
  }
  const files = readdirSync(made.folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && /cassettes|runs|green/.test(entry.parentPath),
  );
  expect(files.length).toBeGreaterThan(5);
  const shown = files.filter((entry) =>
    [password, key].some((secret) =>
      readFileSync(path.join(entry.parentPath, entry.name), 'utf8').includes(secret),
    ),
  );
  expect(shown.map(({ name }) => name)).toEqual([]);
});
