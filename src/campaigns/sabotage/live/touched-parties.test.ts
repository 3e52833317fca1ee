import { expect, test } from 'vitest';
import { attemptJournal, call, chain, type JournalParts } from '../../../../test/harness/attempt-journal.ts';
import { type AttemptView, viewAttempt } from '../../../checks/attempt-view.ts';
import type { Topology } from '../../../journal/topology.ts';
import { touchedParties } from './touched-parties.ts';

const raw: Topology = {
  ...chain,
  parties: [...chain.parties, { name: 'db', kind: 'resource' }, { name: 'queue', kind: 'service' }],
  edges: [
    ...chain.edges,
    { from: 'agent', to: 'db', seen: 'bytes' },
    { from: 'db', to: 'queue.main', seen: 'bytes' },
    { from: 'outside', to: 'files.raw', seen: 'bytes' },
  ],
};

function touched(parts: JournalParts): readonly string[] {
  return [...touchedParties(viewAttempt(attemptJournal(parts)) as AttemptView)].sort();
}

test('steps, calls, addresses that programs were given', () => {
  const record = { steps: [{ name: 'ask', line: 1, driver: 'tcp', to: 'agent.admin' }] };
  expect(touched({ topology: chain, record })).toEqual(['agent']);
  expect(touched({ topology: chain, events: [call('gateway -> model', [0, 1])] })).toEqual([
    'agent',
    'gateway',
    'model',
  ]);
  const steps = [{ name: 'ask', line: 1, driver: 'command' }];
  expect(touched({ topology: chain, record: { steps }, scope: { 'files.url': 'http://x' } })).toEqual([
    'files',
  ]);
});

test('of edges that are not decoded, those with traffic', () => {
  const passed = { from: 'agent', to: 'db', sent: 5, received: 9 };
  expect(touched({ topology: raw, events: [{ type: 'edges.passed', edges: [passed] }] })).toEqual([
    'agent',
    'db',
  ]);
  expect(touched({ topology: raw, events: [{ type: 'edges.passed', edges: [] }] })).toEqual(['agent']);
});

test('without a record of traffic, everything that may have been reached', () => {
  expect(touched({ topology: raw })).toEqual(['agent', 'db', 'queue']);
  expect(touched({ topology: raw, record: { kind: 'flow', steps: [] } })).toEqual(['files']);
});
