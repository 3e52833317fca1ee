import { expect, test } from 'vitest';
import { environmentLabel } from '../engine/names.ts';
import type { Engine } from '../engine/open-engine.ts';
import { lateLayers } from './late-layers.ts';

const late = { Id: 'sha256:late', ParentId: 'sha256:abc123', Created: 1_002, RepoTags: null, Labels: null };

const found = (...listed: readonly object[]): Promise<readonly string[]> =>
  lateLayers({ http: { ask: async () => listed } } as unknown as Engine, { now: () => 1_010_000 }, [
    { layer: 'abc', since: 1_002_400 },
  ]);

test('what is made on the layer of a build since then is its own', async () => {
  const other = { ...late, Id: 'sha256:other', ParentId: 'sha256:def' };
  expect(await found(other, late)).toEqual(['sha256:late']);
});

test.each([
  ['from before', [{ ...late, Created: 1_001 }]],
  ['just made, so that another build may go on with it', [{ ...late, Created: 1_009 }]],
  ['with a name', [{ ...late, RepoTags: ['mine:1'] }]],
  ['of an environment', [{ ...late, Labels: { [environmentLabel]: 'other' } }]],
  ['with another one on it', [late, { ...late, Id: 'sha256:next', ParentId: late.Id }]],
  ['one of two', [late, { ...late, Id: 'sha256:twin' }]],
])('one is left alone: %s', async (_, listed) => {
  expect(await found(...listed)).toEqual([]);
});
