/** Between two trials an environment is reset, without being taken down. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readJournal } from '../src/journal/reader.ts';
import { holdEnvironment } from './harness/held-environments.ts';
import { needs } from './harness/needs.ts';
import { addNote, call, notesAt, notesProject } from './harness/notes-system.ts';

const untouched = {
  rows: [{ id: 1, text: 'from the job' }],
  kept: '',
  remembered: [],
  patience: '1234ms',
};

describe('fresh', () => {
  test('restores the database as the jobs left it, sequences included, with empty folders and memory', async () => {
    const { keeper, urlOf } = await holdEnvironment(notesProject());
    const url = await urlOf('notes');
    expect(await notesAt(url)).toEqual(untouched);
    for (const round of [1, 2]) {
      expect(await addNote(url, `round ${round}`)).toEqual({ id: 101 });
      expect((await notesAt(url)).rows).toHaveLength(2);
      const renewed = await keeper.ask('renew', { level: 'fresh' });
      expect(renewed).toMatchObject({ restarted: ['notes'], restored: ['db'] });
      // At the same address: callers from outside are not affected.
      expect(await urlOf('notes')).toBe(url);
      expect(await notesAt(url)).toEqual(untouched);
    }
  });

  test.each(['schemaPerService', 'databasePerService'] as const)('works with %s', async (share) => {
    const { keeper, urlOf } = await holdEnvironment(notesProject({ share }));
    const url = await urlOf('notes');
    expect(await notesAt(url)).toEqual(untouched);
    expect(await addNote(url, 'soon gone')).toEqual({ id: 101 });
    await keeper.ask('renew', { level: 'fresh' });
    expect(await notesAt(url)).toEqual(untouched);
  });

  test('removes databases and roles that were created since', async () => {
    const { keeper } = await holdEnvironment(notesProject());
    const { databases } = await keeper.ask('facts', {});
    const { Client } = (await import('pg')).default;
    const inDatabase = async <T>(sql: string): Promise<readonly T[]> => {
      const client = new Client({ connectionString: databases[0]?.url });
      await client.connect();
      try {
        return (await client.query(sql)).rows as T[];
      } finally {
        await client.end();
      }
    };
    await inDatabase('CREATE ROLE guest');
    await inDatabase('CREATE DATABASE theirs OWNER guest');
    await keeper.ask('renew', { level: 'fresh' });
    expect(await inDatabase("SELECT datname FROM pg_database WHERE datname = 'theirs'")).toEqual([]);
    expect(await inDatabase("SELECT rolname FROM pg_roles WHERE rolname = 'guest'")).toEqual([]);
  });

  test.each(['namespace', 'ledger'] as const)(
    'kills processes that a service left running, contained by %s',
    async (containment) => {
      needs('linux', 'setsid');
      const { keeper, urlOf, runFolder } = await holdEnvironment(notesProject(), { containment });
      await call(await urlOf('notes'), '/leak');
      await keeper.ask('renew', { level: 'fresh' });
      const { events } = await readJournal(path.join(runFolder, 'events.ndjson'));
      expect(events.filter(({ type }) => type === 'stray.ended')).toMatchObject([
        { commandLine: 'sleep 4714' },
      ]);
    },
  );

  test('leaves a stateless service alone that does not use the database', async () => {
    const project = notesProject({
      more: '  model: { run: [node, services/answers.mjs], listen: { env: PORT }, reset: stateless }',
    });
    const { keeper } = await holdEnvironment(project);
    const pidOf = async (name: string) =>
      (await keeper.ask('facts', {})).services.find((service) => service.name === name)?.pid;
    const before = { model: await pidOf('model'), notes: await pidOf('notes') };
    expect((await keeper.ask('renew', { level: 'fresh' })).restarted).toEqual(['notes']);
    expect(await pidOf('model')).toBe(before.model);
    expect(await pidOf('notes')).not.toBe(before.notes);
  });

  test('removes the disturbances of an edge', async () => {
    const { keeper, urlOf } = await holdEnvironment(notesProject());
    await keeper.ask('disturb', { from: 'notes', to: 'db', rule: { rule: 'refuse' } });
    await keeper.ask('disturb', { from: 'outside', to: 'notes', rule: { rule: 'refuse' } });
    await keeper.ask('renew', { level: 'fresh' });
    expect(await notesAt(await urlOf('notes'))).toEqual(untouched);
  });

  test('is refused where a job runs after a service that uses the database, and both are named', async () => {
    const project = notesProject({
      job: '  late: { run: ["true"], after: [other] }',
      more: '  other: { run: [node, services/answers.mjs], listen: { env: PORT }, env: { DB: "${db.url}" } }',
    });
    const { keeper } = await holdEnvironment(project);
    await expect(keeper.ask('renew', { level: 'fresh' })).rejects.toMatchObject({
      code: 'config.no-snapshot',
      what: expect.stringContaining('job late runs after service other, which uses db'),
    });
    expect((await keeper.ask('renew', { level: 'restart' })).restarted).toEqual(['notes', 'other']);
  });

  test('is refused in an environment that was started without snapshots', async () => {
    const { keeper, urlOf } = await holdEnvironment(notesProject(), { snapshots: false });
    await expect(keeper.ask('renew', { level: 'fresh' })).rejects.toMatchObject({
      code: 'config.no-snapshot',
      what: expect.stringContaining('without snapshots'),
    });
    expect(await notesAt(await urlOf('notes'))).toEqual(untouched);
  });

  test('reports the reason when it fails, and the next one can succeed', async () => {
    const { keeper, urlOf } = await holdEnvironment(notesProject());
    const { databases } = await keeper.ask('facts', {});
    expect(databases).toHaveLength(1);
    await keeper.ask('disturb', { from: 'notes', to: 'db', rule: { rule: 'refuse' } });
    await expect(keeper.ask('service', { name: 'notes', do: 'restart' })).rejects.toMatchObject({
      code: 'boot.process-exited',
    });
    expect((await keeper.ask('facts', {})).services).toMatchObject([{ name: 'notes', pid: null }]);
    await keeper.ask('renew', { level: 'fresh' });
    expect(await notesAt(await urlOf('notes'))).toEqual(untouched);
  });
});

test('a renewal is aborted when the environment goes down, and reports it', async () => {
  const { keeper } = await holdEnvironment(notesProject());
  const renewal = keeper.ask('renew', { level: 'fresh' }).catch((error: unknown) => error);
  const next = keeper.ask('renew', { level: 'restart' }).catch((error: unknown) => error);
  expect(await keeper.ask('down', { because: 'enough' })).toEqual({ leftBehind: [], problems: [] });
  const goingDown = { code: 'usage.not-up', what: 'the environment is going down' };
  expect(await renewal).toMatchObject(goingDown);
  expect(await next).toMatchObject(goingDown);
});

describe('restart', () => {
  test('restarts services at the same addresses, and keeps their data', async () => {
    const { keeper, urlOf, runFolder } = await holdEnvironment(notesProject());
    const url = await urlOf('notes');
    await addNote(url, 'before');
    const edgesBefore = (await keeper.ask('status', {})).edges;
    expect(await keeper.ask('renew', { level: 'restart' })).toMatchObject({
      restarted: ['notes'],
      restored: [],
    });
    expect((await keeper.ask('status', {})).edges).toEqual(edgesBefore);
    expect(await notesAt(url)).toMatchObject({
      rows: [{ id: 1 }, { id: 101, text: 'before' }],
      kept: 'before\n',
      remembered: [],
    });
    expect(readdirSync(path.join(runFolder, 'services'))).toContain('notes.log');
    const { events } = await readJournal(path.join(runFolder, 'events.ndjson'));
    expect(events.filter(({ type }) => type === 'node.failed')).toEqual([]);
    expect(events.filter(({ type }) => type === 'node.exited' || type === 'node.stopped')).toMatchObject([
      { type: 'node.exited', name: 'fill' },
      { type: 'node.exited', name: 'notes', expected: true },
      { type: 'node.stopped', name: 'notes', how: 'asked' },
    ]);
  });

  test('calls the hook of a service that has one, and leaves it running', async () => {
    const { keeper, urlOf } = await holdEnvironment(
      notesProject({ service: '    reset: { http: POST /forget }' }),
    );
    const url = await urlOf('notes');
    await addNote(url, 'one');
    expect((await notesAt(url)).remembered).toEqual(['one']);
    expect((await keeper.ask('renew', { level: 'restart' })).restarted).toEqual([]);
    expect(await notesAt(url)).toMatchObject({ remembered: [], kept: 'one\n' });
    expect((await keeper.ask('facts', {})).services).toMatchObject([{ name: 'notes', starts: 1 }]);
  });

  test('a hook that is answered with an error is a problem that says so', async () => {
    const { keeper } = await holdEnvironment(notesProject({ service: '    reset: { http: POST /note }' }));
    await expect(keeper.ask('renew', { level: 'restart' })).rejects.toMatchObject({
      code: 'system.reset-failed',
      what: expect.stringContaining('status 500'),
    });
  });
});
