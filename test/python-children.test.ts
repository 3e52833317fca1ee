/** A Python program that works in children, as uvicorn, gunicorn and Celery do: how it is ready, loses one, stops, and is killed. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { needs } from './harness/needs.ts';
import { performTrials, trialsProject } from './harness/trials-project.ts';

const web = (more = ''): string =>
  `web: { run: { script: services/preforks.py }, listen: { env: PORT }${more} }`;
const asked = '{ http: GET web/, expect: { status: 200 } }';

test('one that dies and is replaced is not the end of the service: it is an error line, and a child that is gone', async () => {
  needs('python3', 'linux');
  const checks = `steps: [${asked}, { http: POST web/die }]
checks:
  replaced: { process: web, within: 5s, expect: { running: true, restarts: 0, childrenGone: 1, children: { $length: 2 } } }`;
  const { code, text, verdicts } = await performTrials(
    trialsProject(`services: { ${web()} }`, {
      told: checks,
      allowed: `${checks}\nlogs: { allow: [{ service: web, match: 'Child process .* died', because: that is what it tries }] }`,
    }),
  );
  expect(verdicts, text).toEqual({ told: 'failed', allowed: 'passed' });
  expect(text).toMatch(/Child process \[\d+\] died/);
  expect(code).toBe(1);
});

test('the signal to stop goes to the parent, which lets its children finish; with `to: group` they lose their work', async () => {
  needs('python3');
  const finished = (count: number): string => `steps: [${asked}, { stop: web }]
checks: { finished: { logs: web, match: finished its work, expect: { $length: ${count} } } }`;
  const alone = await performTrials(trialsProject(`services: { ${web()} }`, { alone: finished(2) }));
  expect(alone.verdicts, alone.text).toEqual({ alone: 'passed' });

  const all = trialsProject(`services: { ${web(', stop: { to: group }')} }`, {
    all: `steps: [${asked}, { stop: web }]`,
  });
  await performTrials(all);
  const log = readFileSync(path.join(all.folder, '.shakedown/latest/services/web.log'), 'utf8');
  expect(log).not.toContain('finished its work');
});

test('a kill ends its children, too', async () => {
  needs('python3', 'linux');
  const { verdicts, text } = await performTrials(
    trialsProject(`services: { ${web()} }`, {
      killed: `steps: [${asked}, { kill: web }, { start: web }, ${asked}]
checks: { anew: { process: web, expect: { running: true, children: { $length: 2 } } } }`,
    }),
  );
  expect(verdicts, text).toEqual({ killed: 'passed' });
});
