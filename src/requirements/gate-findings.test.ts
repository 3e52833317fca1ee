import { expect, test } from 'vitest';
import type { RequirementState } from '../checks/verdict.ts';
import { defined } from '../kernel/defined.ts';
import type { RequirementFinding } from './finding.ts';
import { idleGate, uncoveredFindings, weighFindings } from './gate-findings.ts';
import type { Requirement } from './requirement.ts';

const requirement = (id: string, priority?: string): Requirement =>
  defined({ id, text: id, failPath: false, dependsOn: [], file: 'requirements.yaml', line: 1, priority });

function uncovered(
  state: RequirementState,
  gate: Parameters<typeof uncoveredFindings>[2],
  trials: readonly string[] = [],
): readonly string[] {
  const requirements = [requirement('A', 'p0'), requirement('B', 'p1'), requirement('C')];
  const verdicts = requirements.map(({ id, priority }) => ({
    id,
    priority: priority ?? null,
    state,
    trials,
  }));
  return uncoveredFindings(requirements, verdicts, gate).map(({ text }) => text);
}

test('a gate requires its priorities to be covered, and nothing else', () => {
  const gate = { name: 'pr', covered: ['P0'] };
  expect(uncovered('covered', gate)).toEqual([]);
  expect(uncovered('skipped', gate)).toEqual([
    'the gate pr requires every p0 requirement to be covered, but A is skipped',
  ]);
  expect(uncovered('not-executed', { ...gate, covered: ['p0', 'p1'] })).toHaveLength(2);
  expect(uncovered('deferred', gate)).toEqual([]);
  expect(uncovered('deferred', { ...gate, deferred: 'forbid' })).toHaveLength(1);
  expect(uncovered('pending', { ...gate, deferred: 'forbid' })).toHaveLength(1);
  expect(uncovered('not-executed', { name: 'pr' })).toEqual([]);
});

test('who waits without a trial is not covered; a gate for everything means those without a priority, too', () => {
  const gate = { name: 'pr', covered: ['p0'] };
  expect(uncovered('pending', gate)).toEqual([
    'the gate pr requires every p0 requirement to be covered, but A is pending, without a trial',
  ]);
  expect(uncovered('pending', gate, ['t'])).toEqual([]);
  expect(uncovered('skipped', { name: 'weekly', everything: true })).toHaveLength(3);
});

test('a gate that matches no requirement is reported', () => {
  const requirements = [requirement('A', 'p0'), requirement('B')];
  expect(idleGate(requirements, { name: 'pr', covered: ['P0', 'p1'] })).toBeUndefined();
  expect(idleGate(requirements, { name: 'pr' })).toBeUndefined();
  expect(idleGate(requirements, { name: 'pr', covered: ['p1'] })).toBe(
    'the gate pr requires every p1 requirement to be covered, but there is none: it checks nothing',
  );
});

test('without a gate every finding fails; with one, what it does not name is only reported', () => {
  const finding = (kind: RequirementFinding['kind'], priority?: string): RequirementFinding =>
    defined({ kind, text: kind, next: '', priority });
  const all = [
    finding('orphaned', 'p0'),
    finding('orphaned', 'p2'),
    finding('orphaned'),
    finding('drifted', 'p0'),
    finding('unknown-requirement'),
    finding('lost-check'),
  ];
  const failing = (gate: Parameters<typeof weighFindings>[1]): readonly string[] =>
    weighFindings(all, gate).failing.map(({ kind, priority }) => `${kind} ${priority ?? '-'}`);
  expect(failing(undefined)).toHaveLength(6);
  expect(failing({ name: 'pr', covered: ['p0'] })).toEqual([
    'orphaned p0',
    'drifted p0',
    'unknown-requirement -',
    'lost-check -',
  ]);
  expect(failing({ name: 'pr', covered: ['p0'], drift: 'warn' })).not.toContain('drifted p0');
  expect(failing({ name: 'all' })).toHaveLength(6);
});
