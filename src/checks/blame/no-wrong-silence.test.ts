/** Constructed situations in which a party gives no answer because it rightly waits, or fails because of what is behind it. */
import { expect, test } from 'vitest';
import {
  answered,
  attemptJournal,
  call,
  chain,
  type JournalParts,
  turn,
  unanswered,
} from '../../../test/harness/attempt-journal.ts';
import { judgeSituation, refused, shown, silent } from '../../../test/harness/blame-situations.ts';
import type { CallEvent } from '../../journal/call-event.ts';
import type { Topology } from '../../journal/topology.ts';
import type { AttemptEventBody } from '../../journal/trial-event.ts';
import { judge } from '../judge/judge-attempt.ts';

const hung = silent(call('outside -> agent', [10, 9_000]));
const look: Partial<CallEvent> = { method: 'GET', path: '/jobs/1', request: { headers: {}, bytes: 0 } };
const withEdges = (...edges: Topology['edges']): Topology => ({
  ...chain,
  edges: [...chain.edges, ...edges],
});
const back = { from: 'files', to: 'agent', seen: 'calls' } as const;
const blame = (events: readonly AttemptEventBody[], over: JournalParts = {}) =>
  judgeSituation({ parts: shown(events, { end: 'timeout', ...over }), party: null, rule: 5 }).blame;

test('who had all that it needed is silent', () => {
  expect(blame([hung])).toMatchObject({ party: 'agent', rule: 1 });
  expect(blame([call('agent -> files', [20, 40]), hung])).toMatchObject({ party: 'agent', rule: 1 });
});

const store: Topology = {
  ...withEdges(
    { from: 'agent', to: 'queue', seen: 'statements' },
    { from: 'files', to: 'queue', seen: 'statements' },
  ),
  parties: [...chain.parties, { name: 'queue', kind: 'resource' }],
};

test.each<[string, readonly AttemptEventBody[], JournalParts?]>([
  ['a callback', [call('agent -> files', [20, 40]), hung], { topology: withEdges(back) }],
  [
    'a callback by another listener',
    [call('agent -> files', [20, 40]), hung],
    { topology: withEdges({ ...back, to: 'agent.hooks' }) },
  ],
  [
    'a callback from who is behind the one it asked',
    [call('agent -> gateway', [20, 40]), hung],
    {
      topology: withEdges(
        { from: 'gateway', to: 'files', seen: 'calls' },
        { from: 'files', to: 'agent', seen: 'calls' },
      ),
    },
  ],
  ['someone who comes for work by himself', [hung], { topology: withEdges(back) }],
  ['what another one puts into a store', [hung], { topology: store }],
  [
    'what another one writes to a file',
    [hung],
    { topology: { ...chain, shared: [{ path: '/data', by: ['agent', 'files'] }] } },
  ],
  [
    'the rest of its request',
    [
      silent(
        call('outside -> agent', [10, 9_000], { request: { headers: {}, bytes: 16, unfinished: true } }),
      ),
    ],
  ],
  [
    'the rest of a request from another service',
    [
      hung,
      silent(call('agent -> files', [20, 9_000], { request: { headers: {}, bytes: 16, unfinished: true } })),
    ],
  ],
  ['an event of a stream', [hung, { type: 'edges.passed', edges: [], open: ['agent -> files'] }]],
  [
    'an event of a stream that the journal has',
    [
      hung,
      call('agent -> files', [20, 9_000], {
        ...look,
        response: { status: 200, headers: { 'content-type': 'text/event-stream' }, events: [], bytes: 0 },
        incomplete: 'in-flight',
      }),
    ],
  ],
  [
    'a message over a connection that is no longer HTTP',
    [call('agent -> files', [20, 40], { ...look, response: { status: 101, headers: {}, bytes: 0 } }), hung],
  ],
  ['its next look', [call('agent -> files', [20, 40], look), hung]],
  [
    'its next try to ask the same',
    [call('agent -> files', [20, 40]), call('agent -> files', [2_000, 2_040]), hung],
  ],
  ['what was only accepted', [call('agent -> files', [20, 40], { response: answered(202) }), hung]],
  ['its next try', [call('agent -> files', [20, 40], { response: answered(503) }), hung]],
  ['its next try after a cut', [unanswered(call('agent -> files', [20, 40]), 'cut'), hung]],
  ['one that is away', [{ ...refused('agent', 'bank'), because: 'rule' } as AttemptEventBody, hung]],
  [
    'an answer to what it had asked before',
    [silent(call('agent -> files', [5, 9_000])), call('gateway -> agent', [3, 9_000]), hung],
  ],
])('who waits for %s is not proven silent', (_, events, over) => {
  expect(blame(events, over)?.party ?? null).not.toBe('agent');
  expect(blame(events, over)?.party ?? null).not.toBe('files');
});

test('a callback that its own caller owes is waited for', () => {
  const topology = withEdges({ from: 'gateway', to: 'agent', seen: 'calls' });
  const events = [
    call('gateway -> agent', [30, 40], { response: answered(202) }),
    silent(call('agent -> gateway', [20, 9_000])),
    hung,
  ];
  expect(blame(events, { topology })).toMatchObject({ party: null });
});

test('who fails after a request that was not sent to its end is not proven', () => {
  const failed = (parts: Partial<CallEvent['request']>) =>
    blame(
      [
        call('outside -> agent', [10, 90], { response: answered(502) }),
        call('agent -> files', [20, 40], {
          response: answered(500),
          request: { headers: {}, bytes: 16, ...parts },
        }),
      ],
      { end: 'done' },
    );
  expect(failed({})).toMatchObject({ party: 'files', rule: 2 });
  expect(failed({ unfinished: true })).toMatchObject({ party: null });
});

test('who does not listen any more after another one failed is not proven', () => {
  const away = (status: number) =>
    blame([call('gateway -> model', [20, 40], { response: answered(status) }), refused('agent', 'gateway')], {
      end: 'done',
    });
  expect(away(200)).toMatchObject({ party: 'gateway', rule: 1 });
  expect(away(500)).toMatchObject({ party: null });
});

const rung = (name: string, party: string) => ({
  ...{ name, line: 3, driver: 'http', to: party, expect: { status: 200 } },
  rung: { name: party, party },
});
const climbed = (events: readonly AttemptEventBody[], topology: Topology = chain) =>
  judge(
    attemptJournal(
      shown(
        [
          { type: 'step.started', step: 'through', action: 'POST gateway/ask' },
          ...events,
          {
            ...{ type: 'step.ended', step: 'through', outcome: 'failed', sentBytes: 5 },
            evidence: { status: 502 },
          },
        ],
        { topology, record: { steps: [rung('ask', 'files'), rung('through', 'gateway')], checks: [] } },
      ),
    ),
  ).blame;
const outer = call('outside -> gateway', [403, 500], { response: answered(502) });

test('a rung names its party where everything that it got was good', () => {
  expect(climbed([outer])).toMatchObject({ party: 'gateway', rule: 'ladder' });
  expect(climbed([outer, call('gateway -> model', [404, 405], { turn: turn() })])).toMatchObject({
    party: 'gateway',
    rule: 'ladder',
  });
  // What it got before was for another question.
  const before = call('gateway -> model', [20, 40], { response: answered(500) });
  expect(climbed([before, outer])).toMatchObject({ party: 'gateway', rule: 'ladder' });
});

const backend: Topology = {
  ...withEdges({ from: 'gateway', to: 'backend', seen: 'calls' }),
  parties: [...chain.parties, { name: 'backend', kind: 'service' }],
};

test.each<[string, readonly AttemptEventBody[], Topology?]>([
  ['failed', [outer, call('gateway -> backend', [404, 405], { response: answered(500) })], backend],
  ['gave no answer', [outer, silent(call('gateway -> backend', [404, 520]))], backend],
  [
    'may have answered something wrong',
    [call('outside -> gateway', [403, 500]), call('gateway -> backend', [404, 405])],
    backend,
  ],
  ['failed as the trial says', [outer, call('gateway -> model', [404, 405], { response: answered(500) })]],
  ['is not read', [outer], withEdges({ from: 'gateway', to: 'db', seen: 'bytes' })],
  ['did not listen', [outer, refused('gateway', 'backend')], backend],
])('a rung does not name its party where what is behind it %s', (_, events, topology) => {
  expect(climbed(events, topology)?.rule).not.toBe('ladder');
  expect(climbed(events, topology)?.party ?? null).not.toBe('gateway');
});
