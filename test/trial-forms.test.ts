/** Patterns that do not fit their check are reported before anything starts: because of their form they could not fail. */
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ProblemData } from '../src/kernel/problem.ts';
import { trialsProject } from './harness/trials-project.ts';

const config = `services:
  api: { run: [node, services/answers.mjs], listen: { env: PORT } }
  web: { run: [node, services/answers.mjs], listen: { env: PORT }, env: { PEER: "\${api.url}" } }`;

test('a `never` that nothing could match, keys that are never there, a value compared with itself, a misnamed file', async () => {
  const project = trialsProject(
    config,
    {
      a: `steps: [{ http: GET web/, as: page, expect: { statuss: { $ne: 500 } } }]
checks:
  a: { calls: web -> api, never: { method: POST }, provenBy: b }
  b: { logs: web, never: PANIC, provenBy: b }
  c: { logs: web, never: { $some: { text: PANIC } }, provenBy: b }
  d: { exchange: page, never: [{ status: 500 }] }
  k: { exchange: page, expect: { $not: { body: { $contains: boom } } } }
  e: { process: web, expect: { runing: { $ne: false } } }
  f: { calls: web -> api, expect: { $each: { reqest: { $absent: true } } } }
  g: { calls: web -> api, where: { request: { jsn: 1 } }, count: 1 }
  h: { files: web, expect: [{ text: { $not: { $contains: x } } }] }
  i: { files: web, as: text, expect: [{ text: { $not: { $contains: x } } }] }
  j: { logs: web, expect: { $not: { $some: { level: error } } } }`,
      c: `steps: [{ http: GET web/, as: me, expect: { status: "\${me.status}" } }]
checks: { e: { exchange: me, expect: { headers: { a: "\${me.headers.a}", b: "\${me.headers.a}" } } } }`,
      b: 'steps: [{ http: GET web/, expect: { status: 200 } }]\nchecks: { l: { logs: web, count: 1 } }',
    },
    { 'trials/Late.trials.yaml': 'id: late\n', 'trials/late.flow.cts': '' },
  );
  const { code, stdout } = await project.run(['lint', '--json']);
  const { errors } = JSON.parse(stdout) as { errors: readonly ProblemData[] };
  expect(code, stdout).toBe(2);
  const shown = errors.map((problem) => {
    const where = problem.where as { line: number; column: number };
    return [problem.code, `${where.line}:${where.column}`, problem.next];
  });
  const some = 'for "no element like this", write `never: { $some: … }` around it';
  expect(shown).toEqual([
    ['trial.unreadable', '1:1', 'rename the file'],
    ['config.unknown-key', '2:47', 'did you mean `status`?'],
    ['trial.empty-check', '4:34', some],
    ['trial.empty-check', '5:26', some],
    ['trial.empty-check', '7:31', 'name the keys that must not be so'],
    ['config.unknown-key', '8:42', 'correct the key'],
    ['config.unknown-key', '9:32', 'did you mean `running`?'],
    ['config.unknown-key', '10:46', 'did you mean `request`?'],
    ['config.unknown-key', '11:47', 'did you mean `json`?'],
    ['config.unknown-key', '12:31', 'say `as: text` beside `files`'],
    ['config.unknown-key', '14:46', 'correct the key'],
    ['trial.empty-check', '2:53', 'say what must be true'],
    ['trial.empty-check', '3:54', 'say what must be true'],
    ['trial.unreadable', '1:1', 'rename the file'],
  ]);
});

test('trials behind links to folders and .yml files are trials; one reached twice, or compiled, counts once', async () => {
  const steps = 'steps: [{ http: GET web/, expect: { status: 200 } }]';
  const project = trialsProject(
    config,
    { a: steps },
    {
      'common/late.trial.yaml': `id: late\n${steps}\n`,
      'trials/more.trial.yml': `id: more\n${steps}\n`,
      'trials/flows.flow.ts':
        "import { flow } from 'shakedown';\nflow('f', { id: 'flows' }, async () => {});\n",
      'dist/flows.flow.js':
        "import { flow } from 'shakedown';\nflow('f', { id: 'flows' }, async () => {});\n",
    },
  );
  const file = path.join(project.folder, 'shakedown.yaml');
  // The config does not say where trials are.
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^trials: .*\n/m, ''));
  symlinkSync('../common', path.join(project.folder, 'trials/common'));
  symlinkSync('../common', path.join(project.folder, 'trials/again'));
  symlinkSync('..', path.join(project.folder, 'trials/loop'));
  const { code, stdout, stderr } = await project.run(['run', '--list']);
  expect(code, stderr).toBe(0);
  // The last line counts them.
  expect(stdout.match(/^\S+/gm)).toEqual(['late', 'a', 'flows', 'more', '4']);
});
