import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, test } from 'vitest';
import { createTestContext, type TestContext } from '../../../test/conformance/resource-context.ts';
import { resourceKinds } from '../../kinds/resource-kinds.ts';
import { nowhere } from '../resource.ts';
import { sqliteDriver } from './sqlite-driver.ts';
import { sqliteFile } from './sqlite-url.ts';

const contexts: TestContext[] = [];
afterEach(() => {
  for (const context of contexts.splice(0)) context.clear();
});

async function provision() {
  const context = createTestContext({ snapshots: {} });
  contexts.push(context);
  const resource = await sqliteDriver.provision({ kind: 'sqlite', name: 'db' }, context);
  const references = resource.references({ kind: 'service', name: 'api' }, nowhere);
  return { resource, references, file: references.path ?? '' };
}

function names(file: string): readonly unknown[] {
  const database = new DatabaseSync(file);
  try {
    return database
      .prepare('SELECT name FROM things ORDER BY rowid')
      .all()
      .map(({ name }) => name);
  } finally {
    database.close();
  }
}

test('references are exactly the declared ones, and two environments share nothing', async () => {
  const [one, other] = [await provision(), await provision()];
  expect(Object.keys(one.references).sort()).toEqual([...resourceKinds.sqlite.references].sort());
  expect(sqliteFile(one.references.url ?? '')).toBe(one.file);
  expect([path.isAbsolute(one.file), existsSync(one.file)]).toEqual([true, false]);
  expect(one.file).not.toBe(other.file);
});

test('goes back to its snapshot, whatever was done since, and again', async () => {
  const { resource, file } = await provision();
  const folder = path.dirname(file);
  // A job that was killed: the row is in the log only.
  const job = `const database = new (require('node:sqlite').DatabaseSync)(process.argv[1]);
    database.exec("PRAGMA journal_mode = WAL; CREATE TABLE things (name TEXT); INSERT INTO things VALUES ('seed')");
    process.kill(process.pid, 'SIGKILL');`;
  expect(spawnSync(process.execPath, ['-e', job, file]).signal).toBe('SIGKILL');
  expect(existsSync(`${file}-wal`)).toBe(true);
  symlinkSync('nowhere', path.join(folder, 'link'));
  await resource.snapshot?.();
  for (let round = 0; round < 2; round += 1) {
    expect(names(file)).toEqual(['seed']);
    const held = new DatabaseSync(file);
    held.exec("INSERT INTO things VALUES ('later')");
    mkdirSync(path.join(folder, 'locked'), { mode: 0o500 });
    writeFileSync(path.join(folder, 'other.sqlite'), 'x');
    await resource.restore?.();
    // Who has it open still has the old one.
    held.exec("INSERT INTO things VALUES ('late')");
    held.close();
    expect(existsSync(path.join(folder, 'other.sqlite'))).toBe(false);
  }
  expect(names(file)).toEqual(['seed']);
  await resource.stop();
});

test('a folder that has gone is named', async () => {
  const { resource, file } = await provision();
  rmSync(path.dirname(file), { recursive: true });
  await expect(resource.snapshot?.()).rejects.toMatchObject({
    where: 'resource db, snapshot',
    what: 'its files could not be copied',
    evidence: [expect.stringContaining('No such file')],
  });
});
