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
    env: { QUEUE: "\${queue.url}", WAIT: "1" }
    listen: { env: PORT }
    ready: { http: / }`;

const ask = 'steps: [{ http: "GET api/?job=7", expect: { status: 200 } }]\nsettle: 400ms\n';

test('a command is found by its key, a missing one is missed, and an absence is proven by another trial', async () => {
  needs('redis-server');
  const project = trialsProject(system, {
    queued: `${ask}checks:
  once: { calls: api -> queue, where: { method: XADD, path: jobs }, expect: [{ params: { $contains: "7" } }] }`,
    absent: `${ask}checks:
  never: { calls: api -> queue, never: { $some: { statement: { $contains: FLUSHALL } } }, provenBy: queued }`,
    missed: `${ask}checks:
  deleted: { calls: api -> queue, where: { method: XDEL }, count: 1 }`,
  });
  const { code, text, verdicts } = await performTrials(project);
  expect(verdicts, text).toEqual({ queued: 'passed', absent: 'passed', missed: 'failed' });
  expect(code).toBe(1);
  expect(text).toMatch(/api -> queue +XADD jobs \* job 7 +ok/);
});
