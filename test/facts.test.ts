/** What the keeper reports to observers: processes, logs, folders, and a way past the taps into each database. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import type { EnvironmentFacts as ObserverFacts } from '../src/journal/environment-facts.ts';
import { readJournal } from '../src/journal/reader.ts';
import { holdEnvironment } from './harness/held-environments.ts';
import { notesProject } from './harness/notes-system.ts';

test('processes by their outer number, logs, folders, and how often each was started', async () => {
  const { keeper, runFolder } = await holdEnvironment(notesProject());
  // Observers use it as it is.
  const facts: ObserverFacts = await keeper.ask('facts', {});
  const { services } = facts;
  expect(services).toMatchObject([
    { name: 'notes', starts: 1, logFile: path.join(runFolder, 'services/notes.log'), shims: {} },
  ]);
  const [{ pid, folders }] = services as [(typeof services)[number]];
  expect(readFileSync(`/proc/${pid}/cmdline`, 'latin1')).toContain('keeps-notes.mjs');
  for (const folder of Object.values(folders)) expect(existsSync(folder), folder).toBe(true);
});

test.each([
  [undefined, [{ service: null, schema: null }], 'main', 'public'],
  [
    'schemaPerService',
    [
      { service: null, schema: null },
      { service: 'notes', schema: 'notes' },
    ],
    'main',
    'public',
  ],
  [
    'databasePerService',
    [
      { service: null, schema: null },
      { service: 'notes', schema: null },
    ],
    'notes',
    'public',
  ],
] as const)('databases, with %s: as superuser, past the tap', async (share, places, database, schema) => {
  const { keeper, runFolder } = await holdEnvironment(notesProject(share ? { share } : {}));
  const { databases } = await keeper.ask('facts', {});
  expect(databases).toMatchObject(places.map((place) => ({ resource: 'db', ...place })));
  const connections = async (): Promise<number> => {
    const { events } = await readJournal(path.join(runFolder, 'events.ndjson'));
    return events.filter((event) => event.type === 'connection.opened' && event.to === 'db').length;
  };
  const before = await connections();
  const client = new pg.Client({ connectionString: databases.at(-1)?.url });
  await client.connect();
  const { rows } = await client.query(
    `SELECT current_database() AS database, rolsuper, (SELECT text FROM ${schema}.notes) AS text FROM pg_roles WHERE rolname = current_user`,
  );
  expect(rows).toEqual([{ database, rolsuper: true, text: 'from the job' }]);
  await client.end();
  expect(await connections()).toBe(before);
});
