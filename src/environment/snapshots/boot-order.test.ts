import { expect, test } from 'vitest';
import { loadProject } from '../../../test/harness/config-project.ts';
import { bootOrder } from './boot-order.ts';
import { snapshotObstacle } from './snapshot-obstacle.ts';

const resources = 'resources: { db: { kind: postgres }, other: { kind: postgres } }';

async function systemOf(jobs: string, services: string) {
  return loadProject({
    'shakedown.yaml': `name: order\n${resources}\njobs: ${jobs}\nservices: ${services}\n`,
  });
}

const uses = (resource: string): string => `run: ["true"], env: { URL: "\${${resource}.url}" }`;

test('a snapshot comes after all jobs and before the services that use the resource', async () => {
  const system = await systemOf(
    `{ one: { ${uses('db')} }, two: { run: ["true"] } }`,
    `{ user: { ${uses('db')} }, plain: { run: ["true"] } }`,
  );
  const after = new Map(bootOrder(system, true).map((step) => [step.name, step.after]));
  expect(after.get('db snapshot')).toEqual(['db', 'one', 'two']);
  expect(after.get('other snapshot')).toEqual(['other', 'one', 'two']);
  expect(after.get('user')).toEqual(['db', 'db snapshot']);
  expect(after.get('plain')).toEqual([]);
  expect(bootOrder(system, false).map(({ name }) => name)).toEqual([
    'db',
    'other',
    'one',
    'two',
    'user',
    'plain',
  ]);
});

test('no snapshot where a job waits for a service that uses the resource; the other resource has one', async () => {
  const system = await systemOf(
    '{ seed: { run: ["true"], after: [gate] } }',
    `{ user: { ${uses('db')} }, gate: { run: ["true"], after: [user] } }`,
  );
  expect(snapshotObstacle(system, 'db')).toBe('job seed runs after service user, which uses db');
  expect(snapshotObstacle(system, 'other')).toBeUndefined();
  const names = bootOrder(system, true).map(({ name }) => name);
  expect(names).toContain('other snapshot');
  expect(names).not.toContain('db snapshot');
});
