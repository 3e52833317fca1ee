/** Flows through the real binary: what they can do, how they are judged, and judging again without their code. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { flowProject, flowText, runFlows } from './flow/flow-project.ts';
import { unfolded } from './harness/trials-project.ts';
import { nothing } from './harness/until.ts';

test('a flow acts, looks, waits and checks; what it prints is kept; nothing is left', async () => {
  const project = flowProject({
    'all.flow.ts': flowText(
      'all',
      `
  console.log('printed by the flow');
  const desk = http('desk');
  const noted = await desk.post('/note?text=a', { json: { by: trial.uid, odd: '\${trial.uid}' }, as: 'noted' });
  expect(noted, { status: 200 });
  await events('desk', { file: 'notes.jsonl' }).until([{ text: 'a' }], { within: '5s' });
  const direct = await (await fetch(url('desk') + '/direct')).json();
  await service('desk').restart();
  await quiet();
  check('noted', noted, { json: { notes: 1, got: { by: trial.uid, odd: '\${trial.uid}' } } });
  check('direct', direct, { path: '/direct' });
  check('calls', calls('outside -> desk'), { $length: 2 }, { title: 'both were seen' });
  check('many', calls('outside -> desk'), undefined, { count: { $gte: 2 } });
  check('lines', await logs('desk', { match: 'noted' }), [{ text: { $contains: 'noted a' } }]);
  check('file', await files('desk', { path: 'notes.jsonl', as: 'text' }), [{ text: { $contains: 'a' } }]);
  check('restarted', seen('desk'), { restarts: 1 }, { within: '5s' });
  check('restarted-once', await seen('desk'), { restarts: 1 });
  check('changed', changes(['files']), [{ path: 'notes.jsonl' }]);
  check('held-all-the-time', seen('line'), { running: true, restarts: 0 }, { throughout: true });
`,
    ),
    'talks.flow.ts': flowText(
      'talks',
      `
  const line = await tcp('line', { codec: 'newline-json' });
  await line.until({ received: [{ hello: true }] }, { within: '5s' });
  const echoed = await line.send({ n: 1 }, { receive: 1 });
  check('echoed', echoed, { received: [{ n: 1 }] });
  check('all-received', line.received, [{ hello: true }, { n: 1 }]);
  await line.close();
  check('closed', line, { received: [{ hello: true }, { n: 1 }], closedBy: 'us' });
  const ran = await command(['sh', '-c', 'cat; echo out; exit 3'], { stdin: 'in ' });
  check('ran', ran, { exitCode: 3, stdout: 'in out\\n' });
  const program = await command(['sh', '-c', 'read word; echo heard $word; read again'], { stays: true });
  await program.send('hello\\n');
  await program.until({ stdout: 'heard hello\\n' }, { within: '5s' });
  await program.end();
  await program.exited();
`,
    ),
  });
  const { code, output, verdict } = await runFlows(project);
  expect(output).toContain('2 passed');
  expect(code).toBe(0);
  expect(verdict.trials.map(({ id, title }) => [id, title])).toEqual([
    ['all', 'what all says'],
    ['talks', 'what talks says'],
  ]);
  expect(output).not.toContain('printed by the flow');
  const folder = path.join(project.folder, '.shakedown/latest/trials/all');
  expect(readFileSync(path.join(folder, 'flow.log'), 'utf8')).toBe('printed by the flow\n');
  expect(project.left()).toEqual(nothing);
});

test('acts of `together` are released by one barrier', async () => {
  const project = flowProject({
    'two.flow.ts': flowText(
      'two',
      `
  const slow = () => http('desk').get('/slow');
  const [first, second, third] = await together(slow, slow, slow);
  check('all-at-once', [first, second, third], { $some: { json: { most: 3 } } });
`,
    ),
  });
  const { code, output } = await runFlows(project);
  expect(output).toContain('1 passed');
  expect(code).toBe(0);
});

test('declared checks are judged again without the flow code; closures are not', async () => {
  const project = flowProject({
    'judged.flow.ts': flowText(
      'judged',
      `
  const answer = await http('desk').get('/note?text=b');
  check('right', answer, { status: 200 });
  check('wrong', answer, { json: { notes: 2 } });
  check('wrong-value', answer.json.notes + 1, 3);
  check('wrong-later', calls('outside -> desk'), { $length: 5 });
  check('code-says-no', () => 'the code does not like it');
  check('code-says-yes', () => true);
`,
    ),
  });
  const before = await runFlows(project);
  expect(before.code).toBe(1);
  const verdictOf = (id: string) => before.check('judged', id);
  expect(verdictOf('right').verdict).toBe('passed');
  expect(verdictOf('wrong')).toMatchObject({ verdict: 'failed', expected: '2', observed: '1' });
  expect(verdictOf('wrong').explanation).toContain('$.json.notes');
  expect(verdictOf('wrong-value')).toMatchObject({ verdict: 'failed', expected: '3', observed: '2' });
  expect(verdictOf('wrong-later').verdict).toBe('failed');
  expect(verdictOf('code-says-no')).toMatchObject({ verdict: 'failed', opaque: true });
  expect(verdictOf('code-says-no').observed).toBe('the code does not like it');
  expect(verdictOf('code-says-yes')).toMatchObject({ verdict: 'passed', opaque: true });
  expect(verdictOf('right').opaque).toBeUndefined();

  rmSync(path.join(project.folder, 'judged.flow.ts'));
  const again = await project.run(['judge', 'latest', '--json']);
  expect(again.code).toBe(1);
  const { trials } = JSON.parse(again.stdout) as typeof before.verdict;
  expect(trials).toEqual(before.verdict.trials);
});

test('a wait that times out ends the attempt like a step, with the last value seen', async () => {
  const project = flowProject({
    'waits.flow.ts': flowText(
      'waits',
      `
  await http('desk').get('/note?text=c');
  await events('desk', { file: 'notes.jsonl' }).until([{ text: 'd' }], { within: '300ms' });
  check('never-reached', 1, 1);
`,
    ),
    'blind.flow.ts': flowText(
      'blind',
      `
  for (const text of ['e', 'f']) await http('desk').get('/note?text=' + text);
  await files('desk', { path: 'notes.jsonl', as: 'json', where: { json: { text: 'f' } } }).until([{}], { within: '300ms' });
`,
    ),
    'trials/waits.trial.yaml': `id: waits-too
steps:
  - { http: "GET desk/note?text=c" }
  - http: GET desk/
    when: { events: desk, file: notes.jsonl, expect: [{ text: d }], within: 300ms }
    expect: { status: 200 }
`,
    'trials/blind.trial.yaml': `id: blind-too
steps:
  - { http: "GET desk/note?text=e", as: one }
  - { http: "GET desk/note?text=f" }
  - until: { files: desk, path: notes.jsonl, as: json, where: { json: { text: f } }, count: 1, within: 300ms }
checks: { fine: { exchange: one, expect: { status: 200 } } }
`,
  });
  const { code, output, trial, check } = await runFlows(project);
  expect(code).toBe(1);
  // Same message for a file as for a check: what was expected and observed, or why it was unobservable.
  const seen = {
    verdict: 'failed',
    expected: '"d"',
    observed: '"c"',
    title: 'wait for events desk notes.jsonl',
  };
  expect(check('waits', 'step #2')).toMatchObject(seen);
  expect(check('waits-too', 'step #2')).toMatchObject(seen);
  expect(check('waits-too', 'step #2').explanation).toContain('waited 300 ms; the last value seen');
  for (const id of ['blind', 'blind-too']) {
    expect(trial(id), id).toMatchObject({ verdict: 'unknown', cause: { kind: 'suite' } });
    expect(check(id, 'step #3').explanation).toContain('notes.jsonl cannot be read as json');
  }
  const { cause, checks } = trial('waits');
  expect(cause?.kind).toBe('step');
  expect(cause?.text).toContain('waited 300 ms for events desk notes.jsonl');
  expect(cause?.text).toContain('the last value seen: [{ text: "c" }]');
  expect(cause?.text).toContain('waits.flow.ts:5');
  expect(checks.map(({ id }) => id)).not.toContain('never-reached');
  expect(output).toContain('wait for events desk notes.jsonl');
});

test('a flow is as honest as a file: no check, nothing sent, an absence that nothing proves', async () => {
  const project = flowProject({
    'no-check.flow.ts': flowText('no-check', "await http('desk').get('/');"),
    'nothing-sent.flow.ts': flowText('nothing-sent', "check('one', 1, 1);"),
    'absence.flow.ts': flowText(
      'absence',
      "await http('desk').get('/');\ncheck('none', await logs('desk', { match: 'nonsense' }), []);",
    ),
    'never.flow.ts': flowText(
      'never',
      "check('never', calls('outside -> desk'), { $length: 3 }, { never: true, provenBy: 'no-check' });\nfor (const n of [1, 2, 3]) await http('desk').get('/' + n);",
    ),
  });
  const { code, trial, check } = await runFlows(project);
  expect(code).toBe(1);
  expect(trial('no-check')).toMatchObject({ verdict: 'unknown', faults: [{ kind: 'no-check' }] });
  expect(trial('nothing-sent')).toMatchObject({ verdict: 'unknown', faults: [{ kind: 'nothing-sent' }] });
  expect(trial('absence')).toMatchObject({ faults: [{ kind: 'absence-without-twin', check: 'none' }] });
  expect(check('never', 'never')).toMatchObject({ verdict: 'failed', expected: 'never { $length: 3 }' });
});

test('several flows in one file are listed with their positions', async () => {
  const project = flowProject({
    'more.flow.ts': `${flowText('one', "check('x', await http('desk').get('/'), { status: 200 });")}${flowText('two', "check('x', await http('desk').get('/'), { status: 200 });", "tags: ['b'], covers: ['R-1']")}`,
  });
  const listed = await project.run(['run', '--list', '--json']);
  const { trials } = JSON.parse(listed.stdout) as { trials: readonly Record<string, unknown>[] };
  expect(trials).toMatchObject([
    { id: 'one', file: 'more.flow.ts', line: 2 },
    { id: 'two', file: 'more.flow.ts', line: 5, tags: ['b'], covers: ['R-1'] },
  ]);
  const { code, output } = await runFlows(project, ['--tag', 'b']);
  expect(output).toContain('1 passed');
  expect(code).toBe(0);
  expect(existsSync(path.join(project.folder, '.shakedown/latest/trials/two/events.ndjson'))).toBe(true);
});

test('what is asked of an observer with an undefined value is refused, not asked of everything', async () => {
  const wrong = (id: string, body: string) => ({
    [`${id}.flow.ts`]: flowText(id, `const { json } = await http('desk').get('/direct');\n${body}`),
  });
  const project = flowProject({
    ...wrong('match', `check('c', logs('desk', { match: json.nothing }), { $length: { $gte: 0 } });`),
    ...wrong('last', `check('c', calls('outside -> desk', json.nothing), { $length: 1 });`),
    ...wrong('skipped', `check('c', calls('outside -> desk', undefined, {}), { $length: 1 });`),
  });
  const { output, verdict } = await runFlows(project);
  expect(verdict.trials.map(({ id, verdict: one }) => [id, one])).toEqual([
    ['last', 'failed'],
    ['match', 'failed'],
    ['skipped', 'passed'],
  ]);
  const text = unfolded(output);
  expect(text).toContain('argument 2 of logs must be plain data, and at $.match it is undefined');
  expect(text).toContain('argument 2 of calls must be plain data, and it is undefined');
});
