import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
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
