/** The result of the jobs is kept for the next run, as long as none of their inputs has changed. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readJournal } from '../src/journal/reader.ts';
import { type Held, holdEnvironment, holdEnvironments } from './harness/held-environments.ts';
import { addNote, notesAt, notesProject } from './harness/notes-system.ts';
import type { Project } from './harness/project.ts';
import { isNothing, until } from './harness/until.ts';

const twoMinutes = 120_000;

interface Run {
  readonly reused: readonly string[];
  /** How often the job has run so far, in all runs. */
  readonly jobRuns: number;
  readonly firstNote: string;
}

/** One run: boots, writes a note, makes it fresh, reads the notes, and goes down. */
async function runOnce(project: Project, held: Held = {}): Promise<Run> {
  const { keeper, urlOf, runFolder, end } = await holdEnvironment(project, held);
  const url = await urlOf('notes');
  expect(await addNote(url, 'soon gone')).toEqual({ id: 101 });
  await keeper.ask('renew', { level: 'fresh' });
  const { rows, patience } = await notesAt(url);
  expect(rows).toHaveLength(1);
  expect(patience).toBe('1234ms');
  expect(await end()).toEqual([{ leftBehind: [], problems: [] }]);
  const { events } = await readJournal(path.join(runFolder, 'events.ndjson'));
  return {
    reused: events.flatMap((event) => (event.type === 'node.reused' ? [event.name] : [])),
    jobRuns: readFileSync(path.join(project.folder, 'runs.txt'), 'utf8').split('\n').length - 1,
    firstNote: rows[0]?.text ?? '',
  };
}

function stored(project: Project): readonly string[] {
  const folder = path.join(project.folder, '.shakedown/cache/snapshots');
  return existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [];
}

test.each(['schemaPerService', 'databasePerService', undefined] as const)(
  'the second run does not run the jobs, with %s',
  async (share) => {
    const project = notesProject(share === undefined ? {} : { share });
    expect(await runOnce(project)).toEqual({ reused: [], jobRuns: 1, firstNote: 'from the job' });
    expect(stored(project)).toHaveLength(1);
    expect(await runOnce(project)).toEqual({ reused: ['fill'], jobRuns: 1, firstNote: 'from the job' });
    await until('nothing is left', 10_000, () => project.left(), isNothing);
  },
  twoMinutes,
);

test(
  'a changed input makes the jobs run again, and the snapshot of the old input is kept',
  async () => {
    const project = notesProject();
    await runOnce(project);
    writeFileSync(path.join(project.folder, 'seed.txt'), 'another\n');
    expect(await runOnce(project)).toEqual({ reused: [], jobRuns: 2, firstNote: 'another' });
    writeFileSync(path.join(project.folder, 'seed.txt'), 'from the job\n');
    expect(await runOnce(project)).toEqual({ reused: ['fill'], jobRuns: 2, firstNote: 'from the job' });
  },
  twoMinutes,
);

test('another value of a variable of a job is another input', async () => {
  const project = notesProject({ jobEnv: 'FLAVOUR: "${env.FLAVOUR}"' });
  expect(await runOnce(project, { env: { FLAVOUR: 'sweet' } })).toMatchObject({ reused: [], jobRuns: 1 });
  expect(await runOnce(project, { env: { FLAVOUR: 'sour' } })).toMatchObject({ reused: [], jobRuns: 2 });
  expect(await runOnce(project, { env: { FLAVOUR: 'sweet' } })).toMatchObject({ reused: ['fill'] });
}, 120_000);

test.each<[string, (entry: string) => void]>([
  ['a file is cut short', (entry) => truncateSync(path.join(entry, 'data/global/pg_control'), 10)],
  [
    'a file of the right size holds something else',
    (entry) => {
      const file = path.join(entry, 'data/global/pg_control');
      writeFileSync(file, Buffer.alloc(readFileSync(file).length, 7));
    },
  ],
  ['its description is half written', (entry) => truncateSync(path.join(entry, 'template.json'), 20)],
  [
    'it says that it holds something else',
    (entry) => {
      const file = path.join(entry, 'template.json');
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll('main@snapshot', 'pain@snapshot'));
    },
  ],
])(
  'the jobs run again when %s in what is stored',
  async (_, damage) => {
    const project = notesProject();
    await runOnce(project);
    damage(stored(project)[0] as string);
    expect(await runOnce(project)).toEqual({ reused: [], jobRuns: 2, firstNote: 'from the job' });
  },
  twoMinutes,
);

test('nothing is stored without inputs, and nothing after a boot that failed', async () => {
  const silent = notesProject({ inputs: '[]' });
  await runOnce(silent);
  expect(stored(silent)).toEqual([]);
  const broken = notesProject({
    more: '  dies: { run: [node, services/exits-at-once.mjs], listen: { env: PORT }, after: [notes] }',
  });
  const { problems, end } = await holdEnvironments(broken);
  expect(problems).toEqual([expect.stringContaining('boot.process-exited')]);
  await end();
  expect(stored(broken)).toEqual([]);
}, 120_000);

test('changes of a trial outside of the databases are not stored', async () => {
  const project = notesProject();
  const { keeper, end } = await holdEnvironment(project);
  const { databases } = await keeper.ask('facts', {});
  const { Client } = (await import('pg')).default;
  const client = new Client({ connectionString: databases[0]?.url });
  await client.connect();
  await client.query('ALTER ROLE owner SET work_mem TO 1024');
  await client.end();
  await end();
  expect(stored(project)).toEqual([]);
}, 60_000);

test('the five most recently used are kept', async () => {
  const project = notesProject();
  await runOnce(project);
  const [first = ''] = stored(project);
  const other = path.join(path.dirname(first), 'of-somebody');
  mkdirSync(other);
  utimesSync(other, 0, 0);
  for (let number = 1; number <= 5; number += 1) {
    appendFileSync(path.join(project.folder, 'seed.txt'), `${number}\n`);
    await (await holdEnvironment(project)).end();
  }
  expect(stored(project)).toHaveLength(6);
  expect(stored(project)).toContain(other);
  expect(stored(project)).not.toContain(first);
}, 120_000);
