/** Mocks inside a program are found: in flows, and in the scripts that trials run. */
import { expect, test } from 'vitest';
import { flowText, lintJson, lintProject } from './harness/lint-project.ts';

const body = "at.check('held', await at.http('web').get('/'), { status: 200 });";
const library = (name: string) => ({
  [`node_modules/${name}/package.json`]: `{ "name": "${name}", "type": "module", "main": "index.js" }`,
  [`node_modules/${name}/index.js`]: 'export default {};\n',
});

test('libraries, calls and helper scripts, each at its line', async () => {
  const project = lintProject({
    ...library('sinon'),
    'trials/calls.flow.ts': flowText(
      'calls',
      `vi.mock('../src/clock.ts'); ${body}`,
      'declare const vi: any;',
    ),
    'trials/library.flow.ts': flowText(
      'library',
      body,
      "import sinon from 'sinon';\nexport const used = sinon;",
    ),
    'trials/node.flow.ts': flowText(
      'node',
      `mock.method(at, 'http'); ${body}`,
      "import { mock } from 'node:test';",
    ),
    'trials/script.trial.yaml':
      'id: script\nsteps:\n  - { command: [python3, ./tools/ask.py], as: asked }\nchecks:\n  done: { exchange: asked, expect: { exitCode: 0 } }\n',
    'trials/tools/ask.py': '# from unittest.mock import patch\nimport sys\nfrom unittest.mock import patch\n',
    'trials/honest.trial.yaml':
      'id: honest\nsteps:\n  - { command: node ./tools/ask.mjs, as: asked }\nchecks:\n  done: { exchange: asked, expect: { exitCode: 0 } }\n',
    'trials/tools/ask.mjs': "console.log('a mock turtle is no mock');\n",
  });
  const { code, shown, findings } = await lintJson(project);
  expect(code).toBe(6);
  expect(shown).toEqual([
    'mock trials/calls.flow.ts:4',
    'mock trials/library.flow.ts:2',
    'mock trials/node.flow.ts:2',
    'mock trials/node.flow.ts:4',
    'mock trials/tools/ask.py:3',
  ]);
  expect(findings.at(-1)).toMatchObject({ trial: 'script' });
  expect(findings[0]?.next).toContain('play the peer on the wire');
});
