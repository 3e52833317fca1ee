/** How the state of a requirement is drawn: a mark and a word, so that nothing depends on colour alone. */
import type { RequirementState } from '../../checks/verdict.ts';
import type { Style } from './line.ts';

export interface StateMark {
  readonly state: RequirementState;
  readonly mark: string;
  readonly word: string;
  readonly style: Style;
}

/** In display order. */
export const stateMarks: readonly StateMark[] = [
  { state: 'failed', mark: '✗', word: 'failed', style: 'red' },
  { state: 'unknown', mark: '?', word: 'unknown', style: 'yellow' },
  { state: 'orphaned', mark: '!', word: 'orphaned', style: 'red' },
  { state: 'not-executed', mark: '–', word: 'not executed', style: 'yellow' },
  { state: 'skipped', mark: '○', word: 'skipped', style: 'yellow' },
  { state: 'covered', mark: '●', word: 'covered', style: 'green' },
  { state: 'pending', mark: '◌', word: 'pending', style: 'cyan' },
  { state: 'deferred', mark: '·', word: 'deferred', style: 'dim' },
];

export function markOf(state: RequirementState): StateMark {
  return stateMarks.find((one) => one.state === state) as StateMark;
}

/** `3 covered, 1 failed`, without zero counts. */
export function countStates(states: readonly RequirementState[]): string {
  return stateMarks
    .map(({ state, word }) => ({ word, count: states.filter((one) => one === state).length }))
    .filter(({ count }) => count > 0)
    .map(({ word, count }) => `${count} ${word}`)
    .join(', ');
}
