import { expect, test } from 'vitest';
import type { Trial } from '../../../trials/trial.ts';
import { whyExempt } from './why-exempt.ts';

function trial(over: Partial<Trial>): Trial {
  const record = { id: 'x', steps: [], checks: [] };
  return { record, steps: [], disturbs: [], scripts: {}, ...over } as unknown as Trial;
}

const step = (kind: string, name: string) =>
  ({ kind, spec: { [kind]: name } }) as unknown as Trial['steps'][0];

test.each<[string, Partial<Trial>, string]>([
  [
    'it is expected to fail',
    { record: { expectedFailure: { because: 'known' } } as unknown as Trial['record'] },
    'it is expected to fail',
  ],
  [
    'its own disturbance',
    { disturbs: [{ from: 'a', to: 'bank.admin' }] as unknown as Trial['disturbs'] },
    'it disturbs a -> bank.admin itself',
  ],
  ['a stop', { steps: [step('stop', 'bank')] }, 'it does `stop: bank` itself'],
  ['a kill', { steps: [step('kill', 'bank')] }, 'it does `kill: bank` itself'],
  [
    'an error of a model',
    { scripts: { bank: { '*': [{ says: 'a' }, { error: {} }] } } },
    'its script makes bank fail',
  ],
  [
    'an invalid shape',
    { scripts: { bank: { '*': [{ says: 'a', shape: 'S21' }] } } },
    'its script makes bank fail',
  ],
  ['silence', { scripts: { bank: { a: [{ hangs: true }] } } }, 'its script makes bank fail'],
  [
    'a refusal of a third party',
    { scripts: { bank: [{ on: 'GET /', answer: { status: 500 } }] } },
    'its script makes bank fail',
  ],
  [
    'no answer of a third party',
    { scripts: { bank: [{ on: 'GET /', answer: { instead: 'reset' } }] } },
    'its script makes bank fail',
  ],
])('exempt: %s', (_, over, because) => {
  expect(whyExempt(trial(over), 'bank')).toBe(because);
});

test.each<[string, Partial<Trial>]>([
  ['unrelated', {}],
  ['a disturbance elsewhere', { disturbs: [{ from: 'bank', to: 'shop' }] as unknown as Trial['disturbs'] }],
  ['a stop of another', { steps: [step('stop', 'shop')] }],
  ['a start', { steps: [step('start', 'bank')] }],
  ['an error of another', { scripts: { shop: { '*': [{ error: {} }] } } }],
  ['a valid shape', { scripts: { bank: { '*': [{ says: 'a', shape: 'S05' }] } } }],
  [
    'an answer that mentions a status',
    { scripts: { bank: [{ on: 'GET /', answer: { status: 200, json: { status: 500 } } }] } },
  ],
])('not exempt: %s', (_, over) => {
  expect(whyExempt(trial(over), 'bank')).toBeUndefined();
});
