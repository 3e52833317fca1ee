import path from 'node:path';
import { expect, test } from 'vitest';
import { readJournal } from '../src/journal/reader.ts';
import { makeProject } from './harness/project.ts';

test('the calls between services are in the journal: caller, request and answer; secrets are not', async () => {
  const project = makeProject({
    'shakedown.yaml': `name: pair
secrets: [API_KEY]
services:
  front: { run: [node, services/answers.mjs], listen: { env: PORT }, env: { PEER: "\${back.url}/deep?key=\${env.API_KEY}" }, after: [back] }
  back: { run: [node, services/answers.mjs], listen: { env: PORT }, env: { NAME: back } }
`,
  });
  const script = `const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ code: process.env.API_KEY }) };
    await fetch(process.env.SHAKEDOWN_FRONT_URL + '/peer', post).then((answer) => answer.text())`;
  const env = { API_KEY: 'swordfish' };
  const result = await project.run(['up', '--', 'node', '--input-type=module', '-e', script], { env });
  expect(result.code, result.output).toBe(0);
  const { events } = await readJournal(path.join(project.folder, '.shakedown/latest/events.ndjson'));
  const calls = events.filter((event) => event.type === 'call');
  expect(calls).toMatchObject([
    {
      from: 'front',
      to: 'back',
      crossing: 1,
      method: 'GET',
      path: '/deep?key=‹secret:API_KEY›',
      response: { status: 200, text: 'hello from back' },
    },
    {
      from: 'outside',
      to: 'front',
      method: 'POST',
      path: '/peer',
      request: { json: { code: '‹secret:API_KEY›' } },
      response: { status: 200, text: 'peer: hello from back' },
    },
  ]);
  const [inner, outer] = calls;
  expect(outer?.startedAt).toBeLessThanOrEqual(inner?.startedAt ?? 0);
  expect(outer?.startedAt).toBeGreaterThan(0);
  expect(outer?.endedAt).toBeLessThanOrEqual(outer?.at ?? 0);
});
