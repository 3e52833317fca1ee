/** An error in a trial file as a person reads it: where with a caret, what with the value, what is allowed, what to do next. */
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ProblemData } from '../src/kernel/problem.ts';
import { makeProject } from './harness/project.ts';

const config = `name: pair
trials: "trials/**"
services:
  web: { run: [node, answers.mjs], cwd: services, listen: { env: PORT } }
`;

/** With the folder of the project written as `~`. */
async function messageOf(trials: Readonly<Record<string, string>>): Promise<string> {
  const project = makeProject({ 'shakedown.yaml': config, ...trials });
  const result = await project.run(['run']);
  expect(result.code, result.output).toBe(2);
  expect(result.stdout).toBe('');
  return result.stderr.replaceAll(project.folder, '~');
}

test('keys, references, patterns', async () => {
  const shown = await messageOf({
    'trials/page.trial.yaml': `id: page
steps:
  - http: GET web/\${answer.json.id}
    as: page
  - http: GET web/
    as: answer
    expct: { status: 200 }
checks:
  hello: { exchange: page, expect: { text: { $contians: hello } } }
  quiet: { logs: web, match: "(ERROR", count: 1 }
`,
  });
  expect(shown).toMatchInlineSnapshot(`
    "error[trial.later-step] ~/trials/page.trial.yaml:3:11
      2 | steps:
      3 |   - http: GET web/\${answer.json.id}
        |           ^^^^^^^^^^^^^^^^^^^^^^^^^
      what     \`\${answer.json.id}\` refers to the step \`answer\`, which is done later
      allowed  nothing yet: this is the first step with a name
      next     move the step up, or use a value that is available here

    error[config.unknown-key] ~/trials/page.trial.yaml:7:5
      6 |     as: answer
      7 |     expct: { status: 200 }
        |     ^^^^^
      what     \`expct\` is not a key of \`steps[1]\`
      allowed  http, json, text, form, multipart, body, headers, query, redirect, as, title, expect, rung, timeout, within, when, burst
      next     did you mean \`expect\`?

    error[config.bad-pattern] ~/trials/page.trial.yaml:9:46
      8 | checks:
      9 |   hello: { exchange: page, expect: { text: { $contians: hello } } }
        |                                              ^^^^^^^^^
      what     unknown operator $contians
      allowed  $any, $all, $not, $eq, $ne, $lt, $lte, $gt, $gte, $between, $regex, $flags, $startsWith, $endsWith, $each, $some, $contains, $length, $unordered, $overlap, $hmac, $type, $path, $absent, $present; a key of the data that starts with $ is written inside $eq or $path
      next     did you mean \`$contains\`?

    error[config.bad-pattern] ~/trials/page.trial.yaml:10:30
       9 |   hello: { exchange: page, expect: { text: { $contians: hello } } }
      10 |   quiet: { logs: web, match: "(ERROR", count: 1 }
         |                              ^^^^^^^^
      what     \`checks.quiet.match\`: "(ERROR" is not a regular expression: Unterminated group
      allowed  a regular expression as JavaScript understands it
      next     put \\ before a literal bracket
    "
  `);
});

test('twins, duplicate trial names, fragments, keys without a value: reported where they are written', async () => {
  const shown = await messageOf({
    'trials/1.trial.yaml': 'id: same\nsteps: [{ http: GET web/, expect: { status: 200 } }]\n',
    'trials/2.trial.yaml': 'id: same\nsteps: [{ http: GET web/, expect: { status: 200 } }]\n',
    'trials/3.trial.yaml': 'id: circle\nsteps:\n  - use: parts/itself.yaml\n',
    'trials/parts/itself.yaml': 'steps:\n  - use: ./itself.yaml\n',
    'trials/4.trial.yaml': `id: nothing
steps: [{ http: GET web/, as: page, expect: }]
checks:
  asked: { calls: outside -> web, where: , count: 1 }
`,
    'trials/twin.trial.yaml': `id: twin
steps: [{ http: GET web/, expect: { status: 200 } }]
checks:
  silent:
    logs: web
    expect: []
    provenBy: nobody
`,
  });
  expect(shown).toMatchInlineSnapshot(`
    "error[trial.duplicate-id] ~/trials/2.trial.yaml:1:5
      1 | id: same
        |     ^^^^
      what     the id \`same\` is taken by trials/1.trial.yaml:1
      allowed  an id of its own for every trial
      next     rename one of them

    error[config.bad-pattern] ~/trials/4.trial.yaml:2:37
      1 | id: nothing
      2 | steps: [{ http: GET web/, as: page, expect: }]
        |                                     ^^^^^^
      what     \`expect:\` has no value
      allowed  a pattern, such as { status: 200 }; { $eq: null } where null is meant
      next     write the pattern, or leave the key out

    error[config.bad-pattern] ~/trials/4.trial.yaml:4:35
      3 | checks:
      4 |   asked: { calls: outside -> web, where: , count: 1 }
        |                                   ^^^^^
      what     \`where:\` has no value
      allowed  a pattern, such as { status: 200 }; { $eq: null } where null is meant
      next     write the pattern, or leave the key out

    error[trial.fragment-cycle] ~/trials/parts/itself.yaml:2:10
      1 | steps:
      2 |   - use: ./itself.yaml
        |          ^^^^^^^^^^^^^
      what     itself.yaml uses itself
      allowed  fragments within fragments, at most 5 deep
      next     write the steps out

    error[trial.unknown-trial] ~/trials/twin.trial.yaml:7:15
      6 |     expect: []
      7 |     provenBy: nobody
        |               ^^^^^^
      what     the check \`silent\` is proven by \`nobody\`, and there is no such trial
      allowed  the id of another trial of this suite
      next     correct the id; see all of them: shakedown run --list
    "
  `);
});

test('missing files are reported before anything starts, and no second error for a trial without an id', async () => {
  const shown = await messageOf({
    'trials/files.trial.yaml': `steps:
  - { http: POST web/, body: { file: ./nope.bin }, as: sent }
  - { http: POST web/, multipart: [{ name: a, text: b }, { name: b, file: ../trials }] }
  - { http: POST web/, body: { file: "./\${trial.id}.bin" } }
  - { command: [node, -e, "0"] }
  - { http: POST web/, body: { file: ./made.bin } }
checks: { ok: { exchange: sent, expect: { status: 200 } } }
`,
  });
  expect(shown.match(/^error.*|^ {2}(?:what|next) .*/gm)).toEqual([
    'error[config.missing-key] ~/trials/files.trial.yaml:1:1',
    '  what     the trial has no `id`',
    '  next     add `id`',
    'error[trial.unreadable] ~/trials/files.trial.yaml:2:38',
    '  what     there is no file `./nope.bin` in ~/trials',
    '  next     add the file, or correct the path',
    'error[trial.unreadable] ~/trials/files.trial.yaml:3:75',
    '  what     there is no file `../trials` in ~/trials',
    '  next     add the file, or correct the path',
  ]);
});

test('a damaged golden output is reported with its file', async () => {
  const golden = (name: string): string => `shakedown/golden/${name}/k.json`;
  const trial = (name: string): string =>
    `id: ${name}\nsteps: [{ http: GET web/, as: page }]\nchecks: { k: { exchange: page, golden: true } }\n`;
  const project = makeProject({
    'shakedown.yaml':
      'name: a\nservices: { web: { run: [node, answers.mjs], cwd: services, listen: { env: PORT } } }\n',
    ...Object.fromEntries(
      ['torn', 'void', 'folder', 'none'].map((name) => [`trials/${name}.trial.yaml`, trial(name)]),
    ),
    [golden('torn')]: '<<<<<<< HEAD\n{}\n=======\n{"a":1}\n>>>>>>> other\n',
    [golden('void')]: '',
    [`${golden('folder')}/file`]: '',
  });
  const result = await project.run(['lint', '--json']);
  expect(result.code, result.output).toBe(2);
  const { errors } = JSON.parse(result.stdout) as { errors: readonly ProblemData[] };
  expect(
    errors.map(({ code, where }) => [code, path.relative(project.folder, String(where))]).sort(),
  ).toEqual(['folder', 'torn', 'void'].map((name) => ['trial.unreadable', golden(name)]));
});
