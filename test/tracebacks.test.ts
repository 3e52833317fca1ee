/** A traceback of Python is one error of the log gate, whatever it consists of, and one record where a check asks for records. */
import { expect, test } from 'vitest';
import { needs } from './harness/needs.ts';
import { type Performed, performTrials, trialsProject } from './harness/trials-project.ts';

const web =
  'services: { web: { run: { script: services/raises.py }, listen: { env: PORT }, ready: { http: / } } }';
const asks = (...names: readonly string[]): string =>
  `steps:\n${names.map((name) => `  - { http: GET web/${name}, expect: { status: 200 } }`).join('\n')}\n`;

/** The errors that the log gate tells of each trial, without the name of the service. */
function errorsIn({ verdict }: Performed, id: string): readonly string[] {
  const gate = verdict.trials.find((trial) => trial.id === id)?.checks.find((check) => check.id === 'logs');
  const lines = gate?.explanation?.split('\n').slice(0, -1) ?? [];
  return lines.map((line) => line.replace(/^web \| /, ''));
}

test('with its causes and the line above, a traceback is one error, with the place in the code of the user', async () => {
  needs('python3');
  const shown = ['uvicorn', 'gunicorn', 'celery', 'celery-lost', 'group', 'logged', 'printed', 'between'];
  const performed = await performTrials(
    trialsProject(web, Object.fromEntries(shown.map((name) => [name, asks(name)]))),
  );
  const { text } = performed;
  const errors = Object.fromEntries(shown.map((name) => [name, errorsIn(performed, name)]));
  const head = 'Traceback (most recent call last): …';
  expect(errors, text).toEqual({
    uvicorn: ['ERROR:    Exception in ASGI application … ValueError: no id'],
    gunicorn: [
      '[2026-11-19 04:17:44 +0000] [23] [ERROR] Error handling request GET /boom … ValueError: no id',
    ],
    celery: [
      "[2026-11-19 04:17:45,021: ERROR/ForkPoolWorker-2] Task tasks.boom[d984b77b-cb04-4721-99df-02b2038e514d] raised unexpected: ValueError('no id') … ValueError: no id",
    ],
    'celery-lost': [expect.stringMatching(/ … billiard\.exceptions\.WorkerLostError: Worker exited/)],
    group: [
      'ERROR:root:tasks … ExceptionGroup: unhandled errors in a TaskGroup (2 sub-exceptions); ValueError: inner; TypeError: h',
    ],
    logged: ['ERROR:root:the refund was lost … LookupError: no order 7'],
    printed: [`${head} LookupError: no order 7`],
    between: [`${head} shop.Lost: 7`, 'ERROR:other:no paper'],
  });
  expect(text).toContain('ValueError: no id at /srv/shop/shop.py:14 in boom');
  expect(text).toMatch(/LookupError: no order 7 at \S+\/services\/raises\.py:\d+ in chained/);
});

test('one that is cut by the end of its process is one, too', async () => {
  needs('python3');
  const performed = await performTrials(trialsProject(web, { cut: asks('cut') }));
  expect(errorsIn(performed, 'cut'), performed.text).toEqual([
    'ERROR:root:cut … Traceback (most recent call last):',
  ]);
});

test('allowing the line does not allow every exception below it', async () => {
  needs('python3');
  const allow = (...matches: readonly string[]): string =>
    `${asks('logged')}logs: { allow: [${matches.map((match) => `{ service: web, match: '${match}', because: it is tried }`).join(', ')}] }`;
  const { verdicts, text } = await performTrials(
    trialsProject(web, {
      line: allow('refund was lost'),
      exception: allow('LookupError'),
      each: allow('refund was lost', 'LookupError: no order'),
      whole: allow('refund was lost … LookupError: no order'),
    }),
  );
  expect(verdicts, text).toEqual({ line: 'failed', exception: 'failed', each: 'passed', whole: 'passed' });
});

test('a check that asks for records gets a traceback as one', async () => {
  needs('python3');
  const expected = ['lost', 'LookupError', 'shop.Lost', 'no paper'].map(
    (match) => `{ service: web, match: '${match}', because: it is tried }`,
  );
  const { verdicts, text } = await performTrials(
    trialsProject(web, {
      records: `${asks('logged', 'between')}checks:
  all: { logs: web, records: true, expect: { $length: 4 } }
  one: { logs: web, records: true, match: 'refund was lost[^]*JSONDecodeError[^]*LookupError: no order 7$', expect: { $length: 1 } }
  lines: { logs: web, match: 'Traceback', expect: { $length: 3 } }
  between: { logs: web, records: true, match: shop, expect: [{ text: { $not: { $contains: no paper } } }] }
logs: { allow: [${expected.join(', ')}] }`,
    }),
  );
  expect(verdicts, text).toEqual({ records: 'passed' });
});
