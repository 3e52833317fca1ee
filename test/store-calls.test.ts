/** What a service sends to a store is a call on its edge; one that waits for work does not keep a trial from settling. */
import { expect, test } from 'vitest';
import { needs } from './harness/needs.ts';
import { performTrials, trialsProject } from './harness/trials-project.ts';

const system = `services:
  queue:
    run: [redis-server, --port, "\${self.port}", --bind, 127.0.0.1, --save, "", --dir, "\${self.dir}"]
    listen: { auto: true, scheme: redis }
    ready: { log: Ready to accept }
  api:
    run: [node, services/enqueues.mjs]
    env: { QUEUE: "\${queue.url}", WAIT: "60000" }
    listen: { env: PORT }
    ready: { http: / }`;

const ask = 'steps: [{ http: "GET api/?job=7", expect: { status: 200 } }]\nsettle: 400ms\n';

test('a command is found by its key, a missing one is missed, and an absence is proven unless a part was not kept', async () => {
  needs('redis-server');
  const large = ask.replace('job=7', 'job=FLUSHALL&filler=20000');
  const project = trialsProject(system, {
    large: `${large}checks:
  never: { calls: api -> queue, where: { statement: { $contains: FLUSHALL } }, count: 0, provenBy: queued }`,
    queued: `${ask}checks:
  once: { calls: api -> queue, where: { method: XADD, path: jobs }, expect: [{ params: { $contains: "7" } }] }`,
    absent: `${ask}checks:
  never: { calls: api -> queue, never: { $some: { statement: { $contains: FLUSHALL } } }, provenBy: queued }`,
    missed: `${ask}checks:
  deleted: { calls: api -> queue, where: { method: XDEL }, count: 1 }`,
  });
  const { code, text, verdicts } = await performTrials(project, '--verbose');
  expect(verdicts, text).toEqual({
    large: 'unknown',
    queued: 'passed',
    absent: 'passed',
    missed: 'failed',
  });
  expect(code).toBe(1);
  expect(text).toMatch(/api -> queue +XADD jobs \* job 7 +ok/);
});

test('a read that waited from before the attempt is a call of the attempt that answered it', async () => {
  needs('redis-server');
  const took = `${ask}checks:
  taken: { calls: api -> queue, where: { method: XREAD }, count: 1 }
  what: { calls: api -> queue, where: { method: XREAD }, expect: [{ result: { $some: { $type: array } } }] }`;
  const project = trialsProject(system, {
    a: took,
    b: took,
    idle: `steps: [{ http: GET api/, expect: { status: 200 } }]
checks:
  nothing: { calls: api -> queue, where: { method: XREAD }, expect: [], provenBy: a }
  wrong: { calls: api -> queue, count: 7 }`,
  });
  const { text, verdicts } = await performTrials(project, '--verbose');
  expect(verdicts, text).toEqual({ a: 'passed', b: 'passed', idle: 'failed' });
  expect(text).toContain('✓ held: nothing');
  expect(text).not.toContain('no answer');
});

test('commands that are sent as lines are found, too', async () => {
  needs('redis-server');
  const project = trialsProject(system.replace('WAIT: "60000"', 'TYPED: "1"'), {
    queued: `${ask}checks:
  once: { calls: api -> queue, where: { method: XADD, path: jobs }, expect: [{ params: { $contains: "7" } }] }`,
  });
  const { text, verdicts } = await performTrials(project);
  expect(verdicts, text).toEqual({ queued: 'passed' });
});
