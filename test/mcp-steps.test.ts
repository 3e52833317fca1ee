/** Steps `mcp` against servers of the official SDK, through the real binary. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { performTrials, trialsProject } from './harness/trials-project.ts';

const node = JSON.stringify(process.execPath);
const file = (name: string): string => JSON.stringify(fileURLToPath(new URL(name, import.meta.url)));
const program = `{ stdio: [${node}, ${file('mcp/stdio-toolbox.ts')}] }`;
const config = `isolation: shared
services:
  toolbox: { run: [${node}, ${file('mcp/toolbox-service.ts')}], listen: { env: PORT } }`;

test('an answer that is not what was expected fails at once: nothing later would change it', async () => {
  const project = trialsProject(config, {
    // Whoever waits here is ended with the whole test.
    step: `steps:
  - { mcp: ${program}, tool: say, args: { text: hello }, timeout: 10m, expect: { result: goodbye } }`,
    'with-unasked': `steps:
  - { mcp: ${program}, tool: change, timeout: 10m, expect: { result: other, notifications: { $length: 5 } } }`,
    check: `steps:
  - { mcp: ${program}, tool: say, args: { text: hello }, as: said }
checks:
  never-said: { exchange: said, within: 10m, expect: { result: goodbye } }`,
    'late-word': `steps:
  - { mcp: ${program}, tool: change, timeout: 10m, expect: { result: changed, notifications: { $length: 1 } } }`,
  });
  const run = await performTrials(project);
  expect(run.verdicts, run.text).toEqual({
    step: 'failed',
    'with-unasked': 'failed',
    check: 'failed',
    'late-word': 'passed',
  });
});
