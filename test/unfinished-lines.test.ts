/** An error line counts wherever the line before it was left without an end. */
import { expect, test } from 'vitest';
import { performTrials, trialsProject } from './harness/trials-project.ts';

const system = `isolation: restart
services:
  web: { run: [node, services/writes-to-its-log.mjs], listen: { env: PORT }, ready: { http: / } }`;

const traceback =
  'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    f()\nValueError: boom\n';

function write(stream: 'out' | 'err', text: string): string {
  return `  - { http: "GET web/${stream}?text=${encodeURIComponent(text)}", expect: { status: 200 } }\n`;
}

test('behind that of a process that was killed, of another stream, and of a progress bar', async () => {
  const begun = write('out', '2026-01-01 12:00:00 INFO wor');
  const error = write('out', '2026-01-01 12:00:01 ERROR cannot recover order 7\n');
  const project = trialsProject(system, {
    killed: `steps:\n${begun}  - kill: web\n  - start: web\n${error}`,
    restarted: `steps:\n${begun}  - restart: web\n${write('err', '2026-01-01 12:00:01 INFO up\n')}`,
    streams: `steps:\n${write('out', 'Loading model ... ')}${write('err', traceback)}`,
    glued: `steps:\n${write('out', 'processing item 3')}${write('err', 'ERROR:root:boom\n')}`,
    progress: `steps:\n${write('out', 'INFO 10%\rERROR boom\n')}`,
    quoted: `steps:\n${write('out', `Observation: ${traceback}`)}`,
  });
  const { code, text, verdicts } = await performTrials(project);
  expect(verdicts, text).toEqual({
    glued: 'failed',
    killed: 'failed',
    progress: 'failed',
    quoted: 'passed',
    restarted: 'passed',
    streams: 'failed',
  });
  expect(code).toBe(1);
  expect(text).toContain('2026-01-01 12:00:01 ERROR cannot recover order 7');
  expect(text).toContain('Loading model ... Traceback (most recent call last): … ValueError: boom');
});
