import { expect, test } from 'vitest';
import { call } from '../../../test/harness/attempt-journal.ts';
import { judgeSituation, shown, silent, traffic } from '../../../test/harness/blame-situations.ts';

test.each<[string, number, string | null]>([
  ['an answer to its call blames who did not give it', 2, 'files'],
  ['an answer to another call blames nobody', 1, null],
])('a wait that ended without %s', (_, crossing, party) => {
  const value = [{ from: 'agent', to: 'files', crossing, incomplete: 'in-flight' }];
  const parts = shown([
    { type: 'probe.sampled', probe: 'when #2', value, from: 0, to: 6_000, samples: 50 },
    { type: 'probe.ended', probe: 'when #2', end: 'deadline' },
    ...traffic(),
    silent(call('agent -> files', [400, 9_000])),
  ]);
  expect(judgeSituation({ parts, party, rule: 1 }).blame).toMatchObject({ party });
});
