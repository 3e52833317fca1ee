/** Services on Node keep what they compiled from one start to the next, unless they are configured otherwise. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeProject, type Project } from './harness/project.ts';

async function environmentSeen(
  project: Project,
  env: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> {
  const script = "fetch(process.argv[1]).then((r) => r.text()).then((text) => console.log('ANSWER ' + text))";
  const result = await project.run(['up', '--', 'node', '-e', script, '${web.url}/env'], { env });
  expect(result.code, result.output).toBe(0);
  return JSON.parse(/^ANSWER (.*)$/m.exec(result.stdout)?.[1] ?? '{}') as Record<string, string>;
}

function project(env = ''): Project {
  const service = `run: [node, services/answers.mjs], listen: { env: PORT }, ready: { http: / }${env}`;
  return makeProject({ 'shakedown.yaml': `name: compiled\nservices: { web: { ${service} } }\n` });
}

test('in a folder that outlives the environment', async () => {
  const own = project();
  const folder = path.join(own.folder, '.shakedown/cache/node');
  expect((await environmentSeen(own)).NODE_COMPILE_CACHE).toBe(folder);
  expect(existsSync(folder) && readdirSync(folder)).toHaveLength(1);
});

test('in the workspace as soon as a declared secret has a value', async () => {
  const service = 'run: [node, services/answers.mjs], listen: { env: PORT }, ready: { http: / }';
  const own = makeProject({
    'shakedown.yaml': `name: compiled\nsecrets: [KEY]\nservices: { web: { ${service} } }\n`,
  });
  const folder = path.join(own.folder, '.shakedown/cache/node');
  const { NODE_COMPILE_CACHE: secretive = '' } = await environmentSeen(own, { KEY: 'sk-very-secret-123' });
  expect(path.relative(own.tmp, secretive)).toMatch(/^shakedown-\w+\/\.compiled$/);
  expect([existsSync(folder), readdirSync(own.tmp)]).toEqual([false, []]);
  expect((await environmentSeen(own)).NODE_COMPILE_CACHE).toBe(folder);
});

test('what the config says wins', async () => {
  const env = await environmentSeen(project(', env: { NODE_COMPILE_CACHE: "${self.tmp}/mine" }'));
  expect(env.NODE_COMPILE_CACHE).toMatch(/\/web\/tmp\/mine$/);
});

test('not where every function must be counted', async () => {
  const env = await environmentSeen(project(', env: { NODE_V8_COVERAGE: "${self.tmp}/coverage" }'));
  expect(env.NODE_COMPILE_CACHE).toBeUndefined();
});
