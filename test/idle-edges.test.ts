/** An edge on which a worker polls forever: the config defines what counts as idle, and the message shows how. */
import { expect, test } from 'vitest';
import { performTrials, trialsProject, unfolded } from './harness/trials-project.ts';

const config = (edges: string): string => `isolation: shared
${edges}
services:
  queue: { run: [node, services/keeps-a-queue.mjs], listen: { env: PORT, scheme: tcp }, ready: { tcp: true } }
  worker: { run: [node, services/polls-a-queue.mjs], env: { QUEUE_URL: "\${queue.url}" }, after: [queue] }
  desk: { run: [node, services/does-as-told.mjs], listen: { env: PORT }, ready: { http: / } }`;

const rests = (wait: string): string => `steps: [{ http: GET desk/ }, ${wait}]
checks: { nothing-logged: { logs: desk, match: refund, count: 0, provenBy: proof } }`;
const proof = `steps: [{ http: GET desk/print?line=refund }]
checks: { logged: { logs: desk, match: refund, count: 1 } }`;

test.each(['ignore', '{ below: 4KB/s }'])(
  'with `idle: %s` a trial settles, and reports what it did not wait for',
  async (idle) => {
    const project = trialsProject(config(`edges: { worker -> queue: { idle: ${idle} } }`), {
      rests: rests('{ quiet: true, timeout: 5s }'),
      proof,
    });
    const run = await performTrials(project);
    expect(run.code, run.text).toBe(0);
    expect(run.trial('rests').checks.find(({ id }) => id === 'nothing-logged')?.explanation).toContain(
      'worker -> queue',
    );
  },
);

test('without a rule the edge, its bytes and the line for the config are reported', async () => {
  const restless = 'steps: [{ http: GET desk/ }, { quiet: true, timeout: 1s }]';
  const run = await performTrials(trialsProject(config(''), { restless }));
  expect(run.text).toMatch(/Never quiet restless: (?:outside -> desk, )?worker -> queue/);
  expect(run.text).toMatch(/worker -> queue \([\d.]+ K?B in [\d.]+ s\) still busy/);
  expect(run.text).toMatch(/edges: \{ "worker -> queue": \{ idle: \{ below: \dKB\/s \} \} \}/);
});

test('an unknown edge and an invalid rate are reported with their position', async () => {
  const { code, output } = await trialsProject(
    config('edges: { worker -> queu: { idle: ignore }, worker -> queue: { idle: { below: fast } } }'),
    { rests: rests('{ quiet: true }') },
  ).run(['lint']);
  expect(code).toBe(2);
  expect(unfolded(output)).toContain('a rate such as `2KB/s`');
});
