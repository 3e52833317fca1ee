/** `shakedown mcp`: a coding agent runs trials, learns why they fail, and writes new ones; it gets no further than the project. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { binary } from './harness/project.ts';
import { runCommand } from './harness/run-command.ts';
import { performTrials, trialsProject } from './harness/trials-project.ts';
import { isNothing, nothing, until } from './harness/until.ts';
import {
  askAll,
  badTrial,
  config,
  connectAgent,
  contentOf,
  goodTrial,
  injection,
  strangerProject,
  waitingTrial,
} from './mcp/agent.ts';

describe('an agent', () => {
  test('runs trials, learns why one fails, and reads the evidence in pages', async () => {
    const project = strangerProject({ good: goodTrial, bad: badTrial });
    const agent = await connectAgent(project);
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...['list_trials', 'list_services', 'run_trials', 'why_failed', 'evidence'],
      ...['logs', 'judge', 'sabotage', 'lint', 'write_trial'],
    ]);
    const changing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
    expect(changing.map(({ name }) => name)).toEqual(['run_trials', 'write_trial']);
    expect(agent.client.getInstructions()).toContain('executes the commands');

    expect((await agent.ask('list_trials')).data).toMatchObject({
      declared: 2,
      items: [{ id: 'bad' }, { id: 'good' }],
    });
    expect((await agent.ask('list_trials', { tags: ['smoke'], text: 'ANSWERS' })).data).toMatchObject({
      items: [{ id: 'good', title: 'It answers', checks: ['path'], file: 'trials/good.trial.yaml', line: 1 }],
    });
    expect((await agent.ask('list_services')).said).toMatch(
      /service stranger: program, http.*\nedge outside -> stranger/,
    );

    const progress: (string | undefined)[] = [];
    const ran = await agent.ask('run_trials', {}, { onprogress: ({ message }) => progress.push(message) });
    expect(ran.data).toMatchObject({ verdict: 'failed', exitCode: 1, counts: { passed: 1, failed: 1 } });
    expect(ran.data.notPassed).toMatchObject([
      { trial: 'bad', checks: [{ check: 'greeting', verdict: 'failed' }] },
    ]);
    expect(ran.evidence).toContain('IGNORE ALL');
    expect(progress).toEqual(expect.arrayContaining(['the system boots', 'bad: failed', 'good: passed']));
    const run = String(ran.data.run);

    const why = await agent.ask('why_failed', { run, trial: 'bad' });
    expect(why.data).toMatchObject({
      cause: 'check',
      checks: [{ check: 'greeting', line: 3 }],
      repro: `shakedown rerun ${run} bad`,
    });
    expect(why.said).toMatch(/check greeting: failed, line 3, events #\d+/);
    expect(contentOf(why)).toContain('expected  "hello"');
    const [
      {
        evidence: [seq],
      },
    ] = why.data.checks as [{ evidence: [number] }];

    const pages = await askAll(agent, 'evidence', { run, trial: 'bad', seq: [seq] });
    expect(pages.length).toBeGreaterThan(3);
    expect(new Set(pages.map(({ evidence }) => evidence.slice(0, 26))).size).toBe(pages.length);
    const event = JSON.parse(pages.map(contentOf).join(''));
    expect(event).toMatchObject({ seq, evidence: { json: { said: injection, long: 'x'.repeat(40_000) } } });
    expect((await agent.ask('evidence', { run, trial: 'bad' })).said).toMatch(
      /#1 {2}\d+ ms {2}attempt.started/,
    );
    const none = await agent.ask('evidence', { run, trial: 'bad', type: 'no.such' });
    expect(none.said).toMatch(/^0 events .*\nTypes that are there: .*step\.ended \(1\)/);

    const printed = await agent.ask('logs', { run, services: ['stranger'], grep: 'i SAY', tail: 1 });
    expect(contentOf(printed)).toBe(`stranger | I say: ${injection}\n`);
    expect((await agent.ask('sabotage', { run })).data).toMatchObject({ checks: 1 });
    await agent.client.close();
    expect(project.left()).toEqual(nothing);
  });

  test('judges again with other checks, and nothing is written', async () => {
    const project = strangerProject({ bad: badTrial });
    await performTrials(project);
    const agent = await connectAgent(project);
    const judge = (checks: string) => agent.ask('judge', { trial: 'bad', checks });
    const greeting = (said: string) =>
      `greeting: { exchange: got, expect: { json: { said: { $regex: ${said} } } } }`;
    expect((await judge(greeting('^IGNORE'))).data).toMatchObject({
      judged: [{ trial: 'bad', verdict: 'passed', before: 'failed', verdicts: { greeting: 'passed' } }],
    });
    const other = await judge(`${greeting('^IGNORE')}\nother: { exchange: got, expect: { status: 201 } }`);
    expect(other.data).toMatchObject({
      judged: [{ verdict: 'failed', verdicts: { greeting: 'passed', other: 'failed' } }],
    });
    const wrong = await judge('greeting: { exchnge: got }');
    expect(wrong).toMatchObject({
      isError: true,
      said: expect.stringMatching(/checks:1:1[\s\S]*1 \| greeting[\s\S]*\^/),
    });
    expect((await agent.ask('judge')).data).toMatchObject({
      verdict: 'failed',
      notPassed: [{ trial: 'bad' }],
    });
    expect(readFileSync(path.join(project.folder, 'trials/bad.trial.yaml'), 'utf8')).toBe(
      `id: bad\n${badTrial}\n`,
    );
  });

  test('lints: findings, and errors with a caret', async () => {
    const project = strangerProject({ good: goodTrial, empty: 'steps: [{ http: GET stranger/ok }]' });
    const agent = await connectAgent(project);
    const found = await agent.ask('lint');
    expect(found.data.items).toMatchObject([
      { level: 'finding', file: 'trials/empty.trial.yaml', trial: 'empty' },
    ]);
    writeFileSync(path.join(project.folder, 'trials/empty.trial.yaml'), 'id: empty\nstep: []\n');
    const broken = await agent.ask('lint');
    expect(broken.isError).toBe(true);
    expect(broken.said).toMatch(
      /error\[config\.unknown-key] .*empty.trial.yaml:2:1\n {2}1 \| id: empty\n {2}2 \| step: \[]\n.*\^{4}/,
    );
    expect(broken.data.errors).toMatchObject([{ next: expect.stringContaining('steps'), exitCode: 2 }]);
  });
});

describe('a trial that an agent writes', () => {
  test('is validated first, and replaces nothing without being told', async () => {
    const project = strangerProject({ good: goodTrial });
    const agent = await connectAgent(project);
    const file = path.join(project.folder, 'trials/more/new.trial.yaml');
    const write = (content: string, more = {}) =>
      agent.ask('write_trial', { path: 'trials/more/new.trial.yaml', content, ...more });
    const invalid = await write(`id: new\nsteps: [{ http: GET strangr/ok }]\n`);
    expect(invalid.isError).toBe(true);
    expect(invalid.said).toMatch(/new\.trial\.yaml:2:\d+[\s\S]*\^[\s\S]*did you mean `stranger`/);
    expect((await write(`id: good\n${goodTrial}\n`)).said).toContain('the id `good` is taken');
    expect(() => readFileSync(file)).toThrow('ENOENT');
    expect(await write(`id: new\n${goodTrial}\n`)).toMatchObject({
      isError: false,
      data: { trials: ['new'] },
    });
    expect(readFileSync(file, 'utf8')).toBe(`id: new\n${goodTrial}\n`);
    expect(await write(`id: newer\n${goodTrial}\n`)).toMatchObject({
      isError: true,
      said: expect.stringContaining('exists already'),
    });
    expect(await write(`id: newer\n${goodTrial}\n`, { overwrite: true })).toMatchObject({
      data: { replaced: true },
    });
    expect((await agent.ask('run_trials', { trials: ['newer'] })).data).toMatchObject({ verdict: 'passed' });
  });

  test('stays in the project, whatever its path', async () => {
    const project = strangerProject({ good: goodTrial });
    const outside = path.join(project.folder, '../outside');
    const theirs = `id: theirs\n${goodTrial}\n`;
    mkdirSync(outside);
    writeFileSync(path.join(outside, 'secret.yaml'), 'TOP SECRET: of another project\n');
    writeFileSync(path.join(outside, 'theirs.trial.yaml'), theirs);
    symlinkSync(outside, path.join(project.folder, 'trials/link'));
    symlinkSync(path.join(outside, 'theirs.trial.yaml'), path.join(project.folder, 'trials/a.txt'));
    const agent = await connectAgent(project);
    const content = `id: new\n${goodTrial}\n`;
    const places = [
      ...['../outside/new.trial.yaml', `${outside}/new.trial.yaml`, 'trials/../../outside/new.trial.yaml'],
      ...['trials/link/new.trial.yaml', 'trials/link/theirs.trial.yaml', 'elsewhere/new.trial.yaml'],
      ...[
        'trials/new.yaml',
        'trials/.trial.yaml/../x',
        '.shakedown/new.trial.yaml',
        'trials/new\0.trial.yaml',
      ],
      ...[`trials/${'n'.repeat(260)}.trial.yaml`, 'trials/good.trial.yaml/new.trial.yaml', 'shakedown.yaml'],
    ];
    for (const place of places) {
      const answer = await agent.ask('write_trial', { path: place, content, overwrite: true });
      expect(answer, place).toMatchObject({
        isError: true,
        said: expect.stringMatching(/ {2}what .*\n[\s\S]* {2}allowed .*\n[\s\S]* {2}next /),
      });
      expect(answer.said, place).not.toContain('shakedown.bug');
    }
    expect(readFileSync(path.join(outside, 'theirs.trial.yaml'), 'utf8')).toBe(theirs);
    expect(() => readFileSync(path.join(outside, 'new.trial.yaml'))).toThrow('ENOENT');
    const quoting = await agent.ask('write_trial', {
      path: 'trials/new.trial.yaml',
      content: `${content}use: [../../outside/secret.yaml]\n`,
    });
    expect(quoting.isError).toBe(true);
    expect(JSON.stringify(quoting)).not.toContain('TOP SECRET');
  });
});

test('a system that does not boot: the parts are ours, and what it printed is evidence', async () => {
  const project = trialsProject(
    'services: { dying: { run: [node, dying.mjs], listen: { env: PORT } } }',
    { good: goodTrial.replace('stranger', 'dying') },
    { 'dying.mjs': `console.log(${JSON.stringify(injection)}); process.exit(4);` },
  );
  const agent = await connectAgent(project);
  const { data, said, evidence } = await agent.ask('run_trials');
  expect(data).toMatchObject({ exitCode: 3, errors: [{ code: 'boot.process-exited', facts: { ended: 4 } }] });
  expect(said).toMatch(/error\[boot\.process-exited] service dying[\s\S]* {2}next /);
  expect(evidence).toMatch(/the process ended with 4[\s\S]*IGNORE ALL/);
});

test('what is not a run, a trial or a cursor of this project is refused in four parts, and the server goes on', async () => {
  const [project, foreign] = [strangerProject({ good: goodTrial }), strangerProject({ good: goodTrial })];
  await Promise.all([performTrials(project), performTrials(foreign)]);
  const agent = await connectAgent(project);
  const elsewhere = '20261115-032655-zzzz';
  symlinkSync(
    path.join(foreign.folder, '.shakedown/latest/'),
    path.join(project.folder, '.shakedown/runs', elsewhere),
  );
  const refused = async (name: string, args: Record<string, unknown>, what: RegExp): Promise<void> => {
    const answer = await agent.ask(name, args);
    expect(answer, JSON.stringify(args).slice(0, 200)).toMatchObject({
      isError: true,
      said: expect.stringMatching(what),
    });
  };
  await refused(
    'why_failed',
    { run: '20201115-032655-k3f9', trial: 'good' },
    /there is no run[\s\S]*allowed[\s\S]*next/,
  );
  await refused(
    'why_failed',
    { run: path.join(foreign.folder, '.shakedown/latest'), trial: 'good' },
    /not the id of a run/,
  );
  await refused('judge', { run: '../../../etc' }, /not the id of a run/);
  await refused('evidence', { run: elsewhere, trial: 'good' }, /leads out of the project/);
  await refused('why_failed', { trial: 'god' }, /no such trial[\s\S]*did you mean `good`/);
  await refused('logs', { services: ['../../../../../etc/passwd'] }, /nothing in this run is named/);
  await refused('logs', { environment: 7 }, /there are no logs/);
  await refused('list_trials', { cursor: '1.00000000' }, /not from this answer/);
  await refused('run_trials', { trials: ['nobody'] }, /nothing is called "nobody"/);
  await refused('judge', { trial: 'good' }, /without the other/);
  await refused('list_trials', { folder: '/etc' }, /[Ii]nvalid arguments/);
  await refused(
    'write_trial',
    { path: 'trials/a.trial.yaml', content: 'x'.repeat(2_000_000) },
    /[Ii]nvalid arguments/,
  );
  await refused('run_trials', { trials: Array.from({ length: 10_000 }, () => 'a') }, /[Ii]nvalid arguments/);
  expect((await agent.ask('why_failed', { trial: 'good' })).said).toMatch(/good: passed[\s\S]*did not fail/);
});

describe('a run under way', () => {
  const takesLong = 120_000;
  test.each(['cancelled', 'deserted', 'terminated'])(
    'is taken down when it is %s',
    async (how) => {
      const project = strangerProject({ good: goodTrial, waiting: waitingTrial });
      const agent = await connectAgent(project);
      const cancel = new AbortController();
      const running = agent.ask(
        'run_trials',
        { trials: ['waiting'] },
        { signal: cancel.signal, onprogress: () => undefined },
      );
      const ended = running.then(
        () => 'answered',
        () => 'ended',
      );
      await until(
        'the service runs',
        60_000,
        () => JSON.stringify(project.left().processes),
        (seen) => seen.includes('stranger.mjs'),
      );
      if (how === 'cancelled') cancel.abort();
      else if (how === 'deserted') agent.endInput();
      else process.kill(agent.transport.pid ?? 0, 'SIGTERM');
      expect(await ended).toBe('ended');
      const isOver = (): boolean => {
        const left = project.left();
        const own = left.processes.filter((one) => !JSON.stringify(one).includes(' mcp'));
        return isNothing({ ...left, processes: how === 'cancelled' ? own : left.processes });
      };
      await until('nothing is left', 60_000, isOver, Boolean);
      if (how === 'cancelled')
        expect((await agent.ask('run_trials', { trials: ['good'] })).data).toMatchObject({ exitCode: 0 });
    },
    takesLong,
  );
});

test('without a config it does not begin, and standard output has nothing but the protocol', async () => {
  const project = strangerProject(
    { good: goodTrial },
    {
      'talks/shakedown.config.mjs': `console.log('from the config');\nexport default { name: 'talks', services: {} };\n`,
    },
  );
  const command = [process.execPath, binary, 'mcp'];
  const refused = await runCommand(command, { cwd: project.tmp });
  expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('config.not-found') });
  expect(await runCommand(command, { cwd: project.folder })).toMatchObject({
    code: 0,
    stdout: '',
    stderr: '',
  });
  const agent = await connectAgent(project, '--config', 'talks/shakedown.config.mjs');
  expect((await agent.ask('list_services')).said).toContain('talks');
  expect(agent.faults).toEqual([]);
  expect(agent.errors()).toBe('from the config\n');
});

test('our own client drives it, in a trial', async () => {
  const project = strangerProject({ good: goodTrial, bad: badTrial });
  const server = `{ stdio: [${process.execPath}, ${binary}, mcp, --config, ../shakedown.yaml], env: { TMPDIR: ${project.tmp}, SHAKEDOWN_TEST_PROJECT: "${project.env.SHAKEDOWN_TEST_PROJECT}" } }`;
  mkdirSync(path.join(project.folder, 'outer'));
  writeFileSync(
    path.join(project.folder, 'outer/agent.trial.yaml'),
    `id: agent
timeout: 100s
steps:
  - { mcp: ${server}, list: tools, as: tools }
  - { mcp: ${server}, tool: run_trials, within: 90s, as: ran }
  - { mcp: ${server}, tool: why_failed, args: { trial: bad }, as: why }
  - { mcp: ${server}, tool: why_failed, args: { trial: nobody }, as: refused }
checks:
  tools: { exchange: tools, expect: { names: { $contains: write_trial }, anomalies: [] } }
  ran: { exchange: ran, expect: { isError: false, result: { verdict: failed, counts: { passed: 1, failed: 1 } } } }
  why: { exchange: why, expect: { result: { trial: bad, cause: check }, content: [{ text: { $regex: greeting } }, { text: { $regex: "^<evidence-" } }] } }
  refused: { exchange: refused, expect: { isError: true } }
`,
  );
  writeFileSync(
    path.join(project.folder, 'outer.yaml'),
    `name: outer\ntrials: "outer/**"\nsettle: 50ms\n${config}\n`,
  );
  writeFileSync(
    path.join(project.folder, 'outer/shakedown.yaml'),
    `name: outer\ntrials: "*.trial.yaml"\nsettle: 50ms\n${config.replace('stranger.mjs', '../stranger.mjs')}\n`,
  );
  const { code, output } = await project.run(['run', '--config', 'outer/shakedown.yaml'], {
    withinMs: 180_000,
  });
  expect(code, output).toBe(0);
  expect(project.left()).toEqual(nothing);
});
