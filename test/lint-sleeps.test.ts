/** Waits for a fixed time are found in steps and flows; waits for a condition are not. */
import { expect, test } from 'vitest';
import { flowText, lintJson, lintProject } from './harness/lint-project.ts';

const held = "at.check('held', await at.http('web').get('/'), { status: 200 });";
const trial = (id: string, command: string, more = '') =>
  `id: ${id}\n${more}\nsteps:\n  - { command: ${command}, as: waited }\nchecks:\n  done: { exchange: waited, expect: { exitCode: 0 } }\n`;

test('`sleep` in a step, in a shell line and in a flow', async () => {
  const project = lintProject({
    'trials/words.trial.yaml': trial('words', '[sleep, "2"]'),
    'trials/shell.trial.yaml': trial('shell', 'echo hello && sleep 0.5'),
    'trials/python.trial.yaml': trial('python', "[python3, -c, 'import time; time.sleep(3)']"),
    'trials/beside.trial.yaml':
      'id: beside\nsteps:\n  - { command: [sleep, "30"], stays: true, as: guest }\n  - { http: GET web/, expect: { status: 200 } }\n',
    'trials/named.trial.yaml': trial('named', 'echo sleepwalker sleeps'),
    'trials/flow.flow.ts': flowText(
      'flow',
      `await new Promise((done) => setTimeout(done, 500));\n  await pause(100);\n  ${held}`,
      "import { setTimeout as pause } from 'node:timers/promises';",
    ),
    'trials/patient.flow.ts': flowText('patient', `await at.quiet({ within: '5s' }); ${held}`),
  });
  const { code, shown, findings } = await lintJson(project);
  expect(code).toBe(6);
  expect(shown).toEqual([
    'sleep trials/flow.flow.ts:4',
    'sleep trials/flow.flow.ts:5',
    'sleep trials/python.trial.yaml:4',
    'sleep trials/shell.trial.yaml:4',
    'sleep trials/words.trial.yaml:4',
  ]);
  expect(findings[0]?.next).toContain('quiet()');
  expect(findings[4]?.next).toContain('`until:`');
});

test('the policy of the suite, or the trial itself, may allow it, with a reason', async () => {
  const project = lintProject(
    {
      'trials/slow/one.trial.yaml': trial('one', 'sleep 1'),
      'trials/two.trial.yaml': trial(
        'two',
        'sleep 1',
        'lint: { allow: [sleep], because: a quiet second is what is tried }',
      ),
      'trials/three.trial.yaml': trial('three', 'sleep 1'),
      'trials/four.trial.yaml': trial('four', 'echo 1', 'lint: { allow: [sleep], because: it once did }'),
    },
    'suite: { sleeps: { allow: ["trials/slow/**"], because: a device that needs a second } }',
  );
  const { code, shown } = await lintJson(project);
  expect(code).toBe(6);
  expect(shown).toEqual(['unused-allowance trials/four.trial.yaml:1', 'sleep trials/three.trial.yaml:4']);
});
