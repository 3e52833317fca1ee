/** A service that ends by itself ends the waiting of a step: what it was to bring does not come. */
import { expect, test } from 'vitest';
import { performTrials, trialsProject } from './harness/trials-project.ts';

const config = `services:
  desk: { run: [node, services/does-as-told.mjs], listen: { env: PORT }, ready: { http: / } }
  mortal: { run: [node, services/ready-then-dies.mjs], listen: { env: PORT }, ready: { tcp: true } }`;

const dies = '{ http: GET mortal/ }';

test('a step that waits, and one that looks, end soon and say who died', async () => {
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

test('a service that the trial ends itself, or starts again, keeps nobody from waiting', async () => {
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
