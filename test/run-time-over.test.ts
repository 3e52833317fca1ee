/** An attempt whose time is up is reported as too slow, whatever it was doing. */
import { expect, test } from 'vitest';
import { performTrials, trialsProject } from './harness/trials-project.ts';

/** Prints the given number of megabytes of lines on request. */
const prints = `import { writeSync } from 'node:fs';
import http from 'node:http';
const lines = Buffer.from('nothing to see here, and nothing to see there either\\n'.repeat(20_000));
http
  .createServer((request, response) => {
    const megabytes = Number(new URL(request.url, 'http://here').searchParams.get('mb') ?? 0);
    for (let written = 0; written < megabytes * 1e6; written += lines.length) writeSync(1, lines);
    if (request.url === '/hangs') return;
    response.end('{}');
  })
  .listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
`;

const config = `isolation: shared
services:
  web: { run: [node, prints.mjs], listen: { env: PORT } }`;

test('while it reads logs, performs a step, waits for a check or for quiet, or polls', async () => {
  const project = trialsProject(
    config,
    {
      'reads-logs': 'timeout: 500ms\nsteps: [{ http: "GET web/?mb=120", expect: { status: 200 } }]',
      'looks-at-logs': `timeout: 500ms
steps: [{ http: "GET web/?mb=120", expect: { status: 200 } }]
checks: { line: { logs: web, match: never-there, count: 1 } }`,
      steps: 'timeout: 300ms\nsteps: [{ http: GET web/hangs, expect: { status: 200 } }]',
      silent:
        'timeout: 4s\nsteps: [{ http: GET web/hangs, timeout: 30s, as: page, expect: { status: 200 } }]',
      waits: `timeout: 500ms
steps: [{ http: GET web/ }]
checks: { line: { logs: web, match: never-there, count: 1, within: 20s } }`,
      settles: `timeout: 500ms
settle: 20s
steps: [{ http: GET web/, expect: { status: 200 } }]`,
      stages: 'timeout: 1ms\nsteps: [{ http: GET web/, expect: { status: 200 } }]',
    },
    { 'prints.mjs': prints },
  );
  const { code, verdict, verdicts, trial, text } = await performTrials(project, '--verbose');
  expect(code, text).toBe(1);
  expect(text).not.toContain('Symbol(');
  // On a quick machine a hundred megabytes may be read in time.
  const late = verdict.trials.filter(({ verdict: one }) => one !== 'passed');
  for (const { cause } of late)
    expect(cause?.text).toMatch(/^the attempt (?:had not ended after|never began)/);
  expect(late.map(({ id }) => id)).toEqual(expect.arrayContaining(['settles', 'stages', 'steps', 'waits']));
  // The call was never answered, whichever timeout came first.
  expect(trial('silent').blame).toMatchObject({
    party: 'web',
    because: expect.stringMatching(/gave no answer/),
  });
  expect(text).toContain('the time of the trial, 4.00 s, was up before that of the step, 30.0 s');
  expect(text).toMatch(/outside -> web GET \/hangs (?:no answer|cut off)/);
  expect(verdicts).toMatchObject({ settles: 'failed', steps: 'failed', waits: 'failed' });
});
