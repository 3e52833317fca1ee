/** Relays name edges that exist and meet; otherwise they would protect nothing. */
import { expect, test } from 'vitest';
import { trialsProject, unfolded } from './harness/trials-project.ts';

test('edges that do not exist, or do not meet, are reported', async () => {
  const project = trialsProject(
    `services:
  web: { run: [node, services/answers.mjs], listen: { env: PORT }, env: { STORE: "\${store.url}" } }
  store: { run: [node, services/answers.mjs], listen: { env: PORT } }
relays:
  good: { incoming: outside -> web, outgoing: web -> store, same: [request.json] }
  misspelt: { incoming: outside -> web, outgoing: web -> stoer, same: [request.json] }
  apart: { incoming: outside -> store, outgoing: web -> store, same: [request.json] }`,
    { a: 'steps: [{ http: GET web/, expect: { status: 200 } }]' },
  );
  const { code, output } = await project.run(['lint']);
  expect(code).toBe(2);
  const text = unfolded(output);
  expect(text).toContain('there is no edge `web -> stoer`');
  expect(text).toContain('did you mean `web -> store`?');
  expect(text).toContain('`outside -> store` leads to store, and `web -> store` begins at web');
  expect(text).not.toContain('relays.good');
});
