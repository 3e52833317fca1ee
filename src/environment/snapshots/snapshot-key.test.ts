import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Files, loadProject } from '../../../test/harness/config-project.ts';
import type { System } from '../../system/system.ts';
import { snapshotKey } from './snapshot-key.ts';

const fill = 'run: [sh, fill.sh], env: { URL: "${db.url}", KIND: "${env.KIND:-plain}" }, inputs: [sql/*]';
const user = 'user: { run: ["true"], env: { URL: "${db.url}" } }';

async function systemOf({ jobs = `{ fill: { ${fill} } }`, services = `{ ${user} }`, db = '' } = {}) {
  const files: Files = {
    'shakedown.yaml': `name: keyed\nresources: { db: { kind: postgres${db} }, spare: { kind: postgres } }\njobs: ${jobs}\nservices: ${services}\n`,
    'sql/1.sql': 'one',
    'sql/2.sql': 'two',
  };
  return loadProject(files);
}

async function keyOf(system: System, env: Record<string, string> = {}): Promise<string | undefined> {
  return (await snapshotKey({ system, variant: {}, hostEnv: env }))?.key;
}

describe('the key', () => {
  test('is the same for the same inputs, wherever the project is', async () => {
    const key = await keyOf(await systemOf());
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(await keyOf(await systemOf())).toBe(key);
    expect((await snapshotKey({ system: await systemOf(), variant: {}, hostEnv: {} }))?.resource).toBe('db');
  });

  test('changes with an input, with the job, with the resource and with the services that have a schema in it', async () => {
    const key = await keyOf(await systemOf());
    const changed = await systemOf();
    appendFileSync(path.join(changed.folder, 'sql/2.sql'), '.');
    const others = [
      changed,
      await systemOf({ jobs: `{ fill: { ${fill.replace('fill.sh', 'other.sh')} } }` }),
      await systemOf({ db: ', schemaPerService: true' }),
      await systemOf({ services: `{ ${user}, ${user.replace('user', 'another')} }` }),
    ];
    const keys = await Promise.all(others.map((system) => keyOf(system)));
    expect(new Set([key, ...keys]).size).toBe(others.length + 1);
    expect(await keyOf(await systemOf(), { KIND: 'fancy' })).not.toBe(key);
  });

  test('is absent when an input contains a declared secret, plain or encoded', async () => {
    const system = { ...(await systemOf()), secrets: ['TOKEN'] };
    const env = { TOKEN: 'sk-live-Zq81LmNop' };
    expect(await keyOf(system, env)).toBeDefined();
    appendFileSync(
      path.join(system.folder, 'sql/2.sql'),
      `KEY=${Buffer.from(env.TOKEN).toString('base64')}\n`,
    );
    expect(await keyOf(system, env)).toBeUndefined();
    expect(await keyOf(system, { TOKEN: 'sk-rotated-1234567' })).toBeDefined();
  });

  test('is absent when a job or the server is given a declared secret, under whatever name', async () => {
    const system = { ...(await systemOf({ db: ', settings: { cluster_name: given }' })), secrets: ['TOKEN'] };
    expect(await keyOf(system, { TOKEN: 'sk-live-Zq81LmNop' })).toBeDefined();
    expect(await keyOf(system, { TOKEN: 'sk-live-Zq81LmNop', KIND: 'of sk-live-Zq81LmNop' })).toBeUndefined();
    expect(await keyOf(system, { TOKEN: 'given' })).toBeUndefined();
  });

  test.each([
    ['a job does not declare its inputs', { jobs: `{ fill: { ${fill.replace('[sql/*]', '[]')} } }` }],
    ['the globs find nothing', { jobs: `{ fill: { ${fill.replace('sql/*', 'sqk/*')} } }` }],
    ['a job uses no resource', { jobs: '{ fill: { run: ["true"], inputs: [sql/*] } }' }],
    ['there is no job', { jobs: '{}' }],
    ['the server is the user’s', { db: ', url: "postgresql://a@b/c"' }],
    ['a job differs in each run', { jobs: `{ fill: { ${fill.replace('plain}', 'plain}${run.id}')} } }` }],
    [
      'the jobs fill two resources',
      { jobs: `{ fill: { ${fill} }, more: { ${fill.replace('db.url', 'spare.url')} } }` },
    ],
    [
      'a job uses a service as well',
      {
        jobs: `{ fill: { ${fill.replace('plain}', 'plain}${web.url}')}, after: [web] } }`,
        services: '{ web: { run: ["true"], listen: { env: PORT } } }',
      },
    ],
  ])('is absent when %s', async (_, change) => {
    expect(await keyOf(await systemOf(change))).toBeUndefined();
  });
});
