import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { connect, programs, useEmbedded } from '../../../../test/conformance/embedded-harness.ts';
import { plainSpec } from '../../../../test/conformance/postgres-variants.ts';
import { postgresDriver } from '../driver/postgres-driver.ts';

const { cacheFolder, newContext, warm, cacheEntry } = useEmbedded();

describe('the template in the cache', () => {
  test('is made once and used again, each time with other data', async () => {
    await warm();
    const context = newContext();
    const resource = await postgresDriver.provision(plainSpec, context);
    expect(programs(context)).not.toContain('initdb');
    const client = await connect(resource);
    expect(
      (await client.query("SELECT count(*)::int AS n FROM pg_class WHERE relname = 'made_before'")).rows,
    ).toEqual([{ n: 0 }]);
    await client.query('CREATE TABLE made_before (n int)');
    await client.end();
    await resource.stop();
    const second = await postgresDriver.provision(plainSpec, newContext());
    const again = await connect(second);
    expect(
      (await again.query("SELECT count(*)::int AS n FROM pg_class WHERE relname = 'made_before'")).rows,
    ).toEqual([{ n: 0 }]);
    await again.end();
    await second.stop();
  });

  const damages: Readonly<Record<string, (entry: string) => void>> = {
    'a file is missing': (entry) => rmSync(path.join(entry, 'data', 'global', 'pg_control')),
    'a file is cut short': (entry) => truncateSync(path.join(entry, 'data', 'global', '1260'), 0),
    'a file of the right size holds something else': (entry) => {
      const file = path.join(entry, 'data', 'global', 'pg_control');
      writeFileSync(file, Buffer.alloc(readFileSync(file).length, 7));
    },
    // Nothing reads these two before a database is created.
    'a file is cut short that no first session reads': (entry) =>
      truncateSync(path.join(entry, 'data', 'base', '1', '1255'), 0),
    'an empty file is missing': (entry) => {
      const folder = path.join(entry, 'data', 'base', '1');
      const empty = readdirSync(folder).find((name) => statSync(path.join(folder, name)).size === 0);
      rmSync(path.join(folder, empty as string));
    },
    'its description is missing': (entry) => rmSync(path.join(entry, 'template.json')),
    'its description is half written': (entry) =>
      writeFileSync(path.join(entry, 'template.json'), '{"files": 1'),
  };
  for (const [damage, inflict] of Object.entries(damages)) {
    test(`is made again when ${damage}`, async () => {
      await warm();
      inflict(cacheEntry());
      const context = newContext();
      const resource = await postgresDriver.provision(plainSpec, context);
      await (await connect(resource)).end();
      await resource.stop();
      expect(programs(context)).toContain('initdb');
      const next = newContext();
      await (await postgresDriver.provision(plainSpec, next)).stop();
      expect(programs(next)).not.toContain('initdb');
    });
  }

  test('four environments at once on an empty cache all come up, and leave one template', async () => {
    rmSync(cacheFolder, { recursive: true, force: true });
    const resources = await Promise.all(
      [1, 2, 3, 4].map(() => postgresDriver.provision(plainSpec, newContext())),
    );
    for (const resource of resources) {
      await (await connect(resource)).end();
      await resource.stop();
    }
    expect(existsSync(path.join(cacheEntry(), 'template.json'))).toBe(true);
  });

  test('half of one that a crash left is not used, and is removed when it is old', async () => {
    rmSync(cacheFolder, { recursive: true, force: true });
    const half = path.join(cacheFolder, 'postgres-18.4-abc-u0.making-gone');
    mkdirSync(path.join(half, 'data'), { recursive: true });
    execFileSync('touch', ['-d', '2 hours ago', half]);
    await warm();
    expect(existsSync(half)).toBe(false);
    expect(existsSync(path.join(cacheEntry(), 'template.json'))).toBe(true);
  });

  test('a cache that cannot be written to only costs time', async () => {
    const file = path.join(cacheFolder, '..', `${path.basename(cacheFolder)}.file`);
    writeFileSync(file, 'not a folder');
    const context = newContext({ cacheFolder: path.join(file, 'cache') });
    const resource = await postgresDriver.provision(plainSpec, context);
    await (await connect(resource)).end();
    await resource.stop();
    expect(programs(context)).toContain('initdb');
    rmSync(file);
  });
});
