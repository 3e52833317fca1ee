/** All mistakes in trial files are reported together, each at its position, before anything is started. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ProblemData } from '../src/kernel/problem.ts';
import { makeProject } from './harness/project.ts';
import { nothing } from './harness/until.ts';

const config = `name: pair
trials: "trials/**"
services:
  web: { run: [node, services/answers.mjs], listen: { env: PORT } }
  api: { run: [node, services/answers.mjs], listen: { env: PORT }, env: { PEER: "\${web.url}", LINE: "\${line.url}" } }
  line: { run: [node, services/answers.mjs], listen: { env: PORT, scheme: tcp } }
  mute: { run: [node, services/never-ready.mjs] }
rosters:
  helpers: { each: "helpers/*.json", name: "\${it.name}", service: { run: [node, services/answers.mjs], listen: { env: PORT } } }
`;

const right = 'steps: [{ http: GET web/, as: page, expect: { status: 200 } }]';

/** The text of a file, then every mistake in it: its code and its position. */
type Broken = readonly [text: string, ...mistakes: readonly (readonly [code: string, place: string])[]];

const broken: Readonly<Record<string, Broken>> = {
  'broken YAML': ['id: a\nsteps:\n  - http: GET web/\n   as: page\n', ['trial.syntax', '4:1']],
  'an alias inside of its own anchor': [
    'id: a\nsteps:\n  - { http: GET web/, expect: { json: &x [*x, { y: &z { w: [*z] } }] } }\n',
    ['trial.syntax', '3:43'],
    ['trial.syntax', '3:61'],
  ],
  'an edge that is not read': [
    `id: a
${right}
disturb: [{ edge: api -> line, delay: 1s }]
checks:
  b: { calls: api -> line, count: 0 }
  c: { order: [{ exchange: page }, { calls: api -> line }] }
  d: { calls: "* -> line", count: 0 }
  e: { calls: "api -> *", count: 0 }
  f: { correlate: { id: abc, through: [{ exchange: page }, { calls: api -> line }] } }
`,
    ['config.bad-value', '3:19'],
    ['config.bad-value', '5:15'],
    ['config.bad-value', '6:45'],
    ['config.bad-value', '7:15'],
    ['config.bad-value', '9:69'],
  ],
  'an empty file': ['', ['trial.syntax', '1:1']],
  'a list instead of a map': ['- id: a\n', ['config.wrong-type', '1:1']],
  'a key twice': [`id: a\nid: b\n${right}\n`, ['config.duplicate-name', '2:1']],
  'no id': [`title: nameless\n${right}\n`, ['config.missing-key', '1:1']],
  'an id that is none': [`id: Not An Id\n${right}\n`, ['config.bad-value', '1:5']],
  'an unknown driver': ['id: a\nsteps:\n  - htpp: GET web/\n', ['trial.unknown-kind', '3:5']],
  'a step that says nothing': ['id: a\nsteps:\n  - as: page\n', ['trial.unknown-kind', '3:5']],
  'unknown keys': [
    `id: a\ntilte: misspelt\nsteps:\n  - http: GET web/\n    expct: { status: 200 }\nchecks:\n  b: { logs: web, mach: x, count: 1 }\n`,
    ['config.unknown-key', '2:1'],
    ['config.unknown-key', '5:5'],
    ['config.unknown-key', '7:19'],
  ],
  'references to nothing, or to later': [
    `id: a
steps:
  - http: GET web/\${second.json.id}
    as: first
  - http: GET web/
    as: second
    expect: { status: "\${second.length}", text: "\${scond.text}" }
  - http: GET web/\${case.name}\${burst.index}\${with.name}
  - http: GET web/\${}
checks:
  b: { exchange: frist, expect: { status: 200 } }
  c: { exchange: first, expect: { status: "\${thrid.status}" } }
`,
    ['trial.later-step', '3:11'],
    ['config.unknown-variable', '7:49'],
    ['config.unknown-variable', '8:11'],
    ['config.unknown-variable', '8:11'],
    ['config.unknown-variable', '8:11'],
    ['config.unknown-variable', '9:11'],
    ['trial.unknown-step', '11:18'],
    ['config.unknown-variable', '12:43'],
  ],
  'values that no case has': [
    `id: a\ncases: { one: { size: 1 } }\nsteps:\n  - http: GET web/\${case.sise}\n    expect: { status: 200 }\n`,
    ['config.unknown-variable', '4:11'],
  ],
  'parts that a trial or a service does not have': [
    `id: a\nsteps:\n  - http: GET web/\${trial.uuid}\n    headers: { to: "\${web.ulr}" }\n    expect: { status: 200 }\n`,
    ['config.unknown-variable', '3:11'],
    ['config.unknown-variable', '4:20'],
  ],
  'patterns that are none': [
    `id: a
steps:
  - http: GET web/
    as: page
    expect: { status: { $gte: [200] } }
checks:
  b: { exchange: page, expect: { text: { $regx: hello } } }
  c: { exchange: page, expect: { text: { $regex: "(hello" } } }
  d: { exchange: page, expect: { text: { $length: long } } }
  e: { logs: web, match: "[", count: 1 }
  f: { logs: web, count: many }
  g: { calls: api -> web, where: { status: { $between: [300, 200] } }, count: 1 }
`,
    ['config.bad-pattern', '5:25'],
    ['config.bad-pattern', '7:42'],
    ['config.bad-pattern', '8:42'],
    ['config.bad-pattern', '9:42'],
    ['config.bad-pattern', '10:26'],
    ['config.bad-pattern', '11:26'],
    ['config.bad-pattern', '12:46'],
  ],
  'services, listeners and edges that are not there': [
    `id: a
steps:
  - http: GET wbe/
  - tcp: web.admin
  - http: GET mute/
  - restart: nobody
  - http: GET web/
    when: { logs: apii, count: 1 }
  - until: { exchange: later, expect: { status: 200 } }
checks:
  b: { rows: wbe.notes, count: 1 }
  c: { calls: web -> api, count: 1 }
  d: { process: nobody, expect: { restarts: 0 } }
`,
    ['config.unknown-name', '3:11'],
    ['config.unknown-name', '4:10'],
    ['config.unknown-name', '5:11'],
    ['config.unknown-name', '6:14'],
    ['config.unknown-name', '8:19'],
    ['trial.unknown-step', '9:24'],
    ['config.unknown-name', '11:14'],
    ['config.unknown-name', '12:15'],
    ['config.unknown-name', '13:17'],
  ],
  'steps on what leaves no connection': [
    `id: a
steps:
  - http: GET web/
    as: page
  - on: page
    send: hello
  - command: [echo, hello]
    as: program
  - on: program
    send: hello
  - on: nobody
    send: hello
`,
    ['trial.unknown-step', '5:9'],
    ['trial.unknown-step', '9:9'],
    ['trial.unknown-step', '11:9'],
  ],
  'cases of no roster': [`id: a\ncases: { from: helprs }\n${right}\n`, ['config.unknown-name', '2:16']],
  'cases of what every object has': [
    `id: a\ncases: { from: constructor }\n${right}\n`,
    ['config.unknown-name', '2:16'],
  ],
  'a key that every object has': [
    `id: a\nconstructor: x\n${right}\ntags: 5\n`,
    ['config.unknown-key', '2:1'],
    ['config.wrong-type', '4:7'],
  ],
  'references where it must be known what is meant': [
    `id: a
${right}
checks:
  b: { changes: [calls], only: "\${page.json}" }
  c: { changes: "\${page.json}", only: [b] }
  d: { order: "\${page.json}" }
`,
    ['config.wrong-type', '4:32'],
    ['config.wrong-type', '5:17'],
    ['config.wrong-type', '6:15'],
  ],
  'no case in cases': [`id: a\ncases: {}\n${right}\n`, ['config.bad-value', '2:1']],
  'checks that check nothing, or two things': [
    `id: a
${right}
checks:
  b: { exchange: page }
  c: { logs: web, never: [{ text: x }], expect: [] }
  d: { logs: web, never: [{ text: x }], within: 5s }
  e: { logz: web, count: 1 }
  f: { expect: [] }
  g: { changes: [rows, filez], only: [nothing] }
  h: { agree: { said: x } }
  i: { logs: web, never: [{ text: x }], count: 1 }
`,
    ['trial.empty-check', '4:3'],
    ['trial.contradiction', '5:41'],
    ['trial.contradiction', '6:41'],
    ['trial.unknown-kind', '7:8'],
    ['trial.unknown-kind', '8:3'],
    ['config.bad-value', '9:24'],
    ['config.missing-key', '10:8'],
    ['config.bad-value', '10:23'],
    ['trial.contradiction', '11:41'],
  ],
  'absences that hold at once, or prove themselves': [
    `id: a
${right}
checks:
  b: { logs: web, expect: [], within: 5s, provenBy: a }
  c: { logs: web, count: 0, provenBy: a }
  d: { logs: web, count: { $lte: 2 }, within: 5s }
  e: { logs: web, count: 2, within: 5s }
`,
    ['trial.contradiction', '4:31'],
    ['trial.contradiction', '4:53'],
    ['trial.contradiction', '5:39'],
    ['trial.contradiction', '6:39'],
  ],
  'expectations that every value matches': [
    `id: a\nsteps: [{ http: GET web/, as: page, expect: {} }]\nchecks: { b: { exchange: page, expect: {} } }\n`,
    ['trial.empty-check', '2:45'],
    ['trial.empty-check', '3:11'],
  ],
  'patterns that nothing could fail': [
    `id: a
steps:
  - { http: GET web/, as: page, expect: { $any: [{ status: 200 }, {}] } }
  - { http: GET web/, expect: { $present: true } }
checks:
  b: { exchange: page, expect: { $type: object } }
  c: { logs: web, expect: { $ne: 5 } }
  d: { logs: web, count: { $gte: 0 } }
  e: { exchange: page, expect: { $not: { json: { error: { $present: true } } } } }
  f: { logs: web, count: { $gte: 1 }, expect: { $length: { $lte: 3 } } }
`,
    ['trial.empty-check', '3:41'],
    ['trial.empty-check', '4:31'],
    ['trial.empty-check', '6:32'],
    ['trial.empty-check', '7:27'],
    ['trial.empty-check', '8:26'],
  ],
  'a catch-all that would silence the log gate': [
    `id: a
${right}
logs:
  allow:
    - { service: web, match: ".*", because: noise }
    - { service: web, match: "", because: noise }
    - { service: web, match: "^", because: noise }
    - { service: web, match: "a|.", because: noise }
    - { service: wbe, match: "certain words", because: known }
    - { service: web, match: "certain words" }
`,
    ['config.bad-pattern', '5:30'],
    ['config.bad-pattern', '6:30'],
    ['config.bad-pattern', '7:30'],
    ['config.bad-pattern', '8:30'],
    ['config.missing-key', '10:7'],
  ],
  'an allowance for an unknown service': [
    `id: a\n${right}\nlogs: { allow: [{ service: wbe, match: "certain words", because: known }] }\n`,
    ['config.unknown-name', '3:28'],
  ],
  'a twin that is not there': [
    `id: unproven\n${right}\nchecks: { b: { logs: web, expect: [], provenBy: nobody/knows } }\n`,
    ['trial.unknown-trial', '3:49'],
  ],
  'a fragment that is missing': [
    'id: a\nsteps:\n  - use: parts/missing.yaml\n',
    ['trial.unreadable', '3:10'],
  ],
  'bad durations': [
    `id: a
timeout: 5 parsecs
settle: 3
isolation: "\${case.kind}"
steps:
  - http: GET web/
    timeout: soon
    expect: { status: 200 }
  - http: GET web/
    timeout: "\${env.PATIENCE}"
    burst: "\${env.MANY}"
`,
    ['config.bad-value', '2:10'],
    ['config.wrong-type', '3:9'],
    ['config.bad-value', '4:12'],
    ['config.bad-value', '7:14'],
    ['config.bad-value', '10:14'],
    ['config.wrong-type', '11:12'],
  ],
  'scripts and disturbances of what is not there': [
    `id: a\nmodel: { web: [{ says: hello }] }\npeers: { bank: [{ on: GET / }] }\ndisturb: [{ edge: web -> bank, drop: { event: 1 } }]\n${right}\n`,
    ['config.unknown-name', '2:10'],
    ['config.unknown-name', '3:10'],
    ['config.unknown-name', '4:19'],
  ],
  'tolerances and expectations about nothing': [
    `id: a
attempts: 3
atLeast: { stats: 2, step page: 4 }
expectedFailure: { because: known, checks: [stats] }
${right}
checks:
  status: { exchange: page, expect: { status: 200 } }
  closed: { changes: [rows], only: [stats] }
`,
    ['config.unknown-name', '3:12'],
    ['config.bad-value', '3:33'],
    ['config.unknown-name', '4:45'],
    ['config.unknown-name', '8:37'],
  ],
  'a tolerance for everything': [
    `id: a\nattempts: 3\natLeast: { status: 0 }\n${right}\nchecks: { status: { exchange: page, expect: { status: 200 } } }\n`,
    ['config.bad-value', '3:20'],
  ],
  'needs for nothing': [
    `id: a\nneeds: [dokcer, {}]\n${right}\n`,
    ['config.bad-value', '2:9'],
    ['config.bad-value', '2:17'],
  ],
  'names that are taken': [
    `id: a
use: [parts/look.yaml]
steps:
  - http: GET web/
    as: page
  - http: GET web/
    as: page
  - http: GET web/
    as: web
checks:
  looked: { exchange: page, expect: { status: 200 } }
`,
    ['config.duplicate-name', '7:9'],
    ['config.duplicate-name', '9:9'],
    ['config.duplicate-name', '11:3'],
  ],
  'two bodies in one step': [
    'id: a\nsteps:\n  - http: POST web/\n    json: {}\n    text: hello\n',
    ['trial.contradiction', '5:5'],
  ],
};

/** Files by a short name, so that each mistake can be identified. */
const files = Object.fromEntries(
  Object.values(broken).map(([text], index) => [`trials/${String(index).padStart(2, '0')}.trial.yaml`, text]),
);

const others: Readonly<Record<string, string>> = {
  'shakedown.yaml': config,
  'helpers/one.json': '{ "name": "helper-one" }',
  'trials/parts/look.yaml': 'checks:\n  looked: { exchange: page, expect: { status: 200 } }\n',
  'trials/parts/itself.yaml': 'steps:\n  - use: ./itself.yaml\n',
  'trials/cycle.trial.yaml': 'id: cycle\nsteps:\n  - use: parts/itself.yaml\n',
  'trials/same-1.trial.yaml': `id: same\n${right}\n`,
  'trials/same-2.trial.yaml': `title: another of that name\nid: same\n${right}\n`,
  // `provenBy` may name a trial whose file is broken.
  'trials/proven.trial.yaml': `id: proven\n${right}\nchecks: { b: { logs: web, expect: [], provenBy: halfway } }\n`,
  'trials/halfway.trial.yaml': 'id: halfway\nsteps: [{ http: GET web/, as: page, timeout: 5 }]\n',
};

test('every mistake of every file is reported together, with its code and position, and nothing is started', async () => {
  const project = makeProject({ ...others, ...files });
  const result = await project.run(['run', '--json']);
  expect(result.code, result.output).toBe(2);
  const { errors } = JSON.parse(result.stdout) as { errors: readonly ProblemData[] };
  const shown = Object.fromEntries(
    Object.entries(broken).map(([name], index) => [
      name,
      errors
        .filter(({ where }) => fileOf(where) === `${String(index).padStart(2, '0')}.trial.yaml`)
        .map(toMistake),
    ]),
  );
  expect(shown).toEqual(
    Object.fromEntries(Object.entries(broken).map(([name, [, ...mistakes]]) => [name, mistakes])),
  );
  const elsewhere = errors.filter(({ where }) => !/^\d\d\./.test(fileOf(where)));
  expect(elsewhere.map((error) => [fileOf(error.where), ...toMistake(error)])).toEqual([
    ['halfway.trial.yaml', 'config.wrong-type', '2:46'],
    ['itself.yaml', 'trial.fragment-cycle', '2:10'],
    ['same-2.trial.yaml', 'trial.duplicate-id', '2:5'],
  ]);
  for (const { where, what, allowed, next, exitCode } of errors) {
    expect(where).toMatchObject({ excerpt: expect.any(String), length: expect.any(Number) });
    expect([what, allowed, next].map((part) => part.length > 0)).toEqual([true, true, true]);
    expect(exitCode).toBe(2);
  }
  expect(existsSync(path.join(project.folder, '.shakedown'))).toBe(false);
  expect(project.left()).toEqual(nothing);
});

function fileOf(where: ProblemData['where']): string {
  return typeof where === 'string' ? where : path.basename(where.file);
}

function toMistake({ code, where }: ProblemData): readonly [string, string] {
  return [code, typeof where === 'string' ? where : `${where.line}:${where.column}`];
}
