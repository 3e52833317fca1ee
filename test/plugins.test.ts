/** Kinds of the user's own: a program that speaks JSON lines provides steps and checks; one that misbehaves is contained. */
import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, inject, test } from 'vitest';
import { openDocument } from '../src/journal/seal.ts';
import { latestVerdict, performTrials, trialsProject, unfolded } from './harness/trials-project.ts';
import { isNothing, until } from './harness/until.ts';

/** A system that is touched once, so that a trial is not empty. */
const config = (env = '', more = ''): string => `isolation: shared
plugins:
  diary: { run: [node, services/plugin.mjs]${env === '' ? '' : `, env: { ${env} }`} }
${more}services:
  web: { run: [node, services/answers.mjs], listen: { env: PORT } }`;

const touch = '{ http: GET web/, expect: { status: 200 } }';
const noted = `steps: [${touch}, { note: hello, mood: calm, stars: 3, as: said, expect: { kept: 1, mood: calm } }]
checks:
  kept: { notes: all, where: { stars: { $gte: 2 } }, expect: [{ text: hello }] }
  result: { exchange: said, expect: { kept: 1 } }`;
const flow = `import { flow } from 'shakedown';
flow('a note in code', { id: 'code' }, async ({ http, note, notes, expect, check }) => {
  await http('web').get('/');
  const { kept } = await note('from code', { stars: 4, as: 'written' });
  expect(kept, 1);
  await notes('all').until([{ text: 'from code' }]);
  check('seen', notes('all', { where: { stars: 4 } }), [{ text: 'from code' }]);
});
`;

test('its steps and checks work in a file and in a flow, and the run is judged again without it', async () => {
  const project = trialsProject(config(), { noted }, { 'trials/code.flow.ts': flow });
  const { code, text, verdicts, verdict } = await performTrials(project);
  expect([code, verdicts], text).toEqual([0, { noted: 'passed', code: 'passed' }]);
  const sabotage = await project.run(['sabotage', '--json']);
  expect(JSON.parse(sabotage.stdout), sabotage.output).toMatchObject({ vitality: 1, checks: 6 });
  rmSync(path.join(project.folder, 'services/plugin.mjs'));
  const judged = await project.run(['judge', '--json']);
  expect(JSON.parse(judged.stdout)).toEqual(verdict);
});

test('mistakes in its steps and checks are reported like those in ours', async () => {
  const project = trialsProject(config(), {
    mistakes: `steps:
  - { note: hello, mood: angry, stars: 9, colour: red }
  - { note: [1], expect: { kapt: 1 } }
checks:
  kept: { notes: all, expect: [{ txt: hello }] }`,
  });
  const { code, output } = await project.run(['lint']);
  const text = unfolded(output);
  expect(code, output).toBe(2);
  expect(text).toContain('mistakes.trial.yaml:3:26 2 | steps: 3 | - { note: hello, mood: angry');
  expect(text).toContain('`steps[0].mood` is "angry" allowed one of calm, cross');
  expect(text).toContain('`steps[0].stars` is 9 allowed a whole number from 1 up to 5');
  expect(text).toContain('`colour` is not a key of `steps[0]` allowed note, mood, stars, as,');
  expect(text).toContain('`steps[1].note` is [1], a list allowed a text');
  expect(text).toContain('`kapt` is not a key of what a step gets');
  expect(text).toContain('did you mean `kept`?');
  expect(text).toContain('`txt` is not a key of what `notes` shows allowed text, stars');
});

test.each([
  ['crash', 'ended with exit code 3; it printed: the ink ran out'],
  ['flood', 'lines that answer no request, such as "tick"'],
  ['long-line', 'printed a line of more than 8388608 bytes'],
  ['hang', 'has not answered `start` after 2.00 s'],
])('one that does not work (%s) is named, and its trial is unknown', async (mode, says) => {
  const project = trialsProject(config(`MODE: ${mode}`), {
    noted: noted.replace('stars: 3,', 'stars: 3, timeout: 1s,'),
    other: `steps: [${touch}]`,
    tolerant: `steps: [${touch}, { note: hello, timeout: 1s, expect: { error: { $present: true } } }]`,
  });
  const { code, text, verdicts, trial } = await performTrials(project);
  expect([code, verdicts], text).toEqual([6, { noted: 'unknown', other: 'passed', tolerant: 'unknown' }]);
  const step = trial('noted').checks.find(({ id }) => id === 'step said');
  expect(`${step?.observed} ${step?.explanation}`).toContain('the plugin `diary` (node services/plugin.mjs)');
  expect(`${step?.observed} ${step?.explanation}`).toContain(says);
  expect(trial('noted').blame?.party ?? null).toBe(null);
});

test('a look that gives something else is unknown', async () => {
  const project = trialsProject(config('MODE: not-a-list'), { noted });
  const { code, trial, text } = await performTrials(project);
  expect(code, text).toBe(6);
  expect(trial('noted').checks.find(({ id }) => id === 'kept')).toMatchObject({
    verdict: 'unknown',
    explanation: 'the plugin `diary` answered `notes` with something that is not a list',
  });
});

test.each([
  ['MODE: no-description', 'an invalid description: `description.protocol` must be 1'],
  ['STEP: http', 'brings `http`, a name that Shakedown has already'],
  ['STEP: expect', 'brings `expect`, a name that every step or check has already'],
  ['STEP: "${env.HOME}"', 'allowed a text without `${…}`: it reaches the plugin as it is written'],
  ['STEP: Note', 'must be a name of letters, digits and _ that begins with a lower-case letter'],
])('one whose description cannot be used is refused before anything starts: %s', async (env, says) => {
  const project = trialsProject(config(env), { noted });
  const { code, output } = await project.run(['run']);
  expect(code, output).toBe(2);
  expect(unfolded(output)).toContain(says);
  if (!env.includes('$')) expect(unfolded(output)).toContain('next try it: shakedown conformance diary');
});

test('a program that does not exist, and two plugins with one kind', async () => {
  const project = trialsProject(
    config('', '  twin: { run: [node, services/plugin.mjs] }\n  gone: { run: [./no-such-program] }\n'),
    { noted },
  );
  const { code, output } = await project.run(['run']);
  expect(code, output).toBe(2);
  expect(unfolded(output)).toContain(
    'the plugin `twin` brings `note`, a name that the plugin `diary` has already',
  );
  expect(unfolded(output)).toContain('the plugin `gone` (./no-such-program) ended with exit code 127');
});

test('one that ignores every request to end leaves nothing behind, even when we are killed', async () => {
  const slow = noted.replace(
    'checks:',
    'checks:\n  later: { notes: all, within: 50s, expect: [{ text: never }] }',
  );
  const project = trialsProject(config('MODE: daemon'), { noted: slow });
  const child = project.start(['run']);
  const journal = path.join(project.folder, '.shakedown/latest/trials/noted/events.ndjson');
  await until('the step has ended', 20_000, () => stepEnded(journal), Boolean);
  const gone = new Promise((resolve) => void child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  await until('nothing is left', 20_000, () => project.left(), isNothing);
});

function stepEnded(journal: string): boolean {
  try {
    return readFileSync(journal, 'utf8').includes('"step.ended","step":"said"');
  } catch {
    return false; // not begun yet
  }
}

test('its conformance suite says what Shakedown relies on', async () => {
  const project = trialsProject(config(), { noted });
  const good = await project.run(['conformance', 'diary']);
  expect(good.code, good.output).toBe(0);
  expect(good.stdout).toContain('✓ note: its example fits its own keys');
  expect(good.stdout).toContain('✓ note: five at once');
});

test.each([
  ['stays', 'ends by itself when it is closed'],
  ['not-a-list', 'notes: five at once'],
])('its conformance suite fails where the plugin is wrong: %s', async (mode, failed) => {
  const bad = trialsProject(config(`MODE: ${mode}`), { noted });
  const { code, stdout } = await bad.run(['conformance', 'diary', '--json']);
  expect(code).toBe(1);
  const { cases } = JSON.parse(stdout) as {
    readonly cases: readonly { readonly name: string; readonly verdict: string }[];
  };
  expect(cases.filter(({ verdict }) => verdict === 'failed').map(({ name }) => name)).toEqual([failed]);
  // The shell that ends its group when we are gone notices that a moment later.
  await until('nothing is left', 10_000, () => bad.left(), isNothing);
});

const inTypeScript = `import { connect } from 'node:net';
import { definePlugin, PluginError } from 'shakedown';

definePlugin({
  steps: {
    knock: {
      target: 'service',
      evidence: { opened: { origin: 'system' } },
      examples: [{ knock: 'web' }],
      start: ({ target, timeoutMs }) =>
        new Promise((resolve, reject) => {
          console.log('what it prints is not an answer');
          const socket = connect(target.port, target.host, () => socket.write('GET / HTTP/1.0\\r\\n\\r\\n'));
          const refuse = () => reject(new PluginError('nobody answers', { kind: 'refused' }));
          socket.on('data', () => resolve({ opened: true })).on('error', refuse).on('close', refuse);
          setTimeout(() => reject(new PluginError('too late', { kind: 'timeout' })), timeoutMs);
        }),
    },
  },
  checks: { doors: { gives: 'map', look: async ({ query }) => ({ asked: query.doors }) } },
});
`;

test('the helper for TypeScript serves steps and checks', async () => {
  const project = trialsProject(
    config('', '  porter: { run: [node, kinds/porter.ts] }\n'),
    {
      knock: `steps: [{ knock: web, expect: { opened: true } }]
checks: { asked: { doors: all, expect: { asked: all } } }`,
      nobody: `steps: [{ stop: web }, { knock: web, expect: { error: { kind: refused } } }, { start: web }]`,
    },
    { 'kinds/porter.ts': inTypeScript, 'package.json': '{ "type": "module" }' },
  );
  mkdirSync(path.join(project.folder, 'node_modules'));
  symlinkSync(inject('builtPackage'), path.join(project.folder, 'node_modules/shakedown'));
  const { code, verdicts, text } = await performTrials(project);
  expect([code, verdicts], text).toEqual([0, { knock: 'passed', nobody: 'passed' }]);
  const conformance = await project.run(['conformance', 'porter']);
  expect(conformance.code, conformance.output).toBe(0);
});

test('the plan of the run keeps what the plugins brought', async () => {
  const project = trialsProject(config(), { noted });
  await performTrials(project);
  expect(latestVerdict(project).verdicts).toEqual({ noted: 'passed' });
  const plan = JSON.parse(
    openDocument(readFileSync(path.join(project.folder, '.shakedown/latest/plan.json'))),
  );
  expect(Object.keys(plan.plugins[0].steps)).toEqual(['note']);
});
