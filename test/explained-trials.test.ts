/** A trial can say what it protects and what it would catch; one that a tool wrote must, and a regression trial says whether it was ever red. */
import { expect, test } from 'vitest';
import type { LintFinding } from '../src/checks/lint-finding.ts';
import { performTrials, trialsProject, unfolded } from './harness/trials-project.ts';

const config = `isolation: shared
services:
  web: { run: [node, services/does-as-told.mjs], listen: { env: PORT } }`;

const good = 'steps: [{ http: GET web/, expect: { status: 200 } }]';
const bad = 'steps: [{ http: GET web/, expect: { status: 201 } }]';
const why = 'protects: an order is answered at once\ncatches: orders that wait for the mailer';

const flow = (id: string, options: string) => `import { flow } from 'shakedown';
flow('it answers', { id: '${id}', ${options} }, async ({ http, expect }) => {
  expect(await http('web').get('/'), { status: 200 });
});
`;

test('the purpose of a trial is shown when it fails, and is in every report', async () => {
  const project = trialsProject(config, {
    fails: `${why}\ngenerated: true\nregression: { shownRedOn: "4f2a1c9" }\n${bad}`,
    holds: `tags: [regression]\n${good}`,
    known: `regression: { shownRedOn: "4f2a1c9" }\n${good}`,
  });
  const { code, text, trial } = await performTrials(project, '--verbose');
  expect(code, text).toBe(1);
  expect(text).toContain('it protects: an order is answered at once');
  expect(text).toContain('it catches: orders that wait for the mailer');
  expect(text).toContain('a regression trial, shown red on 4f2a1c9');
  expect(text).toContain('a tool wrote it');
  expect(text).toMatch(/✓ holds [\d.]+ m?s, a regression trial not shown red /);
  expect(text).toMatch(/✓ known [\d.]+ m?s (?!, a regression)/);
  expect(trial('fails')).toMatchObject({
    protects: 'an order is answered at once',
    catches: 'orders that wait for the mailer',
    generated: true,
    regression: { shownRedOn: '4f2a1c9' },
  });
  expect(trial('holds')).toMatchObject({ regression: { shownRedOn: null } });
  const listed = await project.run(['run', '--list']);
  expect(unfolded(listed.stdout)).toMatch(/holds shared, a regression trial not shown red, regression/);
});

test('a generated trial without both proves nothing: unknown, exit code 6, in files and flows; lint says so, too', async () => {
  const project = trialsProject(
    config,
    {
      silent: `generated: true\n${good}`,
      half: `generated: true\nprotects: it answers\n${good}`,
      whole: `generated: true\n${why}\n${good}`,
      broken: `generated: true\n${bad}`,
      claims: `tags: [regression]\n${good}`,
    },
    {
      'trials/a.flow.ts': flow('flow/silent', 'generated: true'),
      'trials/b.flow.ts': flow('flow/whole', "generated: true, protects: 'x', catches: 'y'"),
    },
  );
  const linted = await project.run(['lint', '--json']);
  expect(linted.code, linted.output).toBe(6);
  const { findings } = JSON.parse(linted.stdout) as { findings: readonly LintFinding[] };
  expect(findings.map(({ kind, level, trial = '' }) => `${level} ${kind} ${trial}`).sort()).toEqual([
    'finding generated-unexplained broken',
    'finding generated-unexplained flow/silent',
    'finding generated-unexplained half',
    'finding generated-unexplained silent',
    'warning regression-not-shown-red claims',
  ]);

  const { code, text, verdict, verdicts, trial } = await performTrials(project, '--parallel', '1');
  expect(code, text).toBe(1);
  expect(verdicts).toEqual({
    broken: 'failed',
    claims: 'passed',
    'flow/silent': 'unknown',
    'flow/whole': 'passed',
    half: 'unknown',
    silent: 'unknown',
    whole: 'passed',
  });
  expect(trial('half')).toMatchObject({
    cause: { kind: 'suite' },
    faults: [
      {
        kind: 'generated-unexplained',
        text: 'it was generated, but its purpose is not stated: add `catches` (the failure that it would catch)',
      },
    ],
  });
  expect(verdict.reasons.map(({ exitCode, trial: id }) => [exitCode, id])).toEqual([
    [1, 'broken'],
    [6, 'flow/silent'],
    [6, 'half'],
    [6, 'silent'],
  ]);
});

test('what is written wrongly is refused, each at its place', async () => {
  const project = trialsProject(config, {
    a: `generated: yes please\n${good}`,
    b: `protects: ""\n${good}`,
    c: `regression: {}\n${good}`,
    d: `regression: { shownRedOn: 1234567 }\n${good}`,
  });
  const { code, output } = await project.run(['lint']);
  expect(code, output).toBe(2);
  const text = unfolded(output);
  for (const shown of [
    '`generated` is "yes please" allowed true, or nothing',
    '`protects` is "" allowed a text that is not empty',
    '`regression` has no `shownRedOn`',
    '`regression.shownRedOn` is 1234567, a number allowed a revision in quotes, such as "4f2a1c9", or null',
  ])
    expect(text).toContain(shown);
});
