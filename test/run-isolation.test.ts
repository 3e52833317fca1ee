/** A trial sees of earlier trials exactly what its isolation permits. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JournalEvent } from '../src/journal/event.ts';
import { readJournal } from '../src/journal/reader.ts';
import { notesProject } from './harness/notes-system.ts';
import type { Project } from './harness/project.ts';
import { type Files, performTrials, trialsProject } from './harness/trials-project.ts';

/** Trials in their order, each as YAML without the id. */
function notesWith(trials: Files): Project {
  const project = notesProject();
  for (const [id, text] of Object.entries(trials)) {
    const file = path.join(project.folder, `trials/${id}.trial.yaml`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `id: ${id}\nsettle: 50ms\n${text}\n`);
  }
  return project;
}

/** Writes a note, and expects the notes after that: in rows, in the folder of the service, in its memory. */
function writes(note: string, kept: readonly string[], remembered: readonly string[]): string {
  return `steps:
  - http: GET notes/note?text=${note}
    expect: { status: 200 }
  - http: GET notes/notes
    expect:
      text:
        $regex: '"rows":\\[{"id":1,"text":"from the job"}${kept.map((text) => `,{"id":\\d+,"text":"${text}"}`).join('')}\\],"kept":"${kept.map((text) => `${text}\\\\n`).join('')}","remembered":${JSON.stringify(remembered).replaceAll('[', '\\[')}'`;
}

/** Of the n-th environment of the latest run. */
async function eventsOf(project: Project, environment = 1): Promise<readonly JournalEvent[]> {
  const folder = path.join(project.folder, '.shakedown/latest/environments', String(environment));
  return (await readJournal(path.join(folder, 'events.ndjson'))).events;
}

function starts(events: readonly JournalEvent[], name: string): number {
  return events.filter((event) => event.type === 'node.started' && event.name === name).length;
}

test('fresh sees nothing, restart sees stored data, shared also memory; the snapshot is kept for the next run', async () => {
  const project = notesWith({
    'levels/1-first': writes('one', ['one'], ['one']),
    'levels/2-fresh': `isolation: fresh\n${writes('two', ['two'], ['two'])}`,
    'levels/3-restart': `isolation: restart\n${writes('three', ['two', 'three'], ['three'])}`,
    'levels/4-shared': `isolation: shared\n${writes('four', ['two', 'three', 'four'], ['three', 'four'])}`,
    'levels/5-fresh-by-default': writes('five', ['five'], ['five']),
    'asked/1-first': writes('one', ['one'], ['one']),
    'asked/2-shared': writes('two', ['one', 'two'], ['one', 'two']),
    'asked/3-fresh': `isolation: fresh\n${writes('three', ['three'], ['three'])}`,
  });
  const perform = async (...args: readonly string[]) => {
    const { code, text } = await performTrials(project, '--parallel', '1', ...args);
    expect(code, text).toBe(0);
    const events = await eventsOf(project);
    return {
      starts: ['notes', 'fill'].map((name) => starts(events, name)),
      reused: events.flatMap((event) => (event.type === 'node.reused' ? [event.name] : [])),
    };
  };
  // The job is run once, and its result is restored.
  expect(await perform('levels')).toEqual({ starts: [4, 1], reused: [] });
  // The option applies to trials that do not set it themselves.
  expect(await perform('asked', '--isolation', 'shared')).toEqual({ starts: [2, 0], reused: ['fill'] });
  writeFileSync(path.join(project.folder, 'services/makes-notes.mjs'), '// changed\n', { flag: 'a' });
  expect(await perform('levels/1-first')).toEqual({ starts: [1, 1], reused: [] });
}, 120_000);

describe('services that need no restart', () => {
  const config = (env: string): string => `services:
  notes: { run: [node, services/remembers-notes.mjs], listen: { env: PORT }, reset: { http: POST /forget }, env: { ${env} } }
  model: { run: [node, services/answers.mjs], listen: { env: PORT }, reset: stateless }`;
  const finds = (note: string, kept: string, remembered: string): string =>
    `isolation: restart\nsteps: [{ http: POST notes/note?text=${note}, expect: { json: { kept: ${kept}, remembered: ${remembered} } } }]`;

  test('a stateless service is left running, one with a hook is reset through it', async () => {
    const project = trialsProject(config(''), {
      '1-first': finds('one', '[one]', '[one]'),
      '2-restart': finds('two', '[one, two]', '[two]'),
    });
    const { code, text } = await performTrials(project, '--parallel', '1');
    expect(code, text).toBe(0);
    const events = await eventsOf(project);
    expect(['notes', 'model'].map((name) => starts(events, name))).toEqual([1, 1]);
  });

  test('when a hook fails, the environment is replaced, and the reason is reported', async () => {
    const project = trialsProject(config('STUBBORN: "yes"'), {
      '1-first': finds('one', '[one]', '[one]'),
      '2-restart': finds('two', '[two]', '[two]'),
    });
    const { code, text } = await performTrials(project, '--parallel', '1');
    expect(code, text).toBe(1);
    expect(text).toContain(
      'could not be renewed and is replaced: service notes, reset: `POST /forget` did not reset it',
    );
    expect(starts(await eventsOf(project, 2), 'notes')).toBe(1);
  });
});

test('after a trial in which a service ended, by itself or not, the next one shares a repaired environment', async () => {
  const project = trialsProject(
    `isolation: shared
services:
  web: { run: [node, services/does-as-told.mjs], listen: { env: PORT } }`,
    {
      '1-killed': 'steps: [{ http: GET web/, expect: { status: 200 } }, { kill: web }]',
      '2-is-there': 'steps: [{ http: GET web/, expect: { status: 200 } }]',
      '3-dies': 'steps: [{ http: GET web/end, expect: { error: { $type: object } } }]',
      '4-is-there': 'steps: [{ http: GET web/, expect: { status: 200 } }]',
      '5-still-there': 'steps: [{ http: GET web/, expect: { status: 200 } }]',
    },
  );
  const { code, text, verdicts, trial } = await performTrials(project, '--parallel', '1');
  expect(code, text).toBe(1);
  expect(verdicts).toEqual({
    '1-killed': 'passed',
    '2-is-there': 'passed',
    '3-dies': 'failed',
    '4-is-there': 'passed',
    '5-still-there': 'passed',
  });
  expect(trial('3-dies').cause).toMatchObject({ kind: 'death' });
  // Repaired twice, and shared otherwise.
  expect(starts(await eventsOf(project), 'web')).toBe(3);
});

test('a service that ends by itself during a renewal is reported with the trial before, and started again', async () => {
  const project = trialsProject(
    `isolation: fresh
services:
  api: { run: [node, services/does-as-told.mjs], listen: { env: PORT }, reset: stateless }
  other: { run: [node, services/ends-its-neighbour.mjs], listen: { env: PORT }, after: [api], env: { NEIGHBOUR: "\${api.url}" } }`,
    {
      '1-first': 'steps: [{ http: GET other/, expect: { status: 200 } }]',
      '2-second': 'steps: [{ http: GET api/, expect: { status: 200 } }]',
      '3-third': 'steps: [{ http: GET api/, expect: { status: 200 } }]',
    },
    {
      'services/ends-its-neighbour.mjs': `// At its second start.
import { appendFileSync, readFileSync } from 'node:fs';
appendFileSync('starts', 'x');
if (readFileSync('starts', 'utf8') === 'xx') await fetch(process.env.NEIGHBOUR + '/end').catch(() => 'it ended');
await import('./does-as-told.mjs');
`,
    },
  );
  const { code, text, verdicts, verdict } = await performTrials(project, '--parallel', '1');
  expect(code, text).toBe(1);
  expect(verdicts).toEqual({ '1-first': 'passed', '2-second': 'passed', '3-third': 'passed' });
  expect(verdict.reasons.map((reason) => reason.text)).toEqual([
    expect.stringContaining(
      'after 1-first: service api ended by itself (exit code 9) after the trial had ended',
    ),
  ]);
  const events = await eventsOf(project);
  // One renewal more than trials need; the services that these stopped are not reported.
  expect(['api', 'other'].map((name) => starts(events, name))).toEqual([2, 4]);
});

test('a restart that waits long for services to end is reported, with the faster alternative', async () => {
  const stubborn = `services:
  web: { run: [node, services/ignores-sigterm.mjs], listen: { env: PORT }, ready: { http: / }, stop: { within: 700ms } }`;
  const visit =
    'steps: [{ http: GET web/, as: seen }]\nchecks: { seen: { exchange: seen, expect: { status: 200 } } }';
  const { code, text } = await performTrials(
    trialsProject(stubborn, { one: visit, two: visit }),
    '--isolation',
    'restart',
    '--parallel',
    '1',
  );
  expect(code, text).toBe(0);
  expect(text).toMatch(
    /restart waited \d+ ms for services to end, web the longest; isolation: fresh ends them at once/,
  );
});

describe('a job whose work is in files', () => {
  const service = `import { createServer } from 'node:http';
import { appendFileSync, readFileSync } from 'node:fs';
const file = process.env.NOTES;
createServer((request, response) => {
  if (request.method === 'POST') appendFileSync(file, 'more\\n');
  response.end(JSON.stringify(readFileSync(file, 'utf8').trim().split('\\n')));
}).listen(process.env.PORT, '127.0.0.1');
`;
  const config = (job: string): string => `services:
  notes: { run: [node, notes.mjs], listen: { env: PORT }, after: [seed], env: { NOTES: "\${config.dir}/data/notes" } }
jobs:
  seed: { run: "echo $PWD > data/where; echo seed > data/notes; echo x >> data/runs; ls -A $HOME > data/home; touch $HOME/x", ${job} }`;
  const adds = `steps: [{ http: POST notes/, expect: { text: '["seed","more"]' } }]`;
  const files = { 'notes.mjs': service, 'data/.keep': '' };

  test('is done again for each fresh trial, from an empty folder of its own, before the services that come after it', async () => {
    const project = trialsProject(
      config('again: fresh'),
      {
        '1-first': adds,
        '2-fresh': `${adds}\nchecks: { home: { files: ./data, path: home, as: text, expect: [{ text: "" }] }, twice: { files: ./data, path: runs, as: text, expect: [{ text: "x\\nx\\n" }] } }`,
        '3-restart': `isolation: restart\nsteps: [{ http: GET notes/, expect: { text: '["seed","more"]' } }]`,
      },
      files,
    );
    const { code, text } = await performTrials(project, '--parallel', '1');
    expect(code, text).toBe(0);
    expect(starts(await eventsOf(project), 'seed')).toBe(2);
  });

  test('is otherwise done once, and what services did to it stays', async () => {
    const project = trialsProject(config('within: 1m'), { '1-first': adds, '2-fresh': adds }, files);
    const { code, text } = await performTrials(project, '--parallel', '1');
    expect(code, text).toBe(1);
    expect(text).toContain('more');
    expect(starts(await eventsOf(project), 'seed')).toBe(1);
  });

  test('that fails when it is done again is reported with its output, and the environment is replaced', async () => {
    const once = `again: fresh, env: {}`;
    const project = trialsProject(
      config(once).replace('echo $PWD > data/where', 'test ! -e data/runs || { echo no more; exit 3; }'),
      { '1-first': adds, '2-fresh': adds },
      files,
    );
    const { text } = await performTrials(project, '--parallel', '1');
    expect(text).toMatch(/could not be renewed and is replaced: job seed, phase run: it ended with 3/);
  });

  test('must not also use what is restored with its work', async () => {
    const project = trialsProject(
      `resources: { db: { kind: redis } }\n${config('again: fresh, env: { DB: "${db.url}" }')}`,
      { '1-first': adds },
      files,
    );
    const { code, output } = await project.run(['run']);
    expect([code, output]).toEqual([
      2,
      expect.stringContaining('db is restored with the work of the job in it'),
    ]);
  });
});
