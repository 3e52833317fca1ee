import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readJournal } from '../src/journal/reader.ts';
import { endIfThere, makeProject } from './harness/project.ts';
import { until } from './harness/until.ts';

test('a secret that code put into the config is a reference again in the plan, and reaches its service', async () => {
  const project = makeProject({
    'shakedown.config.ts': `export default {
  name: 'coded',
  secrets: ['API_KEY'],
  services: { web: { run: ['node', '-e', "console.log('got ' + process.env.KEY.length); setInterval(() => {}, 1000)"], env: { KEY: process.env.API_KEY }, ready: { log: 'got 18' } } },
};
`,
  });
  const result = await project.run(['up', '--', 'true'], { env: { API_KEY: 'sk-very-secret-123' } });
  expect(result.code, result.output).toBe(0);
  const plan = readFileSync(path.join(project.folder, '.shakedown/latest/plan.json'), 'utf8');
  expect(plan).not.toContain('sk-very-secret-123');
  expect(plan).toContain('${env.API_KEY}');
});

test.each(['node', 'type', '1000', 'ready'])(
  'the secret %j, which is a word of ours too, breaks no journal',
  async (value) => {
    const project = makeProject({
      'shakedown.yaml':
        'name: wordy\nsecrets: [PIN]\nservices: { web: { run: [node, services/answers.mjs], listen: { env: PORT } } }\n',
    });
    const ask =
      'Promise.all(Array.from({ length: 30 }, () => fetch(process.env.SHAKEDOWN_WEB_URL).then((r) => r.text())))';
    const result = await project.run(['up', '--', 'node', '-e', ask], { env: { PIN: value } });
    expect(result.code, result.output).toBe(0);
    const { events } = await readJournal(path.join(project.folder, '.shakedown/latest/events.ndjson'));
    expect(events.filter(({ type }) => type === 'node.ready')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'connection.closed').length).toBeGreaterThan(0);
  },
);

test('logs does not show a secret, not even while the service is up', async () => {
  const project = makeProject({
    'shakedown.yaml': `name: loud
secrets: [API_KEY]
services: { web: { run: [node, -e, "console.log('the key is ' + process.env.KEY); setInterval(() => {}, 1000)"], env: { KEY: "\${env.API_KEY}" }, ready: { log: the key } } }
`,
  });
  const env = { API_KEY: 'sk-very-secret-123' };
  await project.run(['up', '--detach'], { env });
  expect((await project.run(['logs'], { env })).stdout).toBe('web | the key is ‹secret:API_KEY›\n');
  await project.run(['down'], { env });
});

test('after a crash, a log whose secrets nobody knows any more does not stay', async () => {
  const project = makeProject({
    'shakedown.yaml': `name: loud
secrets: [API_KEY]
services: { web: { run: [node, -e, "console.log('the key is ' + process.env.KEY); setInterval(() => {}, 1000)"], env: { KEY: "\${env.API_KEY}" }, ready: { log: the key } } }
`,
  });
  await project.run(['up', '--detach', '--containment', 'ledger'], {
    env: { API_KEY: 'sk-very-secret-123' },
  });
  for (const { pid } of project.left().processes) endIfThere(pid);
  await until(
    'all are dead',
    5_000,
    () => project.left().processes,
    (left) => left.length === 0,
  );
  await project.run(['down']);
  expect(readFileSync(path.join(project.folder, '.shakedown/latest/services/web.log'), 'utf8')).toContain(
    'removed after a crash',
  );
});
