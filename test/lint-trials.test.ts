/** `lint` reads the trials too: mistakes are errors at their position, and trials that prove nothing are findings. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeProject, type Project } from './harness/project.ts';

const config = `name: pair
services:
  web: { run: [node, services/answers.mjs], listen: { env: PORT } }
  api: { run: [node, services/answers.mjs], listen: { env: PORT }, env: { PEER: "\${web.url}" } }
`;

const sound = `id: sound
steps:
  - { http: GET web/, as: page }
checks:
  answered: { exchange: page, expect: { status: 200 } }
  called: { calls: api -> web, count: { $gte: 1 } }
`;

function suite(trials: Readonly<Record<string, string>>): Project {
  return makeProject({
    'shakedown.yaml': config,
    ...Object.fromEntries(
      Object.entries(trials).map(([name, text]) => [`trials/${name}.trial.yaml`, text] as const),
    ),
  });
}

test('a sound suite is counted, case by case, without findings', async () => {
  const cases =
    'id: many\ncases: { a: { n: 1 }, b: { n: 2 } }\nsteps: [{ http: "GET web/?n=${case.n}", expect: { status: 200 } }]\n';
  const { code, stdout, stderr } = await suite({ sound, cases }).run(['lint']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(
    /shakedown\.yaml: pair is well-formed: 0 resources, 0 jobs, 2 services, 3 trials\n$/,
  );
});

test('a system without trials is not an error', async () => {
  const { code, stdout } = await suite({}).run(['lint']);
  expect(code).toBe(0);
  expect(stdout).toContain('2 services, 0 trials\n');
});

test('the JSON Schema of trials replaces an older one, and no other file', async () => {
  const made = suite({ sound });
  const read = (file: string): string => readFileSync(path.join(made.folder, file), 'utf8');
  for (const time of ['new', 'replaced'])
    expect((await made.run(['lint', '--schema', 'trial.schema.json'])).code, time).toBe(0);
  expect(JSON.parse(read('trial.schema.json'))).toHaveProperty('$schema');
  for (const other of ['shakedown.yaml', 'trials/sound.trial.yaml', 'services']) {
    const { code, stderr } = await made.run(['lint', '--schema', other]);
    expect(code, other).toBe(2);
    expect(stderr).toContain(`"${other}" exists, and is not a JSON Schema`);
  }
  expect(read('trials/sound.trial.yaml')).toBe(sound);
});

test('mistakes in several trials are reported together, each with a caret, and lint exits with 2', async () => {
  const { code, stdout, stderr } = await suite({
    sound,
    misspelt: 'id: misspelt\nsteps:\n  - htpp: GET web/\n',
    twice: 'id: sound\nsteps:\n  - { http: GET web/, expect: { status: 200 } }\n',
  }).run(['lint']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/error\[trial\.unknown-kind\] .*misspelt\.trial\.yaml:3:5\n/);
  expect(stderr).toContain('  3 |   - htpp: GET web/\n    |     ^^^^\n');
  expect(stderr).toMatch(/error\[trial\.duplicate-id\] .*twice\.trial\.yaml:1:5\n/);
});

const unchecked = 'id: unchecked\ncases: { a: { n: 1 }, b: { n: 2 } }\nsteps: [{ http: GET web/ }]\n';
const absent = `id: absent
steps: [{ http: GET web/ }]
checks:
  silent: { calls: api -> web, expect: [] }
  proven: { calls: api -> web, count: 0, provenBy: sound }
`;

test('a trial without a check, and an unproven absence, are findings, each reported once', async () => {
  const { code, stdout, stderr } = await suite({ sound, unchecked, absent }).run(['lint']);
  expect({ code, stderr }).toEqual({ code: 6, stderr: '' });
  const [, shown] = stdout.split('2 findings: as it is, the suite is not honest\n');
  expect(shown?.trimEnd().split('\n')).toEqual([
    '  trials/absent.trial.yaml:4  absence-without-twin  absent, silent: nothing proves that it would have been seen',
    '    why   an observer that looks at the wrong place sees nothing either; a run of it ends with 6',
    '    next  add `provenBy: <trial>` with a trial in which `calls api -> web` shows something',
    '  trials/unchecked.trial.yaml:2  no-check  unchecked: it checks nothing',
    '    why   a trial without a check passes whatever the system does; a run of it ends with 6',
    '    next  add `checks`, or `expect` to a step',
  ]);
});

test('the same as data', async () => {
  const { code, stdout } = await suite({ sound, unchecked, absent }).run(['lint', '--json']);
  expect(code).toBe(6);
  expect(JSON.parse(stdout)).toMatchObject({
    trials: 4,
    findings: [
      { kind: 'absence-without-twin', level: 'finding', trial: 'absent', check: 'silent', line: 4 },
      {
        kind: 'no-check',
        level: 'finding',
        trial: 'unchecked',
        file: 'trials/unchecked.trial.yaml',
        line: 2,
      },
    ],
    notKnown: [],
    errors: [],
  });
});

test.each([
  ['nothing else', '', 'a resource of the kind postgres or sqlite, or a service that uses one'],
  [
    'another database',
    'resources: { main: { kind: postgres } }\n',
    'a resource (main), or a service that uses one',
  ],
])('rows of a database in a container are refused, with what to do, beside %s', async (_, more, allowed) => {
  const project = makeProject({
    'docker-compose.yml': 'services: { db: { image: "postgres:16" } }\n',
    'shakedown.yaml': `name: boxed\ncompose: docker-compose.yml\n${more}`,
    'trials/a.trial.yaml': `id: a\nsteps: [{ command: [echo] }]\nchecks: { b: { rows: db.orders, count: 1 } }\n`,
  });
  const { code, stderr } = await project.run(['lint']);
  expect(code, stderr).toBe(2);
  expect(stderr).toMatch(/a\.trial\.yaml:3:22/);
  expect(stderr).toContain(`allowed  ${allowed}\n`);
  expect(stderr).toContain('`replace: { db: postgres }` where a compose file declares it');
});
