/** Every key of the grammar, used on one small real system; judging a stored run again gives the same, anywhere. */

import { cpSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { derivedKinds } from '../src/checks/derived-queries.ts';
import type { RunVerdict, Verdict } from '../src/checks/verdict.ts';
import { commonCheckKeys, commonStepKeys } from '../src/kinds/kind/keys-of-all.ts';
import { trialDocument } from '../src/trials/document/trial-document.ts';
import { checkDocument, checkKeys } from '../src/trials/kinds/check-table.ts';
import { stepDocuments } from '../src/trials/kinds/step-table.ts';
import { binary, type Project } from './harness/project.ts';
import { runCommand } from './harness/run-command.ts';
import { makeTemporaryFolder } from './harness/temporary-folder.ts';
import { latestVerdict, performTrials, trialsProject } from './harness/trials-project.ts';

const config = `isolation: shared
services:
  diary:
    run: [node, services/keeps-a-diary.mjs]
    listen: [{ env: PORT }, { env: ADMIN_PORT, name: admin }, { env: LINE_PORT, name: line, scheme: tcp }]
    env: { CLERK: "\${clerk.url}", DIARY: "\${self.dir}" }
    after: [clerk]
  clerk: { run: [node, services/does-as-told.mjs], listen: { env: PORT } }`;

const trials: Readonly<Record<string, string>> = {
  note: `title: A note is stamped, and written down in every way
protects: what a person would miss first
catches: an answer that is late or wrong
generated: true
regression: { shownRedOn: null }
lint: { allow: [sleep], because: it waits on purpose }
covers: [DIA-001]
tags: [smoke]
priority: p0
groups: [diary]
settle: 60ms
timeout: 30s
needs: [{ platform: linux }, { binary: sh }]
live: { attempts: 5 }
steps:
  - title: somebody writes
    http: POST diary/notes
    json: { text: "rain (\${trial.uid})" }
    within: 5s
    as: noted
    expect: { status: 201, json: { id: { $gte: 1 }, text: "rain (\${trial.uid})" } }
checks:
  in-markdown:
    title: under a heading
    files: diary
    path: diary.md
    as: markdown
    expect: [{ markdown: { headings: [{ level: 1, text: Diary }] } }]
    within: 5s
  in-yaml:
    files: diary
    path: "*.yaml"
    as: yaml
    where: { bytes: { $gt: 10 } }
    expect: [{ path: diary.yaml, yaml: { notes: { $contains: "rain (\${trial.uid})" } } }]
    within: 5s
  in-xml:
    files: diary
    path: diary.xml
    as: xml
    expect: [{ xml: { diary: { note: { $contains: "rain (\${trial.uid})" } } } }]
    within: 5s
  event:
    events: diary
    file: events.jsonl
    where: { event: noted }
    expect: [{ id: "\${noted.json.id}", text: "\${noted.json.text}" }]
  one-event: { events: diary, file: events.jsonl, count: 1 }
  logged: { logs: diary, match: "^noted", count: { $gte: 1 } }
  stamped:
    calls: diary -> clerk
    where: { method: GET }
    expect: [{ path: "/stamp/\${noted.json.id}", status: 200 }]
  up-all-the-time: { process: diary, throughout: true, expect: { running: true, restarts: 0 } }
  no-panic: { logs: diary, never: { $some: { text: { $regex: panic } } }, provenBy: burst }
  nothing-else: { changes: [files, calls], only: [in-markdown, in-yaml, in-xml, event, stamped] }`,

  http: `steps:
  - { http: GET diary/notes, query: { about: "a & b" }, headers: { X-From: me }, as: asked }
  - { http: POST diary/form, form: { a: 1, b: two words }, as: form }
  - http: POST diary/form
    multipart: [{ name: note, text: holiday }, { name: bytes, hex: "00ff", filename: b.bin, type: image/png }]
    as: parts
  - { http: POST diary/form, text: plain, as: plain }
  - { http: POST diary/form, body: { hex: "6869" }, headers: { content-type: x/y }, as: bytes }
  - { http: POST diary/form, body: { file: ./parts/doctor.yaml }, as: file }
  - { http: GET diary/old, expect: { status: 302, headers: { location: /new } } }
  - { http: GET diary/old, redirect: true, expect: { status: 200, json: { moved: false }, redirects: [{ status: 302 }] } }
  - { http: GET diary.admin/, expect: { status: 200, text: well } }
checks:
  asked: { exchange: asked, expect: { json: { from: me, about: "a & b" } } }
  form: { exchange: form, expect: { json: { body: "a=1&b=two+words", type: application/x-www-form-urlencoded } } }
  parts: { exchange: parts, expect: { json: { type: { $startsWith: multipart/form-data }, body: { $contains: [holiday, b.bin, image/png] } } } }
  plain: { exchange: plain, expect: { json: { body: plain, type: { $startsWith: text/plain } } } }
  bytes: { exchange: bytes, expect: { json: { body: hi, type: x/y } } }
  file: { exchange: file, expect: { json: { body: { $contains: doctor } } } }`,

  burst: `steps:
  - http: POST diary/notes
    json: { text: "\${trial.uid} no \${burst.index}" }
    burst: 3
    as: sent
    expect: { answers: { $length: 3, $each: { status: 201 } } }
checks:
  one-at-a-time: { calls: diary -> clerk, expect: { $length: 3, $overlap: 0 } }
  logged: { logs: diary, match: "^noted", records: true, count: 3 }
  each: { events: diary, file: events.jsonl, expect: { $unordered: [{ text: "\${trial.uid} no 3" }, { text: "\${trial.uid} no 1" }, { text: "\${trial.uid} no 2" }] } }`,

  lines: `cases:
  json: { codec: newline-json, say: { say: hello }, heard: { heard: hello } }
  own: { codec: ./parts/lines.mjs, say: '{"say":"hello"}', heard: '{"heard":"hello"}' }
steps:
  - { tcp: diary.line, codec: "\${case.codec}", as: line }
  - { on: line, send: "\${case.say}", receive: 1, as: said, expect: { received: ["\${case.heard}"] } }
  - { on: line, sendRaw: [{ text: '{"say":', pause: 5ms }, { text: '"hello"', then: { hex: "7d0a" } }], receive: 1, as: pieces }
  - { on: line, end: full, as: goodbye }
checks:
  in-pieces: { exchange: pieces, expect: { received: ["\${case.heard}"], bytesReceived: 18 } }
  closed: { exchange: goodbye, expect: { closedBy: us } }`,

  waits: `steps:
  - { http: POST diary/notes, json: { text: "wait (\${trial.uid})" }, expect: { status: 201 } }
  - until: { files: diary, path: diary.xml, as: text, expect: [{ text: { $contains: "wait (\${trial.uid})" } }], within: 5s }
    as: written
  - http: GET diary/notes
    when: { events: diary, file: events.jsonl, count: 1, within: 5s }
    expect: { status: 200 }
  - { quiet: true, expect: { quiet: true, busy: [] } }
checks:
  reached: { exchange: written, expect: { reached: true } }
  asked: { command: [sh, -c, "cat; pwd; cat x.txt"], stdin: "\${trial.uid} ", env: { LC_ALL: C }, cwd: trials, expect: { stdout: { $regex: "^\${trial.uid} .*/trials\\n$" }, exitCode: 1 } }`,

  services: `steps:
  - { http: POST diary/notes, json: { text: gone }, expect: { status: 201 } }
  - { restart: diary, as: restarted }
  - { http: GET diary/notes, expect: { json: { notes: [] } } }
  - { stop: clerk }
  - { http: GET clerk/, expect: { error: { kind: { $any: [refused, reset] } } } }
  - { start: clerk }
  - { http: GET clerk/, expect: { status: 200 } }
  - { kill: clerk }
  - { start: clerk, timeout: 20s }
  - { http: GET clerk/, expect: { status: 200 } }
checks:
  again: { process: diary, expect: { running: true, restarts: 1 } }
  restarted: { exchange: restarted, expect: { service: diary, did: restart } }`,

  fragments: `use: [parts/doctor.yaml]
steps:
  - { use: parts/write.yaml, with: { text: "sun (\${trial.uid})", as: written } }
  - { http: GET diary/notes, query: { about: "\${trial.uid}" }, as: found }
checks:
  found: { exchange: found, expect: { json: { notes: [{ id: "\${written.json.id}", text: "sun (\${trial.uid})" }] } } }`,

  commands: `steps:
  - { command: [cat], stdin: '{"json":[1]}', as: cat, expect: { exitCode: 0, json: { json: [1] } } }
  - { command: "echo $WORD; pwd; exit 3", env: { WORD: hi }, cwd: parts, as: shell }
  - command: [node, ../services/chats-until-interrupted.mjs]
    env: { WORD: understood }
    stays: true
    as: chat
    expect: { stdout: { $contains: ready } }
  - { on: chat, send: "one\\n", expect: { stdout: "understood one\\n" } }
  - { on: chat, signal: SIGINT, awaitExit: true, expect: { exitCode: 130, stderr: "goodbye\\n" } }
  - { command: [echo, "\${diary.admin.url}"], as: address }
checks:
  shell: { exchange: shell, expect: { exitCode: 3, stdout: { $regex: "^hi\\n.*/parts\\n$" } } }
  address: { exchange: address, expect: { stdout: { $regex: "^http://127.0.0.1:\\\\d+\\n$" } } }`,

  moody: `attempts: 5
atLeast: { calm: 80% }
steps: [{ http: GET diary/moody, as: mood }]
checks:
  calm: { exchange: mood, expect: { status: 200 } }
  counts: { exchange: mood, expect: { json: { asked: "\${trial.attempt}" } } }`,

  known: `expectedFailure: { because: ticket 7, checks: [teapot] }
steps: [{ http: "GET clerk/print?line=ERROR%20no%20tea", as: answer }]
checks: { teapot: { exchange: answer, expect: { status: 418 } } }
logs: { allow: [{ service: clerk, match: no tea, because: it is told to say so }] }`,

  'golden/notes': `isolation: fresh
steps:
  - { http: POST diary/notes, json: { text: "gold (\${trial.uid})" }, expect: { status: 201 } }
  - { http: GET diary/notes, as: listed, expect: { status: 200 } }
checks:
  answer: { exchange: listed, golden: true }
  calls: { calls: diary -> clerk, golden: true }`,
};

const parts: Readonly<Record<string, string>> = {
  'trials/parts/write.yaml':
    'steps:\n  - { http: POST diary/notes, json: { text: "${with.text}" }, as: "${with.as}", expect: { status: 201 } }\n',
  'trials/parts/doctor.yaml':
    'steps: [{ http: GET diary.admin/, as: doctor }]\nchecks: { well: { exchange: doctor, expect: { text: well } } }\n',
  'trials/parts/lines.mjs': `export default {
  encode: (message) => Buffer.from(\`\${message}\\n\`),
  createCutter: () => (queue) => {
    const end = queue.indexOf(0x0a, 0);
    return end === -1 ? undefined : { message: Buffer.from(queue.take(end + 1)).toString().trimEnd() };
  },
};
`,
};

test('every key works; golden outputs are accepted, kept and compared; judging again gives the same', async () => {
  const project = trialsProject(config, trials, parts);
  const first = await performTrials(project, 'golden');
  expect([first.code, first.verdicts], first.text).toEqual([6, { 'golden/notes': 'unknown' }]);
  expect(first.text).toContain('nothing was accepted yet; look at it, then: shakedown judge latest --accept');
  const accepted = await project.run(['judge', 'latest', '--accept']);
  const golden = ['answer', 'calls'].map((check) => `shakedown/golden/golden/notes/${check}.json`);
  expect([accepted.code, accepted.stdout]).toEqual([0, golden.map((file) => `accepted  ${file}\n`).join('')]);
  expect(readGolden(project, 'answer')).toMatchObject({
    headers: { date: '‹time#1›' },
    json: { notes: [{ id: 1, text: 'gold (‹uid#1›)' }] },
    durationMs: '‹durationMs›',
  });

  const second = await performTrials(project, '--parallel', '1');
  expect(second.code, second.text).toBe(0);
  const { known, ...others } = second.verdicts;
  expect(known).toBe('expected-failure');
  expect(Object.keys(others)).toHaveLength(Object.keys(trials).length);
  expect(new Set(Object.values(others))).toEqual(new Set(['passed']));
  expect(second.trial('moody')).toMatchObject({ attempts: 5 });
  expect(second.trial('moody').checks.find(({ id }) => id === 'calm')?.explanation).toBe(
    'held in 4 of 5 attempts, 4 needed',
  );
  await judgesTheSame(project);

  const service = path.join(project.folder, 'services/keeps-a-diary.mjs');
  writeFileSync(service, readFileSync(service, 'utf8').replace('about, from:', 'subject: about, from:'));
  const third = await performTrials(project, 'golden', '--verbose');
  expect([third.code, third.verdicts]).toEqual([1, { 'golden/notes': 'failed' }]);
  expect(third.trial('golden/notes').cause?.text).toBe(
    `answer: expected the content of ${golden[0]}, observed something else`,
  );
  expect(third.text).toMatch(/- "about": null, .*\+ "subject": null/);
  expect(third.text).toContain('is the new output correct? shakedown judge latest --accept');
});

function readGolden(project: Project, check: string): unknown {
  const file = path.join(project.folder, `shakedown/golden/golden/notes/${check}.json`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Here, and from a copy of the folder elsewhere, where neither config nor trials are. */
async function judgesTheSame(project: Project): Promise<void> {
  const { verdict } = latestVerdict(project);
  const here = await project.run(['judge', 'latest', '--json']);
  expect([here.code, JSON.parse(here.stdout)]).toEqual([0, verdict]);
  const elsewhere = makeTemporaryFolder('copied-run');
  const away = `${project.folder}-away`;
  cpSync(path.join(project.folder, '.shakedown/runs', verdict.run), `${elsewhere.path}/run`, {
    recursive: true,
  });
  renameSync(project.folder, away);
  try {
    const there = await runCommand([process.execPath, binary, 'judge', './run', '--json'], {
      cwd: elsewhere.path,
    });
    expect([there.code, JSON.parse(there.stdout)]).toEqual([0, verdict]);
  } finally {
    renameSync(away, project.folder);
    elsewhere.remove();
  }
}

test('checks that need more than was observed are unknown, and say why', async () => {
  const late = (stored: string, comes: string, more = '') => `steps:
  - { http: POST diary/notes, json: { text: "late (\${trial.uid})" }, as: noted, expect: { status: 201 } }
checks:
  stored: { files: diary, path: diary.xml, as: text, ${stored} }
  comes: { files: diary, path: diary.txt, count: 1, ${comes} }
  noted: { exchange: noted, expect: { status: 201 } }
${more}`;
  const isThere = 'expect: [{ text: { $contains: "late (${trial.uid})" } }]';
  const slow = config.replace('env: { CLERK', 'env: { DELAY_MS: 1500, CLERK');
  const project = trialsProject(slow, { late: late(`${isThere}, within: 20s`, 'within: 100ms') });
  const performed = await performTrials(project);
  expect([performed.code, performed.verdicts]).toEqual([1, { late: 'failed' }]);
  const judged = async (text: string) => {
    writeFileSync(path.join(project.folder, 'trials/late.trial.yaml'), `id: late\n${text}\n`);
    const { code, stdout } = await project.run(['judge', '--current', '--json']);
    const { trials: all } = JSON.parse(stdout) as RunVerdict;
    const shown = (all[0]?.checks ?? []).map(({ id, verdict, explanation }) => [id, [verdict, explanation]]);
    return { code, ...(Object.fromEntries(shown) as Record<string, [Verdict, string]>) };
  };
  // The note is written long after the answer.
  expect(await judged(late(`${isThere}, within: 5ms`, 'within: 100ms'))).toMatchObject({
    code: 1,
    stored: ['failed', expect.stringContaining('waited 5 ms; the last value seen: []')],
    noted: ['passed', undefined],
  });
  expect(
    await judged(
      late(`${isThere}, count: 2, within: 20s`, 'within: 10s', '  logged: { logs: diary, count: 1 }'),
    ),
  ).toMatchObject({
    code: 6,
    stored: [
      'unknown',
      expect.stringMatching(/^the probe stopped after .*, when the check of that run held/),
    ],
    comes: ['unknown', expect.stringMatching(/^the probe sampled for only .*; perform the trial again$/)],
    logged: ['unknown', 'it was not sampled in that run; perform the trial again'],
  });
  expect(await judged(late('never: [{ text: x }]', 'within: 100ms, where: { bytes: 1 }'))).toMatchObject({
    code: 6,
    stored: [
      'unknown',
      'it was sampled in another mode in that run (within, now never); perform the trial again',
    ],
    comes: ['unknown', 'the check looked at something else in that run; perform the trial again'],
  });
});

test('every key of the grammar is used above', () => {
  const files = Object.entries(parts).filter(([name]) => name.endsWith('.yaml'));
  const documents = [...Object.values(trials), ...files.map(([, text]) => text)].map(
    (text) => parse(text) as Raw,
  );
  const steps = documents.flatMap((document) => (document.steps ?? []) as Raw[]);
  const checks = [
    ...documents.flatMap((document) => Object.values(document.checks ?? {}) as Raw[]),
    ...steps.flatMap(({ when, until }) => [when, until].filter((check) => check !== undefined) as Raw[]),
  ];
  // These need a tool server, a database, a store, a model, a third party, a container or a registry of boundaries; the suites of the examples have them.
  const elsewhere = [
    'mcp',
    'rows',
    'redis',
    'id',
    'model',
    'peers',
    'disturb',
    'ladder',
    'rung',
    'spans',
    'attacks',
    'command.in',
    'pause',
    'resume',
    ...derivedKinds,
  ];
  const unused = [
    ...missing(Object.keys(trialDocument.shape), documents),
    ...missing(Object.keys(commonStepKeys), steps),
    ...missing(Object.keys(commonCheckKeys), checks),
    ...Object.entries(stepDocuments()).flatMap(([kind, { shape }]) =>
      missing(Object.keys(shape), of(steps, kind), kind),
    ),
    ...checkKeys().flatMap((kind) =>
      missing(Object.keys(checkDocument(kind)?.shape ?? {}), of(checks, kind), kind),
    ),
  ];
  expect(
    unused.filter((key) => ![key, key.split('.')[0] ?? ''].some((one) => elsewhere.includes(one))),
  ).toEqual([]);
});

type Raw = Readonly<Record<string, unknown>>;

function of(all: readonly Raw[], kind: string): readonly Raw[] {
  return all.filter((one) => Object.hasOwn(one, kind));
}

/** Common keys are searched once, over all kinds. */
function missing(keys: readonly string[], all: readonly Raw[], kind?: string): readonly string[] {
  const common = kind === undefined ? [] : [...Object.keys(commonStepKeys), ...Object.keys(commonCheckKeys)];
  return keys
    .filter((key) => !common.includes(key) && !all.some((one) => Object.hasOwn(one, key)))
    .map((key) => (kind === undefined ? key : `${kind}.${key}`));
}
