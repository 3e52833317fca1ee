/** Of what a program prints that is run to look, only a beginning is kept: what was not kept decides nothing. */
import { expect, test } from 'vitest';
import { performTrials, trialsProject } from './harness/trials-project.ts';

const config = `services:
  shop: { run: [node, shop.mjs], listen: { env: PORT } }`;
const shop = `import { createServer } from 'node:http';
createServer((request, response) => response.end('{}')).listen(process.env.PORT, '127.0.0.1');
`;
const print = `const many = (text) => text.repeat(1_100_000);
const printed = { leak: many('y') + 'leak', json: JSON.stringify({ failed: 9, pad: many('y') }) };
process[process.argv[3] ?? 'stdout'].write(printed[process.argv[2]]);
`;

const first = 'steps:\n  - { http: GET shop/, expect: { status: 200 } }';
const leak = 'command: [node, print.mjs, leak]';
const checked = (fields: string): string => `${first}\nchecks: { c: { ${fields} } }`;
const noLeak = '{ $not: { $contains: leak } }';

test('what a check, `until` and `when` read of a truncated output is unknown, and the rest is judged', async () => {
  const project = trialsProject(
    config,
    {
      lacks: checked(`${leak}, expect: { stdout: ${noLeak} }`),
      ends: checked(`${leak}, expect: { stdout: { $endsWith: y } }`),
      shorter: checked(`${leak}, expect: { stdout: { $length: { $lt: 1100000 } } }`),
      stderr: checked(`command: [node, print.mjs, leak, stderr], expect: { stderr: ${noLeak} }`),
      within: checked(`${leak}, expect: { stdout: ${noLeak} }, within: 300ms`),
      'json-absent': checked('command: [node, print.mjs, json], expect: { json: { $absent: true } }'),
      'json-equal': checked('command: [node, print.mjs, json], expect: { json: { failed: 9 } }'),
      until: `${first}\n  - until: { ${leak}, expect: { stdout: ${noLeak} }, within: 300ms }`,
      when: `${first}
  - { http: GET shop/, when: { ${leak}, expect: { stdout: ${noLeak} }, within: 300ms }, expect: { status: 200 } }`,
      code: checked(`${leak}, expect: { exitCode: 0, stdoutBytes: 1100004 }`),
      wrong: checked(`${leak}, expect: { exitCode: 3, stdout: ${noLeak} }`),
    },
    { 'shop.mjs': shop, 'print.mjs': print },
  );
  const { verdicts, text } = await performTrials(project);
  expect(verdicts, text).toEqual({
    ...Object.fromEntries(
      'lacks ends shorter stderr within json-absent json-equal until when'
        .split(' ')
        .map((name) => [name, 'unknown']),
    ),
    code: 'passed',
    wrong: 'failed',
  });
  expect(text).toMatch(/longer than the 1 MB that are kept of it; .*stdoutBytes/);
}, 60_000);
