import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeProject } from './harness/project.ts';

test('a port that was taken between our choice and the start is replaced', async () => {
  const project = makeProject({
    'shakedown.yaml': `name: snatched
services: { web: { run: [node, services/finds-its-port-taken.mjs], listen: { env: PORT }, env: { MARK: "\${config.dir}/mark" }, ready: { http: / } } }
`,
  });
  const result = await project.run([
    'up',
    '--',
    'node',
    '-e',
    'fetch(process.env.SHAKEDOWN_WEB_URL).then((r) => r.text()).then(console.log)',
  ]);
  expect(result.code, result.output).toBe(0);
  expect(result.stdout).toContain('got one');
  const first = readFileSync(path.join(project.folder, 'mark'), 'utf8');
  expect(result.stdout).toContain(`service web: port ${first} is already taken, trying another`);
});
