import { expect, test } from 'vitest';
import { attemptJournal } from '../../../../test/harness/attempt-journal.ts';
import { type AttemptView, viewAttempt } from '../../../checks/attempt-view.ts';
import { coverCounterfactuals } from './sabotage-live.ts';

const view = viewAttempt(attemptJournal({})) as AttemptView;
const value = { trial: 'chain/ask', step: 'ask', path: '$.json.id' };

test('the provider of the step covers it if one of its mutants was met and judged', () => {
  const mutated = { service: 'agent', trial: 'chain/ask' };
  expect(
    coverCounterfactuals(
      [value],
      [{ view }],
      [
        { ...mutated, mutant: 'dead', outcome: 'proves-nothing' },
        { ...mutated, mutant: 'garbage', outcome: 'killed' },
        { ...mutated, mutant: 'other-tenant', outcome: 'survived' },
      ],
    ),
  ).toEqual([
    {
      ...value,
      provider: 'agent',
      covered: true,
      text: 'covered by live sabotage of agent (garbage: killed, other-tenant: stays green)',
    },
  ]);
});

test('otherwise it says what is missing', () => {
  const dead = { service: 'agent', trial: 'chain/ask', mutant: 'dead', outcome: 'proves-nothing' } as const;
  expect(coverCounterfactuals([value], [{ view }], [dead])).toMatchObject([
    { provider: 'agent', covered: false, text: 'no mutant of agent was met and judged' },
  ]);
  expect(coverCounterfactuals([{ ...value, step: '#9' }], [{ view }], [dead])).toMatchObject([
    { provider: null, covered: false },
  ]);
});
