/** The first port of a service can also be referred to by its own name. */
import { expect, test } from 'vitest';
import { performTrials, trialsProject } from './harness/trials-project.ts';

test('by its name, in a file and in a flow; and a config may have no requirements', async () => {
  const project = trialsProject(
    `requirements: []
services:
  web: { run: [node, services/answers.mjs], listen: [{ env: PORT, name: page }] }`,
    { file: 'steps: [{ http: GET web.page/, expect: { status: 200 } }]' },
    {
      'requirements.yaml': '- { id: R1, text: it is of another config }\n',
      'trials/code.flow.ts': `import { flow } from 'shakedown';
flow('by its name', { id: 'code' }, async ({ http, url, check }) => {
  const { status } = await http('web.page').get('/');
  check('answered', status, 200);
  check('same', url('web.page'), url('web'));
});
`,
    },
  );
  const { code, text, verdicts } = await performTrials(project);
  expect(verdicts, text).toEqual({ file: 'passed', code: 'passed' });
  expect(code, text).toBe(0);
});
