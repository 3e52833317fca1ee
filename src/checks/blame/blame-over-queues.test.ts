/** Jobs that pass through a queue, and who is to blame where the work on them is wrong. */
import { expect, test } from 'vitest';
import { check } from '../../../test/harness/attempt-journal.ts';
import {
  blamed,
  command,
  mailed,
  queued,
  run,
  statement,
  taken,
  workedOn,
} from '../../../test/harness/queue-situations.ts';
import type { CallEvent } from '../../journal/call-event.ts';

const told = check({
  id: 'told',
  kind: 'calls',
  query: { from: 'worker', to: 'mailer' },
  expect: [{ request: { json: { about: 'lamp' } } }],
});
const toMailer = (calls: readonly CallEvent[]) => calls.filter(({ to }) => to === 'mailer');
const shown = (calls: readonly CallEvent[]) => run(told, calls, toMailer(calls));
const healthy = shown(workedOn('lamp'));

test('a job that was put there twice is blamed on who put it there, not on who did it twice', () => {
  const twice = shown([...workedOn('lamp'), ...workedOn('lamp', 70)]);
  expect(blamed(healthy, twice)).toMatchObject({ party: 'api', edge: 'api -> queue', rule: 4 });
});

test('a job that was put there once and done twice is blamed on who did it', () => {
  const twice = shown([...workedOn('lamp'), mailed(100, 'lamp')]);
  expect(blamed(healthy, twice)).toMatchObject({ party: 'worker', edge: 'worker -> mailer' });
});

test('jobs may come in one answer or in several', () => {
  const put = [queued(20, 'lamp'), queued(21, 'cup')];
  const done = [mailed(40, 'lamp'), mailed(60, 'cup')];
  const single = shown([...put, taken(25, 'lamp'), taken(26, 'cup'), ...done]);
  const wrong = [mailed(40, 'lamp'), mailed(60, 'pot')];
  expect(blamed(single, shown([...put, taken(25, 'lamp', 'cup'), ...wrong]))).toMatchObject({
    party: 'worker',
  });
  expect(blamed(single, shown([...put, taken(25, 'lamp', 'pot'), ...wrong]))).toMatchObject({ party: null });
});

test('who acts without anything that it received on record is not proven', () => {
  const unheard = (about: string) => shown([queued(20, 'lamp'), mailed(40, about)]);
  expect(blamed(unheard('lamp'), unheard('pot'))).toMatchObject({
    party: null,
    suspect: 'worker',
    because: expect.stringContaining('what it may have got from queue before that is not recorded'),
  });
});

const noted = check({
  id: 'noted',
  kind: 'rows',
  query: { service: 'worker', table: 'notes' },
  expect: [{ text: 'lamp' }],
});

test('a write that is missing is proven where everything that was received is the same', () => {
  const kept = run(noted, workedOn('lamp'), [{ text: 'lamp' }]);
  const lost = workedOn('lamp').filter(({ to }) => to !== 'db');
  expect(blamed(kept, run(noted, lost, []))).toMatchObject({
    party: 'worker',
    edge: 'worker -> db',
    rule: 4,
  });
});

test('where it is not proven, the sentence says what could not be compared', () => {
  const answer = { status: 200, headers: {}, text: 'a lot', bytes: 900_000, truncated: true } as const;
  const cut = { startedAt: 27, endedAt: 28, incomplete: 'too-large', response: answer } as const;
  const large = (calls: readonly CallEvent[]) =>
    calls.map((one) => (one.to === 'mailer' ? { ...one, ...cut } : one));
  const lost = workedOn('lamp').filter(({ to }) => to !== 'db');
  expect(
    blamed(run(noted, large(workedOn('lamp')), [{ text: 'lamp' }]), run(noted, large(lost), [])),
  ).toMatchObject({
    party: null,
    because: expect.stringMatching(
      /cannot be told where .* began: the answer to call 1 of worker -> mailer cannot be compared/,
    ),
  });
});

const inOrder = check({
  id: 'in-order',
  kind: 'order',
  query: {
    moments: [
      { from: 'worker', to: 'mailer' },
      { from: 'worker', to: 'queue', where: { method: 'XACK' } },
    ],
  },
});
const ordered = run(inOrder, workedOn('lamp'), undefined);
const early = [...workedOn('lamp').slice(0, -1), command('worker -> queue', 27, 'XACK jobs workers')];

test('of two calls of one party, the one that came too early is its own doing', () => {
  expect(blamed(ordered, run(inOrder, early, undefined))).toMatchObject({
    party: 'worker',
    edge: 'worker -> queue',
    because: expect.stringContaining('came before call 1 of worker -> mailer, and not after it'),
  });
});

test('while it waits for an answer, that may be what is late', () => {
  const slow = { ...statement('worker -> db', 26, 'INSERT INTO notes VALUES ($1)', 'lamp'), endedAt: 39 };
  const late = early.map((one) => (one.to === 'db' ? slow : one));
  expect(blamed(ordered, run(inOrder, late, undefined))).toMatchObject({ party: null, suspect: 'worker' });
});

const poll = (at: number, ...jobs: readonly string[]): CallEvent => ({
  ...statement('worker -> db', at, 'SELECT job FROM jobs'),
  result: { command: 'SELECT', rows: jobs.map((job) => ({ job })), count: jobs.length },
});
const put = (at: number, job: string) => statement('api -> db', at, 'INSERT INTO jobs VALUES ($1)', job);

test('a poll that brings what was not there before is an input', () => {
  const once = [put(20, 'lamp'), poll(25, 'lamp'), mailed(40, 'lamp')];
  const again = [put(22, 'lamp'), poll(60, 'lamp', 'lamp'), mailed(70, 'lamp')];
  expect(blamed(shown(once), shown([...once, ...again]))).toMatchObject({ party: 'api', edge: 'api -> db' });
  const unexplained = shown([...once, ...again.slice(1)]);
  expect(blamed(shown(once), unexplained)).toMatchObject({ party: null });
});

test('so are polls that never bring what they brought before', () => {
  const done = statement('worker -> db', 60, 'INSERT INTO notes VALUES ($1)', 'lamp');
  const kept = run(noted, [put(20, 'lamp'), poll(15), poll(25, 'lamp'), poll(50), done], [{ text: 'lamp' }]);
  expect(blamed(kept, run(noted, [poll(15), poll(25)], []))).toMatchObject({
    party: 'api',
    edge: 'api -> db',
  });
  const unexplained = run(noted, [put(20, 'lamp'), poll(15), poll(25)], []);
  expect(blamed(kept, unexplained)).toMatchObject({ party: null });
});

test('a function that is selected is asked for what it does', () => {
  const notify = statement('api -> db', 20, 'SELECT pg_notify($1)', 'lamp');
  const done = statement('worker -> db', 60, 'INSERT INTO notes VALUES ($1)', 'lamp');
  const kept = run(noted, [notify, poll(25), done], [{ text: 'lamp' }]);
  expect(blamed(kept, run(noted, [poll(25), done], []))).toMatchObject({ party: 'api', edge: 'api -> db' });
});

test('two entries of one millisecond may have the same number', () => {
  const never = { ...told, expect: ['never'] };
  const numbered = (job: string, step: string) => {
    const calls = [
      command('api -> queue', 20, 'XADD jobs * job lamp', { result: job }),
      command('api -> queue', 22, 'XADD progress * step queued', { result: step }),
      mailed(40, 'lamp'),
      command('worker -> queue', 60, `XACK jobs workers ${job}`),
    ];
    return run(never, calls, toMailer(calls));
  };
  const apart = numbered('1754000000001-0', '1754000000002-0');
  expect(blamed(apart, numbered('1754000000007-0', '1754000000007-0'))).toMatchObject({
    party: null,
    because: expect.stringMatching(/^the traffic is the same as when the trial passed/),
  });
});
