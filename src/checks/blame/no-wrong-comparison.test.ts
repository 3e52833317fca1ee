/** Constructed situations of trials that passed before: a difference is blamed on its origin, or on no party. */
import { describe, expect, test } from 'vitest';
import {
  answered,
  asked,
  attemptJournal,
  call,
  chain,
  check,
  modelCalled,
  sampled,
  turn,
} from '../../../test/harness/attempt-journal.ts';
import {
  chat,
  died,
  healthy,
  judgeSituation,
  params,
  prepared,
  type Situation,
  shown,
  traffic,
  wanted,
  withStore,
} from '../../../test/harness/blame-situations.ts';
import type { Topology } from '../../journal/topology.ts';
import { judge } from '../judge/judge-attempt.ts';

const withRawEdge: Topology = {
  ...chain,
  edges: [...chain.edges, { from: 'files', to: 'gateway', seen: 'bytes' }],
};
const withResource: Topology = {
  ...chain,
  parties: [...chain.parties, { name: 'store', kind: 'resource' }],
  edges: [...chain.edges, { from: 'agent', to: 'store', seen: 'calls' }],
};
const long = (end: string) => ({ turn: turn({ text: `${'word '.repeat(200)}${end}` }) });

const situations: Readonly<Record<string, Situation>> = {
  'an expectation that is wrong, in a trial that never passed': { parts: healthy, party: null, rule: 5 },
  'an expectation that is wrong, in a trial that has passed': {
    reference: healthy,
    parts: healthy,
    party: null,
    rule: 5,
  },
  'a check that expects something else than when the trial passed': {
    reference: shown(traffic(), { record: { checks: [{ ...wanted, expect: { status: 200 } }] } }),
    parts: shown(traffic({ agent: { turn: turn({ text: 'fine fine' }) } })),
    party: null,
    rule: 5,
  },
  'a gateway that says something else than it used to': {
    reference: healthy,
    parts: shown(
      traffic({ agent: { turn: turn({ text: 'fine fine' }) }, outer: { response: answered(200) } }),
    ),
    party: 'gateway',
    rule: 4,
  },
  'an agent that asks a tool for something else': {
    reference: healthy,
    parts: shown(
      traffic({ files: { params: { ...params, arguments: { path: '/b' } }, result: { text: 'y' } } }),
    ),
    party: 'agent',
    rule: 4,
  },
  'an agent that says it has used a tool, and has not': {
    reference: healthy,
    parts: shown(traffic({ files: null })),
    party: 'agent',
    rule: 4,
  },
  'a model that says something else than it used to': {
    reference: healthy,
    parts: shown(traffic({ gateway: { turn: turn({ text: 'no' }) }, agent: { turn: turn({ text: 'no' }) } })),
    party: null,
    rule: 5,
  },
  'a trial that sends something else than it used to': {
    reference: healthy,
    parts: shown(
      traffic({ outer: { request: asked({ text: 'bye' }), response: answered(200, { text: 'bye' }) } }),
    ),
    party: null,
    rule: 5,
  },
  'a gateway with an input that is not decoded': {
    reference: shown(traffic(), { topology: withRawEdge }),
    parts: shown(traffic({ agent: { turn: turn({ text: 'fine fine' }) } }), { topology: withRawEdge }),
    party: null,
    rule: 5,
  },
  'a gateway whose provider said more than is kept': {
    reference: shown(traffic({ gateway: long('once') })),
    parts: shown(
      traffic({
        gateway: long('twice'),
        agent: { turn: turn({ text: 'fine fine' }) },
        outer: { response: answered(200) },
      }),
    ),
    party: null,
    rule: 5,
  },
  'a gateway that was asked for more than is kept': {
    reference: shown(traffic({ agent: { request: asked({ text: `${'word '.repeat(200)}once` }) } })),
    parts: shown(
      traffic({
        agent: { request: asked({ text: `${'word '.repeat(200)}twice` }), turn: turn({ text: 'fine fine' }) },
        outer: { response: answered(200) },
      }),
    ),
    party: null,
    rule: 5,
  },
  'a resource that answers otherwise': {
    reference: shown([...traffic(), call('agent -> store', [360, 370])], { topology: withResource }),
    parts: shown(
      [
        ...traffic({ outer: { response: answered(200) } }),
        call('agent -> store', [360, 370], { response: answered(200, 7) }),
      ],
      {
        topology: withResource,
      },
    ),
    party: null,
    rule: 5,
  },
  'two that differ, each for itself': {
    reference: healthy,
    parts: shown(traffic({ agent: { turn: turn({ text: 'no' }) }, files: { result: { text: 'z' } } })),
    party: null,
    rule: 5,
  },
  'a gateway that asks again': {
    reference: healthy,
    parts: shown([
      ...traffic(),
      call('gateway -> model', [260, 290], { request: asked(chat), turn: turn() }),
    ]),
    party: 'gateway',
    rule: 4,
  },
  'something that recurs, and comes once more because the trial waited': {
    reference: shown([...traffic(), call('files -> bank', [400, 410], { path: '/beat' })]),
    parts: shown(
      [
        ...traffic(),
        call('files -> bank', [400, 410], { path: '/beat' }),
        call('files -> bank', [900, 910], { path: '/beat' }),
      ],
      { durationMs: 5_000 },
    ),
    party: null,
    rule: 5,
  },
  'a service whose rows are not as they were': {
    reference: shown([...traffic(), sampled('kept', [{ n: 7 }])], {
      topology: prepared('a'),
      record: { checks: [check({ id: 'kept', expect: [{ n: 7 }] })] },
    }),
    parts: shown([...traffic(), sampled('kept', [{ n: 5 }])], {
      topology: prepared('a'),
      record: { checks: [check({ id: 'kept', expect: [{ n: 7 }] })] },
    }),
    party: 'agent',
    rule: 4,
  },
  'rows in a database into which several write': {
    reference: shown([...traffic(), sampled('kept', [{ n: 7 }])], {
      topology: withStore,
      record: { checks: [check({ id: 'kept', expect: [{ n: 7 }] })] },
    }),
    parts: shown([...traffic(), sampled('kept', [{ n: 5 }])], {
      topology: withStore,
      record: { checks: [check({ id: 'kept', expect: [{ n: 7 }] })] },
    }),
    party: null,
    rule: 5,
  },
  'a job that left the database otherwise': {
    reference: shown(traffic(), { topology: prepared('a') }),
    parts: shown(traffic({ outer: { response: answered(500) } }), { topology: prepared('b') }),
    party: 'migrate',
    rule: 4,
  },
  'a service that dies of something that it never got before': {
    reference: healthy,
    parts: shown([
      ...traffic({ agent: { request: asked({ ...chat, temperature: 9 }) }, gateway: { request: asked(9) } }),
      died('gateway'),
    ]),
    party: null,
    rule: 5,
  },
  'an unscripted call in a trial that never passed': {
    parts: shown([
      ...traffic(),
      modelCalled({ call: 3, status: 500, fault: { kind: 'unscripted', what: 'the script has 2 lines' } }),
    ]),
    party: null,
    rule: 5,
  },
  'an unscripted call in a trial that has passed': {
    reference: healthy,
    parts: shown([
      ...traffic({ agent: { response: answered(200, {}), turn: turn() } }),
      call('gateway -> model', [260, 290], { request: asked({ messages: [] }), response: answered(500) }),
      modelCalled({ call: 2, status: 500, fault: { kind: 'unscripted', what: 'the script has 1 line' } }),
    ]),
    party: 'gateway',
    rule: 4,
  },
};

describe('who is to blame', () => {
  test.each(Object.entries(situations))('%s', (_, situation) => {
    const { party, rule } = situation;
    const judged = judgeSituation(situation);
    expect(judged.verdict).toBe('failed');
    expect(judged.blame, judged.blame?.because).toMatchObject({ party, rule });
    expect(judged.blame?.because).not.toBe('');
  });
});

test('faults of other passing trials are usual in one that never passed, too', () => {
  const faults = [{ by: 'provider', rule: 'mcp.result', what: 'no content' }] as const;
  const journal = attemptJournal(shown(traffic({ files: { faults } })));
  expect(judge(journal).blame).toMatchObject({ party: 'files', rule: 2 });
  expect(judge(journal, undefined, undefined, ['files mcp.result']).blame).toMatchObject({ party: null });
});
