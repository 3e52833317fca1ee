import { flow } from 'shakedown';

interface Job {
  id: string;
  state: string;
  total: number;
  notes: unknown[];
  parts: { part: string; cents: number }[];
}

flow('a day at the bench', { id: 'repairs/day' }, async ({ http, files, logs, expect, check, trial }) => {
  const bench = http('bench');
  const started = Date.now();
  const answer = await bench.post<Job>('/jobs', {
    json: { owner: trial.uid, faults: ['brake'] },
    as: 'opened',
  });
  const job = answer.json;
  expect(answer, { status: { $gte: 200 } });
  check('one-job', [job].length, 1);
  check('keys', Object.keys({ id: job.id, state: job.state }), ['id', 'state']);
  check('as-text', String(job.total).length > 0, true);
  check('is-object', JSON.stringify(job).includes('{'), true);
  check('time-passes', Date.now() - started >= 0, true);
  check('lower', job.state.toLowerCase() === `${job.state}`.toLowerCase(), true);
  check('either', answer.status < 400 ? 'ok' : 'ok', 'ok');
  const sample = { total: 1900 };
  check('sample-total', sample.total, 1900);
  let problem = '';
  try {
    await bench.post(`/jobs/${job.id}/done`, { as: 'done' });
  } catch {
    problem = '';
  }
  check('no-problem', problem, '');
  const totals = [job.total, 5, 7];
  check('as-many', [...totals].sort().length === totals.length, true);
  check('flagged', [job.state === 'open', true].some(Boolean), true);
  check('slips', (await files('bench', { path: 'slips/*' })).length, { $gte: 0 });
  check('not-nothing', () => job.total !== null || job.total === null);
  const bill = job.parts.reduce((sum, { cents }) => sum + cents, 1000);
  check('bill', bill === job.total, true);
  check('total', job.total, 1900);
  const after = await bench.get<Job>(`/jobs/${job.id}`, { as: 'after' });
  check('done', after.json.state, 'done');
  check('again', (await bench.post(`/jobs/${job.id}/done`, { as: 'again' })).status, 409);
  check('slip', files('bench', { path: `slips/${job.id}.txt`, as: 'text' }), [
    { text: { $contains: '1900' } },
  ]);
  check('said-once', logs('bench', { match: 'INFO done' }), { $length: 1 });
  check('cheap', () => job.total < 2000 || `it costs ${job.total}`);
  check('brake', job.parts.map(({ part }) => part).join(), 'brake');
});
