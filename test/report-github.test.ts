/** Under GitHub Actions a run writes the summary of the job, and errors beside the lines of its trials. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { trialsProject } from './harness/trials-project.ts';

const failing = 'steps: [{ http: GET web/, expect: { text: "a|b % <b>*x*</b>" } }]';

test('`run` and `report` tell GitHub what broke, without secrets', async () => {
  const made = trialsProject(
    'isolation: shared\nsecrets: [KEY]\nservices: { web: { run: [node, services/answers.mjs], listen: { env: PORT } } }',
    {
      good: 'steps: [{ http: GET web/, expect: { status: 200 } }]',
      secret: 'steps: [{ http: GET web/, expect: { text: "${env.KEY}" } }]',
    },
    { 'trials/a,b:c.trial.yaml': `id: odd\n${failing}\n` },
  );
  const summary = path.join(path.dirname(made.folder), 'summary.md');
  writeFileSync(summary, 'before\n');
  const env = {
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: path.dirname(made.folder),
    GITHUB_STEP_SUMMARY: summary,
    KEY: 'planted-secret-4711',
  };
  const { code, stderr, stdout } = await made.run(['run', '--parallel', '1', '--json'], { env });
  expect(code, stderr).toBe(1);
  expect(() => JSON.parse(stdout)).not.toThrow();
  const errors = stderr.split('\n').filter((line) => line.startsWith('::'));
  expect(errors).toHaveLength(2);
  expect(errors[0]).toMatch(
    /^::error file=project\/trials\/a%2Cb%3Ac\.trial\.yaml,line=1,title=odd failed::step #1: /,
  );
  expect(errors[0]?.match(/a\|b %25 <b>/g)).toHaveLength(1);
  expect(errors[0]).toContain('%0Asee it again: shakedown rerun ');
  const written = readFileSync(summary, 'utf8');
  expect(written).toMatch(
    /^before\n## ❌ Shakedown: failed\n\n3 trials in .*: 1 passed, 2 failed\. Exit code 1\./,
  );
  expect(written).not.toMatch(/<b>\*|\*x\*/);
  expect(written + stderr).not.toContain('planted-secret');

  const again = await made.run(['report'], { env });
  expect(again.stderr.split('\n').filter((line) => line.startsWith('::error'))).toEqual(errors);
  expect(readFileSync(summary, 'utf8')).toBe(`${written}${written.slice('before\n'.length)}`);
  const elsewhere = await made.run(['report'], { env: { KEY: env.KEY } });
  expect(elsewhere.stderr).not.toContain('::error');
});
