/** The policy of a suite: which drivers may act, which peers are simulated, and what the log gate must not ignore. */
import { expect, test } from 'vitest';
import { flowText, lintJson, lintProject, soundTrial } from './harness/lint-project.ts';

test('only the drivers of the policy may act, in files and in flows', async () => {
  const project = lintProject(
    {
      'trials/web.trial.yaml': soundTrial('web'),
      'trials/shell.trial.yaml':
        'id: shell\nsteps:\n  - { command: [echo, hi], expect: { exitCode: 0 } }\n  - restart: web\n',
      'trials/flow.flow.ts': flowText(
        'flow',
        "await at.service('web').restart();\n  at.check('held', await at.http('web').get('/'), { status: 200 });",
      ),
    },
    'suite: { drivers: [http, service] }',
  );
  const { code, shown, findings } = await lintJson(project);
  expect(code).toBe(6);
  expect(shown).toEqual(['driver-not-allowed trials/shell.trial.yaml:3']);
  expect(findings[0]?.text).toBe(
    'it acts by `command`, but the policy of the suite allows only http, service',
  );
});

test('a driver of a flow that the policy does not have', async () => {
  const flow = flowText('flow', "at.check('held', await at.command(['true']), { exitCode: 0 });");
  const { shown } = await lintJson(
    lintProject({ 'trials/flow.flow.ts': flow }, 'suite: { drivers: [http] }'),
  );
  expect(shown).toEqual(['driver-not-allowed trials/flow.flow.ts:4']);
});

test('a container whose name is the same in every environment', async () => {
  const config = `  fixed: { run: [docker, run, --name, box, img] }
  line: { run: 'docker run --name cache img' }
  named: { run: 'exec docker run --name box-\${environment.id} img' }
  labelled: { run: [docker, run, --name, box, --label, 'of=\${environment.id}', img] }
  shell: { run: 'exec docker run --name box-$SHAKEDOWN_ENVIRONMENT img' }
  unnamed: { run: docker run img }
jobs: { fill: { run: [docker, run, --name, fill, img] } }
`;
  const { code, shown, findings } = await lintJson(
    lintProject({ 'trials/web.trial.yaml': soundTrial('web') }, config),
  );
  expect(code).toBe(0);
  expect(shown).toEqual([
    'fixed-container-name shakedown.yaml:6',
    'fixed-container-name shakedown.yaml:7',
    'fixed-container-name shakedown.yaml:12',
  ]);
  expect(findings[0]?.text).toBe('`services.fixed` calls its container `box` in every environment');
});

test('a simulated peer says why', async () => {
  const resources = `resources:
  silent: { kind: model }
  told: { kind: model, because: a real one costs money }
`;
  const { code, shown, findings } = await lintJson(
    lintProject({ 'trials/web.trial.yaml': soundTrial('web') }, resources),
  );
  expect(code).toBe(6);
  expect(shown).toEqual(['unexplained-peer shakedown.yaml:7']);
  expect(findings[0]?.next).toContain('`resources.silent`');
});

test('an allowance that silences the whole log gate, in the config and in a trial', async () => {
  const allow = (match: string) => `{ service: web, match: '${match}', because: it is noisy }`;
  const project = lintProject(
    {
      'trials/deaf.trial.yaml': soundTrial('deaf', `logs: { allow: [${allow('"level":"ERROR"')}] }`),
      'trials/fine.trial.yaml': soundTrial('fine', `logs: { allow: [${allow('"level":"ERROR".*quota')}] }`),
    },
    `logs:\n  error: '"level":"ERROR"'\n  allow:\n    - ${allow('ERROR')}\n    - ${allow('ERROR.*timeout')}\n`,
  );
  const { code, shown } = await lintJson(project);
  expect(code).toBe(6);
  expect(shown).toEqual([
    'catch-all-allowance shakedown.yaml:9',
    'catch-all-allowance trials/deaf.trial.yaml:1',
  ]);
});

test('an unknown service, and an unknown kind of finding, are errors at their place', async () => {
  const project = lintProject(
    { 'trials/web.trial.yaml': soundTrial('web', 'lint: { allow: [sleeps], because: a test }') },
    'suite: { openapi: { wep: /openapi.json } }',
  );
  const config = await project.run(['lint']);
  expect(config.code).toBe(2);
  expect(config.stderr).toMatch(
    /error\[config\.unknown-name\] .*shakedown\.yaml:6:21[\s\S]*did you mean `web`/,
  );
  const trial = await lintProject({
    'trials/web.trial.yaml': soundTrial('web', 'lint: { allow: [sleeps], because: a test }'),
  }).run(['lint']);
  expect(trial.code).toBe(2);
  expect(trial.stderr).toMatch(/web\.trial\.yaml:2:17[\s\S]*did you mean `sleep`/);
});
