/** `lint --live`: endpoints that trials call are compared with the running services; undecidable ones are counted. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { lintJson } from './harness/lint-project.ts';
import { makeProject, type Project } from './harness/project.ts';
import { startRunning } from './harness/running.ts';
import { nothing, until } from './harness/until.ts';

const service = (document: string) =>
  `{ run: [node, services/lists-its-endpoints.mjs], listen: { env: PORT }, env: { DOCUMENT: "${document}" }, ready: { tcp: true } }`;
const config = `name: shop
trials: "trials/**"
suite: { openapi: { declared: /api/docs } }
services:
  declared: ${service('/api/docs')}
  plain: ${service('')}
`;

const steps = (id: string, ...calls: readonly string[]) =>
  `id: ${id}\nsteps:\n${calls.map((call) => `  - ${call}\n`).join('')}`;

const files = {
  'trials/declared.trial.yaml': steps(
    'declared',
    '{ http: GET declared/v1/things, expect: { status: 200 } }',
    '{ http: DELETE declared/v1/things/7, expect: { status: 204 } }',
    '{ http: GET declared/v1/thigns, expect: { status: 200 } }',
    '{ http: PUT declared/v1/things, expect: { status: 200 } }',
    '{ http: GET declared/v1/nowhere, expect: { status: 404 } }',
    '{ http: "GET declared/v1/things/${trial.uid}", expect: { status: 200 } }',
  ),
  'trials/plain.trial.yaml': steps(
    'plain',
    '{ http: GET plain/v1/things, expect: { status: 200 } }',
    '{ http: GET plain/v1/things/7, expect: { status: 200 } }',
    '{ http: GET plain/v2/things, expect: { status: 200 } }',
    '{ http: POST plain/v1/things, json: {}, expect: { status: 201 } }',
    '{ http: "GET plain/v1/${trial.uid}", expect: { status: 200 } }',
    '{ http: GET plain/v3/things, as: refused }',
  ).concat('checks:\n  refused: { exchange: refused, expect: { status: { $any: [404, 410] } } }\n'),
};

const shop = (): Project => makeProject({ 'shakedown.yaml': config, ...files });

const found = [
  'unknown-endpoint trials/declared.trial.yaml:5',
  'unknown-endpoint trials/declared.trial.yaml:6',
  'unknown-endpoint trials/plain.trial.yaml:5',
];

test('by the OpenAPI document, by probing paths that trials read, and not at all', async () => {
  const project = shop();
  const { code, shown, findings, notKnown, json } = await lintJson(project, ['--live']);
  expect({ code, shown }).toEqual({ code: 6, shown: found });
  expect(findings[0]).toMatchObject({
    text: 'declared has no GET /v1/thigns',
    next: 'did you mean `/v1/things`?',
  });
  expect(findings[1]?.text).toBe('declared has /v1/things for GET, POST, but not for PUT');
  expect(notKnown.map(({ what, count, names }) => ({ what, count, names }))).toEqual([
    { what: 'endpoints', count: 1, names: ['POST plain/v1/things'] },
    { what: 'endpoints', count: 1, names: ['GET plain/v1/${trial.uid}'] },
  ]);
  expect(json.live).toMatchObject({ services: 2, endpoints: 8 });
  expect(project.left()).toEqual(nothing);
  expect(existsSync(path.join(project.folder, '.shakedown/latest'))).toBe(false);
});

test('on an environment that is up already, which stays up', async () => {
  const project = shop();
  const none = await project.run(['lint', '--live', '--attach']);
  expect(none.code).toBe(2);
  expect(none.stderr).toContain('error[usage.not-up]');
  expect((await project.run(['up', '--detach'])).code).toBe(0);
  const { code, stdout } = await project.run(['lint', '--live', '--attach']);
  expect(code).toBe(6);
  expect(stdout).toContain('compared with the running system: 2 services, 8 endpoints');
  expect(stdout).toContain('3 findings: as it is, the suite is not honest');
  expect(stdout).toContain(
    'not known, and not counted as fine:\n  1 endpoints (POST plain/v1/things): a request other than a read',
  );
  expect((await project.run(['status'])).stdout).toContain('declared');
  expect((await project.run(['down'])).code).toBe(0);
  expect(project.left()).toEqual(nothing);
});

test('a system that does not boot, and options without --live, are errors', async () => {
  const project = makeProject({
    'shakedown.yaml':
      'name: a\nservices:\n  web: { run: [node, services/exits-at-once.mjs], listen: { env: PORT } }\n',
  });
  const broken = await project.run(['lint', '--live']);
  expect(broken.code).toBe(3);
  expect(broken.stderr).toContain('error[boot.process-exited]');
  expect(project.left()).toEqual(nothing);
  const idle = await project.run(['lint', '--attach']);
  expect(idle.code).toBe(2);
  expect(idle.stderr).toContain('add --live');
});

test('interrupted while the system boots, it leaves nothing', async () => {
  const project = makeProject({
    'shakedown.yaml':
      'name: a\nservices:\n  web: { run: [node, services/never-ready.mjs], listen: { env: PORT } }\n',
  });
  const running = startRunning(project, ['lint', '--live']);
  await until(
    'the service is started',
    20_000,
    () => readdirSync(project.folder, { recursive: true }).map(String),
    (files) => files.some((file) => file.endsWith('web.log')),
  );
  running.child.kill('SIGINT');
  expect(await running.ended, running.text()).toBe(130);
  expect(project.left()).toEqual(nothing);
});
