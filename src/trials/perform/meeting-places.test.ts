import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadProject } from '../../../test/harness/config-project.ts';
import type { System } from '../../system/system.ts';
import { meetingPlaces } from './meeting-places.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'meeting-places-'));
mkdirSync(path.join(folder, 'shared'));
writeFileSync(path.join(folder, 'data.db'), '');
writeFileSync(path.join(folder, 'settings.yaml'), '');
afterAll(() => rmSync(folder, { recursive: true }));

interface Given {
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: readonly string[];
}

function sharedBy(...given: readonly Given[]): readonly string[] {
  const services = given.map(({ env = {}, run = ['node', 'a.mjs'] }, index) => ({
    name: `s${index}`,
    ...{ run, env, cwd: folder },
  }));
  return meetingPlaces({ folder, services, resources: [] } as unknown as System).flatMap(({ by }) => by);
}

const both = ['s0', 's1'];

test.each<[string, readonly Given[], readonly string[]]>([
  ['the same folder', [{ env: { A: '${config.dir}/shared' } }, { env: { B: '${config.dir}/shared' } }], both],
  [
    'what others are',
    [{ env: { A: '${db.url}', B: '${env.KEY}' } }, { env: { A: '${db.url}', B: '${env.KEY}' } }],
    [],
  ],
  [
    'a folder and one that is made below it',
    [{ env: { A: `${folder}/shared` } }, { run: ['node', 'a.mjs', `--out=${folder}/shared/out`] }],
    both,
  ],
  ['a database in a file', [{ env: { A: 'sqlite:///data.db' } }, { env: { B: 'data.db' } }], both],
  ['folders of their own', [{ env: { A: '${self.dir}' } }, { env: { A: '${self.dir}' } }], []],
  ['a way out', [{ env: { A: '${self.dir}/../../x' } }, { env: { A: '${self.dir}/../../x' } }], both],
  ['a variable of the machine', [{ env: { A: '${env.X}/a' } }, { env: { A: '${env.X}/a' } }], both],
  [
    'programs and settings',
    [
      { run: ['bin/x', 'src/a.ts'], env: { C: './settings.yaml' } },
      { run: ['bin/x', 'src/a.ts'], env: { C: './settings.yaml' } },
    ],
    [],
  ],
  [
    'addresses and words',
    [
      { env: { A: '/health', B: 'http://x/shared', C: 'openai/gpt', PATH: folder } },
      { env: { A: '/health', B: 'http://x/shared', C: 'openai/gpt', PATH: folder } },
    ],
    [],
  ],
])('%s', (_, given, by) => {
  expect(sharedBy(...given)).toEqual(by);
});

test('a file and a folder of the environment that several open themselves', async () => {
  const system = await loadProject({
    'shakedown.yaml': `name: shared
resources: { db: { kind: sqlite }, own: { kind: sqlite } }
volumes: { inbox: {} }
jobs: { fill: { run: ["true"], env: { A: "\${own.path}" } } }
services:
  api: { run: ["true"], env: { A: "\${db.url}", B: "\${own.path}" } }
  worker: { run: ["true", "\${db.path}"], env: { INBOX: "\${inbox.path}" } }
  box: { image: "alpine:3", mounts: [{ volume: inbox, to: /in }] }
`,
  });
  expect(meetingPlaces(system)).toEqual([
    { path: 'db', by: ['api', 'worker'], isStore: true },
    { path: 'inbox', by: ['worker', 'box'] },
  ]);
});
