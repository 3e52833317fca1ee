import { expect, test } from 'vitest';
import { comparePriorities, effectivePriority, normalPriority } from './priority.ts';

test('P0 and p00 are p0; words are not priorities', () => {
  expect(['P0', ' p1 ', 'p02', 'high', 'p', '0'].map(normalPriority)).toEqual([
    'p0',
    'p1',
    'p2',
    undefined,
    undefined,
    undefined,
  ]);
});

test('the highest first, and those without one last', () => {
  expect(['p2', undefined, 'p10', 'p0'].sort(comparePriorities)).toEqual(['p0', 'p2', 'p10', undefined]);
  expect(comparePriorities(undefined, 'p9')).toBeGreaterThan(0);
});

test('a trial has its own priority, or the highest of what it covers', () => {
  const priorities = new Map([
    ['A', 'p2'],
    ['B', 'p1'],
  ]);
  expect(effectivePriority({ priority: 'P0', covers: ['A'] }, priorities)).toBe('p0');
  expect(effectivePriority({ priority: 'urgent', covers: ['A'] }, priorities)).toBe('urgent');
  expect(effectivePriority({ covers: ['A', 'B', 'C'] }, priorities)).toBe('p1');
  expect(effectivePriority({ covers: ['C'] }, priorities)).toBeUndefined();
});
