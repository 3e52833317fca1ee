/** A check, and a step that waits, may run a program to look: by its exit code, and by what it prints. */
import { expect, test } from 'vitest';
import { performTrials, trialsProject } from './harness/trials-project.ts';

const config = `services:
  shop: { run: [node, shop.mjs], listen: { env: PORT } }`;

/** Packs an order a moment after it was placed; GET / says how many are packed. */
const shop = `import { createServer } from 'node:http';
let packed = 0;
createServer((request, response) => {
  if (request.method === 'POST') setTimeout(() => { packed += 1; }, 300);
  response.end(JSON.stringify({ packed }));
}).listen(process.env.PORT, '127.0.0.1');
`;

/** The command line of a shop: \`cli.mjs URL N\` ends with 0 when at least N orders are packed. */
const cli = `const [url, least = '1', extra = ''] = process.argv.slice(2);
const { packed } = await (await fetch(url)).json();
console.log(JSON.stringify({ packed, extra }));
process.exitCode = packed >= Number(least) ? 0 : 3;
`;

const files = { 'shop.mjs': shop, 'cli.mjs': cli };
const place = '- { http: POST shop/orders, expect: { status: 200 } }';
const run = (least = 1): string => `command: [node, cli.mjs, "\${shop.url}", "${least}"]`;

test('a step waits until a command says so; a check matches its exit code and its output', async () => {
  const project = trialsProject(
    config,
    {
      waits: `steps:
  ${place}
  - until: { ${run()}, expect: { exitCode: 0 } }
  - { http: GET shop/, expect: { text: { $regex: '"packed":[1-9]' } } }
checks:
  packed: { ${run()}, expect: { exitCode: 0, json: { packed: { $gte: 1 } }, stderr: "" } }
  shell: { command: "node cli.mjs $SHOP 1", env: { SHOP: "\${shop.url}" }, expect: { stdout: { $regex: '"packed":[1-9]' } } }
  later: { ${run()}, expect: { exitCode: 0 }, within: 5s }`,
      never: `steps:
  ${place}
  - until: { ${run(99)}, expect: { exitCode: 0 }, within: 500ms }
checks: { packed: { ${run()}, expect: { exitCode: 0 } } }`,
      wrong: `steps:\n  ${place}\nchecks: { packed: { ${run(99)}, expect: { exitCode: 0 } } }`,
      inside: `steps:\n  ${place}\nchecks: { packed: { ${run()}, in: shop, expect: { exitCode: 0 } } }`,
      absent: `steps:\n  ${place}\nchecks: { packed: { command: [no-such-program-anywhere], expect: { exitCode: 0 } } }`,
    },
    files,
  );
  const { code, text, verdicts } = await performTrials(project, '--parallel', '1');
  expect(verdicts, text).toEqual({
    waits: 'passed',
    never: 'failed',
    wrong: 'failed',
    inside: 'unknown',
    absent: 'unknown',
  });
  expect(code).toBe(1);
  expect(text).toMatch(/at \$\.exitCode expected 0 observed 3/);
  expect(text).toMatch(/no-such-program-anywhere/);
  const judged = await project.run(['judge', 'latest']);
  expect(judged.code, judged.output).toBe(1);
}, 60_000);

test('sabotage finds what the command decides by itself', async () => {
  const project = trialsProject(
    config,
    {
      pairs: `steps:
  ${place}
  - until: { ${run()}, expect: { exitCode: 0 } }
checks:
  strong: { ${run()}, expect: { exitCode: 0 } }
  or-true: { command: "node cli.mjs $SHOP 99 || true", env: { SHOP: "\${shop.url}" }, expect: { exitCode: 0 } }
  or-true-output: { command: "node cli.mjs $SHOP 99 || true", env: { SHOP: "\${shop.url}" }, expect: { json: { packed: 1 } } }
  echo: { command: [echo, ready], expect: { stdout: "ready\\n" } }
  echoed: { command: [node, cli.mjs, "\${shop.url}", "1", tea], expect: { json: { extra: tea } } }`,
    },
    files,
  );
  const { code, text } = await performTrials(project);
  expect(code, text).toBe(0);
  const { stdout } = await project.run(['sabotage', '--json']);
  const { trials } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as {
    trials: { checks: { id: string; vital: boolean; why: string }[] }[];
  };
  expect(
    Object.fromEntries(trials.flatMap(({ checks }) => checks.map(({ id, vital }) => [id, vital]))),
  ).toMatchObject({
    strong: true,
    'or-true': false,
    'or-true-output': true,
    echo: false,
    echoed: false,
  });
}, 60_000);

test('a command that nothing can be learnt from, and one at every moment, are refused before anything starts', async () => {
  const project = trialsProject(
    config,
    {
      empty: `steps:\n  ${place}\nchecks: { a: { ${run()} } }`,
      always: `steps:\n  ${place}\nchecks: { a: { ${run()}, expect: { exitCode: 0 }, throughout: true } }`,
      misspelt: `steps:\n  ${place}\nchecks: { a: { ${run()}, expect: { exitcode: 0 } } }`,
    },
    files,
  );
  const { code, output } = await project.run(['run']);
  expect(code, output).toBe(2);
  expect(output).toMatch(/empty\.trial\.yaml/);
  expect(output).toMatch(/throughout/);
  expect(output).toMatch(/did you mean `exitCode`/);
});
