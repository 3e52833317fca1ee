import { expect, test } from 'vitest';
import type { CheckRecord } from '../../checks/trial-record.ts';
import { parseYamlDocument } from '../../system/source/yaml-document.ts';
import { idleCheckProblems } from './idle-problems.ts';
import type { RawMap } from './placed.ts';

test.each([
  ['{ $lte: 10500 }', ['`count` is a pattern that every value matches, because at most 10,000 are counted']],
  ['{ $gte: 0 }', ['`count` is a pattern that every value matches']],
  ['{ $lt: 10000 }', []],
  ['{ $lte: 9999 }', []],
])('count: %s', (count, expected) => {
  const { value, source } = parseYamlDocument('a.trial.yaml', `count: ${count}\n`, 'trial.syntax');
  const placed = { value: value as RawMap, source, path: [], folder: import.meta.dirname };
  const found = idleCheckProblems({ kind: 'logs' } as CheckRecord, placed, 'a');
  expect(found.map(({ what }) => what)).toEqual(expected);
});
