/** The code of a flow may do anything: each way of misbehaving has its cause, the other trials pass, and nothing is left. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { flowProject, flowText, runFlows } from './flow/flow-project.ts';
import { startRunning } from './harness/running.ts';
import { nothing, until } from './harness/until.ts';

const before = "check('before', await http('desk').get('/'), { status: 200 });\n";
const good = flowText('good', before);
/** Blocks like an endless loop, but leaves the CPU to the other tests. */
const blocks = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';

test('a flow that throws, never ends, loops or exits fails alone, each with its cause', async () => {
  const project = flowProject({
    'a-throws.flow.ts': flowText('throws', `${before}null.nothing;`),
    'b-late.flow.ts': flowText(
      'late',
      `${before}setTimeout(() => { throw new RangeError('too late'); }, 1);\nawait new Promise(() => {});`,
    ),
    'c-never.flow.ts': flowText('never-ends', `${before}await new Promise(() => {});`, "timeout: '3s'"),
    'd-loops.flow.ts': flowText('loops', `${before}${blocks}`, "timeout: '3s'"),
    'e-exits.flow.ts': `import { spawn } from 'node:child_process';\nimport { flow } from 'shakedown';\n${flowText(
      'exits',
      `${before}spawn('sleep', ['600'], { stdio: 'inherit' });\nglobalThis.process.exit(3);`,
    )}`,
    'f-forgets.flow.ts': flowText('forgets', `${before}void http('desk').get('/slow');`),
    'f-rejects.flow.ts': flowText('rejects', `${before}void Promise.reject(new Error('never awaited'));`),
    'f-option.flow.ts': flowText('option', `${before}check('n', 1, 1, { provenby: 'good' });`),
    'f-ratio.flow.ts': flowText(
      'ratio',
      `${before}check('r', { ratio: 1 / 0 }, { ratio: { $not: { $gt: 5 } } });`,
    ),
    'f-nan.flow.ts': flowText('nan', `${before}check('n', { avg: null }, { avg: 0 / 0 });`),
    'f-hole.flow.ts': flowText('hole', `${before}check('h', [undefined, 1], [null, 1]);`),
    'f-until.flow.ts': flowText('until', `${before}await logs('desk').until([], { witin: '1s' });`),
    'f-quiet.flow.ts': flowText('quiet', `${before}await quiet({ witin: '1s' });`),
    'g-good.flow.ts': good,
  });
  const { code, trial, check } = await runFlows(project);
  expect(code).toBe(1);
  const causeOf = (id: string) => [trial(id).verdict, trial(id).cause?.kind, trial(id).cause?.text];
  expect(causeOf('throws')).toEqual([
    'failed',
    'flow',
    expect.stringMatching(/TypeError.*a-throws\.flow\.ts:4/),
  ]);
  expect(causeOf('late')).toEqual(['failed', 'flow', expect.stringMatching(/RangeError: too late/)]);
  expect(causeOf('never-ends')).toEqual(['failed', 'timeout', expect.stringContaining('after 3.00 s')]);
  expect(causeOf('loops')).toEqual(['failed', 'timeout', expect.stringContaining('after 3.00 s')]);
  expect(causeOf('exits')).toEqual(['failed', 'flow', 'it ended its own process with 3']);
  expect(causeOf('forgets')).toEqual([
    'failed',
    'flow',
    expect.stringMatching(/`await`.*f-forgets\.flow\.ts:4/),
  ]);
  for (const [id, why] of [
    ['rejects', /Error: never awaited/],
    ['option', /the check n has no option `provenby`.*did you mean `provenBy`/],
    [
      'ratio',
      /evidence of r must be plain data, and at \$\.ratio it is Infinity; allowed are finite .*f-ratio\.flow\.ts:4/,
    ],
    ['nan', /the pattern of n must be plain data, and at \$\.avg it is NaN; allowed are/],
    ['hole', /the evidence of h must be plain data, and at \$\[0\] it is undefined; write null/],
    ['until', /`until` has no option `witin`.*did you mean `within`/],
    ['quiet', /`witin` is not a key/],
  ] as const)
    expect([id, ...causeOf(id)]).toEqual([id, 'failed', 'flow', expect.stringMatching(why)]);
  expect(causeOf('good')).toEqual(['passed', undefined, undefined]);
  for (const id of ['throws', 'late', 'never-ends', 'loops', 'exits', 'forgets', 'rejects', 'option'])
    expect(check(id, 'before').verdict, id).toBe('passed');
  expect(project.left()).toEqual(nothing);
});

test('a flow that bypasses its context fails alone', async () => {
  const said = [
    'null',
    '{ say: "asks", asks: null }',
    '{ say: "asks", asks: [{ id: 1, line: 1, do: "act", kind: "http", spec: null, settings: {} }] }',
    '{ say: "check", check: {} }',
    '{ say: "begins", watches: 7 }',
    '{ say: "ended", failure: "no" }',
    '{ say: "__proto__" }',
  ];
  const flows = said.map((text, index) =>
    flowText(
      `says-${index}`,
      `${before}globalThis.process.send(${text});\nawait new Promise(() => {});`,
      "timeout: '9s'",
    ),
  );
  const project = flowProject({ 'a.flow.ts': flows.join('\n'), 'b.flow.ts': good });
  const { code, trial, output } = await runFlows(project);
  expect(code, output).toBe(1);
  for (const index of said.keys())
    expect(trial(`says-${index}`).cause?.text, said[index]).toContain(
      'it sent an invalid message to Shakedown',
    );
  expect(trial('good').verdict).toBe('passed');
  expect(project.left()).toEqual(nothing);
});

test('mistakes in a flow are reported with the line and a suggestion', async () => {
  const project = flowProject({
    'a.flow.ts': [
      flowText('pattern', `${before}check('x', 1, { $gte: 1, $lenght: 1 });`),
      flowText('service', "await http('dsek').get('/');"),
      flowText('option', "await http('desk').get('/', { jsno: {} });"),
      flowText('edge', `${before}check('x', calls('outside -> lien'), [{}]);`),
      flowText('again', `${before}check('before', 1, 1);`),
      flowText('promise', "check('x', http('desk').get('/'), { status: 200 });"),
      flowText('undefined', `${before}check('x', { a: 1 }, { a: undefined });`),
      flowText('expects', `const a = await http('desk').get('/');\nexpect(a, { status: 201 });`),
      flowText(
        'frozen',
        `const a = await http('desk').get('/');\na.status = 201;\ncheck('x', a, { status: 201 });`,
      ),
    ].join(''),
  });
  const { code, trial, check } = await runFlows(project);
  expect(code).toBe(1);
  const textOf = (id: string) => trial(id).cause?.text;
  expect(textOf('pattern')).toMatch(/unknown operator \$lenght.*a\.flow\.ts:4/s);
  expect(textOf('service')).toContain(
    'there is no service `dsek`; allowed: desk, line; did you mean `desk`?',
  );
  expect(textOf('option')).toContain('did you mean `json`?');
  expect(textOf('edge')).toContain('did you mean `outside -> line`?');
  expect(textOf('again')).toContain('the check before is already declared');
  expect(textOf('promise')).toContain('write `await` before it');
  expect(textOf('undefined')).toContain('at $.a it is undefined');
  expect(textOf('expects')).toMatch(/expected 201, observed 200 \(a\.flow\.ts:\d+\)/);
  expect(check('expects', 'expect-29').verdict).toBe('failed');
  expect(textOf('frozen')).toContain('read only property');
});

test('files that cannot be imported, and calls that declare no flow, are reported with their position', async () => {
  const project = flowProject({
    'a-throws.flow.ts': "flow('x', { id: 'x' }, async () => {});\nnull.nothing;\n",
    'b-hangs.flow.ts': "console.log('importing');\nawait new Promise(() => {});\n",
    'c-loops.flow.ts': `${blocks}\n`,
    'd-exits.flow.ts': "console.log('last words');\nprocess.exit(4);\n",
    'e-none.flow.ts': 'export {};\n',
    'f-syntax.flow.ts': "flow('x', { id: 'x', async () => {});\n",
    'g-options.flow.ts':
      "flow('x', {\n  id: 'Bad Id',\n  tgas: [],\n  model: './m.trial.yaml',\n}, async () => {});\nflow('', { id: 'y' }, 3);\n",
    'good.flow.ts': good,
  });
  const { code, output } = await project.run(['run', '--list']);
  expect(code).toBe(2);
  const at = (place: string) => expect.stringContaining(`] ${path.join(project.folder, place)}`);
  expect(output.split('\n\n')).toEqual([
    at('a-throws.flow.ts:3:6'),
    at('b-hangs.flow.ts:1:1'),
    at('c-loops.flow.ts:1:1'),
    at('d-exits.flow.ts:1:1'),
    at('e-none.flow.ts:1:1'),
    at('f-syntax.flow.ts:2:31'),
    at('g-options.flow.ts:3:7'),
    at('g-options.flow.ts:4:3'),
    at('g-options.flow.ts:5:10'),
    at('g-options.flow.ts:7:1'),
    at('g-options.flow.ts:7:1'),
  ]);
  expect(output).toContain('the flow file threw TypeError');
  expect(output.match(/has not loaded after 20 s/g)).toHaveLength(2);
  expect(output).toContain('it ended its own process with 4 while it was imported');
  expect(output).toContain('| last words');
  expect(output).toContain('the script in ./m.trial.yaml cannot be read');
  expect(project.left()).toEqual(nothing);
});

test('the output of a flow is bounded and redacted', async () => {
  const project = flowProject({
    'prints.flow.ts': flowText(
      'prints',
      `console.log('the key is ' + globalThis.process.env.KEY);\nfor (let n = 0; n < 40; n += 1) console.log('x'.repeat(100_000));\n${before}`,
    ),
  });
  appendFileSync(path.join(project.folder, 'shakedown.yaml'), 'secrets: [KEY]\n');
  const { code, output } = await project.run(['run'], { env: { KEY: 'open-sesame' } });
  expect(output).toContain('1 passed');
  expect(code).toBe(0);
  const log = readFileSync(path.join(project.folder, '.shakedown/latest/trials/prints/flow.log'), 'utf8');
  expect(log).toMatch(/^the key is ‹secret:KEY›\n/);
  expect(log.length).toBeLessThan(1.2 * 1024 * 1024);
});

test('a flow does not outlive its performer, even in a loop', async () => {
  const project = flowProject({ 'loops.flow.ts': flowText('loops', `${before}for (;;);`) });
  const running = startRunning(project, ['run']);
  const journal = path.join(project.folder, '.shakedown/latest/trials/loops/events.ndjson');
  await until(
    'the flow has come to its loop',
    30_000,
    () => (existsSync(journal) ? readFileSync(journal, 'utf8') : ''),
    (events) => events.includes('"check.declared"'),
  );
  expect(project.left().processes.map(({ commandLine }) => commandLine)).toContainEqual(
    expect.stringContaining('shakedown-flow'),
  );
  running.child.kill('SIGKILL');
  await until(
    'every process is gone',
    30_000,
    () => project.left().processes,
    (processes) => processes.length === 0,
  );
});
