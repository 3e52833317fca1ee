/** When a service ends by itself, a waiting step ends too, because its result can no longer arrive. */
import { expect, test } from 'vitest';
import { performTrials, trialsProject } from './harness/trials-project.ts';

const config = `services:
  desk: { run: [node, services/does-as-told.mjs], listen: { env: PORT }, ready: { http: / } }
  mortal: { run: [node, services/ready-then-dies.mjs], listen: { env: PORT }, ready: { tcp: true } }`;

const dies = '{ http: GET mortal/ }';

test('a step that waits, and one that polls, end soon and name the dead service', async () => {
  const run = await performTrials(
    trialsProject(config, {
      asks: `steps: [${dies}, { http: GET desk/wait, timeout: 40s, as: asked }]`,
      looks: `steps: [${dies}, { until: { logs: desk, match: never-printed, count: 1 }, timeout: 40s, as: looked }]`,
      expects: `steps: [${dies}, { http: GET desk/wait, timeout: 40s, as: asked, expect: { status: 200 } }]`,
    }),
  );
  expect(run.code, run.text).toBe(1);
  for (const [id, step] of [
    ['asks', 'asked'],
    ['looks', 'looked'],
    ['expects', 'asked'],
  ] as const) {
    const { checks, durationMs } = run.trial(id);
    expect(durationMs).toBeLessThan(30_000);
    expect(JSON.stringify(checks.find((check) => check.id === `step ${step}`))).toContain(
      'service mortal ended by itself, with 9',
    );
  }
});

test('a service that the trial itself ends or restarts does not end the waiting of a step', async () => {
  const run = await performTrials(
    trialsProject(config, {
      killed: `steps:
  - { kill: mortal }
  - { http: GET desk/wait, timeout: 2s, as: asked, expect: { error: { kind: timeout } } }
  - { start: mortal }
  - { http: GET desk/, as: after }
checks: { answered: { exchange: after, expect: { status: 200 } } }`,
    }),
  );
  expect(run.code, run.text).toBe(0);
});
