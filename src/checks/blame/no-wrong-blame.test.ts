/** Constructed situations: each is blamed on the party that made the mistake, or on nobody. */
import { describe, expect, test } from 'vitest';
import {
  answered,
  asked,
  attemptJournal,
  call,
  chain,
  check,
  type JournalParts,
  modelCalled,
  sampled,
  turn,
  unanswered,
} from '../../../test/harness/attempt-journal.ts';
import type { CallEvent } from '../../journal/call-event.ts';
import type { Topology } from '../../journal/topology.ts';
import type { AttemptEventBody } from '../../journal/trial-event.ts';
import { judge } from '../judge-attempt.ts';
import type { Blame } from './blame.ts';
import { digestOf } from './green/digest-of.ts';
import type { GreenDigest } from './green/green-digest.ts';
import { mergeDigests } from './green/merge-digests.ts';

interface Chain {
  readonly outer?: Partial<CallEvent>;
  readonly agent?: Partial<CallEvent>;
  readonly gateway?: Partial<CallEvent>;
  readonly files?: Partial<CallEvent> | null;
}

const tool = { protocol: 'json-rpc', method: 'tools/call', path: '/mcp' } as const;
const params = { name: 'read_file', arguments: { path: '/a' } };
const chat = { messages: [{ role: 'user', content: 'hello' }], temperature: 0.2 };

/** What crosses the edges when all is well, unless something else is said. */
function traffic({ outer, agent, gateway, files }: Chain = {}): CallEvent[] {
  return [
    call('gateway -> model', [100, 250], { request: asked(chat), turn: turn(), ...gateway }),
    call('agent -> gateway', [50, 300], { request: asked(chat), turn: turn(), ...agent }),
    ...(files === null
      ? []
      : [call('agent -> files', [310, 350], { ...tool, params, result: { text: 'x' }, ...files })]),
    call('outside -> agent', [10, 390], outer),
  ];
}

/** Without the answer. */
function silent(one: CallEvent): CallEvent {
  return unanswered(one, 'in-flight');
}

const wanted = check({ id: 'told', kind: 'exchange', query: { exchange: 'ask' }, expect: { json: 'never' } });
const died = (name: string, expected = false): AttemptEventBody => ({
  type: 'node.exited',
  kind: 'service',
  name,
  code: 1,
  signal: null,
  expected,
});
const refused = (from: string, to: string): AttemptEventBody => ({
  type: 'connection.refused',
  from,
  to,
  because: 'provider-not-listening',
});
const felt = (from: string, to: string, crossing: number, what: string): AttemptEventBody => ({
  type: 'disturbance.felt',
  from,
  to,
  disturbance: 'disturb[0]',
  crossing,
  connection: crossing,
  what,
});
const fault = (rule: string) => ({ rule, what: 'something is wrong' });
const error = (service: string, text: string): AttemptEventBody => ({ type: 'log.error', service, text });
const relays: Topology['relays'] = [
  {
    name: 'chat',
    incoming: 'agent -> gateway',
    outgoing: 'gateway -> model',
    same: ['request.json.temperature', 'turn.text', 'turn.calls', 'turn.usage'],
  },
];
const withRelay: Topology = { ...chain, relays };
const withStore: Topology = {
  ...chain,
  parties: [...chain.parties, { name: 'db', kind: 'resource' }, { name: 'migrate', kind: 'job' }],
  edges: [
    ...chain.edges,
    { from: 'agent', to: 'db', seen: 'bytes' },
    { from: 'files', to: 'db', seen: 'bytes' },
    { from: 'migrate', to: 'db', seen: 'bytes' },
  ],
};
const ownPlaces: Topology = {
  ...withStore,
  parties: withStore.parties.map((party) => (party.name === 'db' ? { ...party, private: true } : party)),
};
const prepared = (state: string): Topology => ({
  ...ownPlaces,
  prepared: [{ resource: 'db', by: ['migrate'], state }],
});

interface Situation {
  readonly parts: JournalParts;
  /** The events of a run that passed. */
  readonly green?: JournalParts;
  readonly party: string | null;
  readonly rule: Blame['rule'];
}

function told(events: readonly AttemptEventBody[], over: JournalParts = {}): JournalParts {
  const { record, ...rest } = over;
  return { topology: chain, events, ...rest, record: { checks: [wanted], ...record } };
}

const healthy = told(traffic());
const waited = { end: 'timeout' as const };
const longAgo = (one: CallEvent): CallEvent => ({ ...one, endedAt: 9_000 });

const situations: Readonly<Record<string, Situation>> = {
  'a service that died': { parts: told([...traffic(), died('gateway')]), party: 'gateway', rule: 1 },
  'two that died, one after the other': {
    parts: told([...traffic(), died('files'), died('agent')]),
    party: 'files',
    rule: 1,
  },
  'one that the trial ended': { parts: told([...traffic(), died('gateway', true)]), party: null, rule: 5 },
  'one that does not listen': {
    parts: told([...traffic({ files: null }), refused('agent', 'files')]),
    party: 'files',
    rule: 1,
  },
  'one that does not listen, because the trial stopped it': {
    parts: told([died('files', true), ...traffic({ files: null }), refused('agent', 'files')]),
    party: null,
    rule: 5,
  },
  'one that was away for a moment': {
    parts: told([refused('agent', 'files'), ...traffic()]),
    party: null,
    rule: 5,
  },
  'a tap that was told to refuse': {
    parts: told([
      ...traffic({ files: null }),
      { type: 'connection.refused', from: 'agent', to: 'files', because: 'rule' },
    ]),
    party: null,
    rule: 5,
  },
  'a gateway that had its answer and kept it': {
    parts: told(
      [
        call('gateway -> model', [100, 250], { turn: turn() }),
        silent(call('agent -> gateway', [50, 9_000])),
        silent(call('outside -> agent', [10, 9_000])),
      ],
      waited,
    ),
    party: 'gateway',
    rule: 1,
  },
  'a provider that was told to hang': {
    parts: told(
      [
        silent(call('gateway -> model', [100, 9_000])),
        silent(call('agent -> gateway', [50, 9_000])),
        silent(call('outside -> agent', [10, 9_000])),
      ],
      waited,
    ),
    party: null,
    rule: 5,
  },
  'an edge that was held': {
    parts: told(
      [
        felt('agent', 'gateway', 51, 'held before the first byte, for good'),
        silent(call('agent -> gateway', [50, 9_000])),
        silent(call('outside -> agent', [10, 9_000])),
      ],
      waited,
    ),
    party: null,
    rule: 5,
  },
  'one that got its answer late, and had no time left': {
    parts: told(
      [
        longAgo(call('gateway -> model', [100, 250], { turn: turn() })),
        silent(call('agent -> gateway', [50, 9_100])),
        silent(call('outside -> agent', [10, 9_100])),
      ],
      waited,
    ),
    party: null,
    rule: 5,
  },
  'one that may wait for a database': {
    parts: told([silent(call('outside -> agent', [10, 9_000]))], { ...waited, topology: withStore }),
    party: null,
    rule: 5,
  },
  'a step with too little time': {
    parts: told([silent(call('outside -> agent', [10, 300]))], {
      evidence: { error: { kind: 'timeout', message: 'no answer within 290 ms' } },
    }),
    party: null,
    rule: 5,
  },
  'an illegal stream from the gateway': {
    parts: told(traffic({ agent: { turn: turn({ faults: [fault('chat.no-finish')] }) } })),
    party: 'gateway',
    rule: 2,
  },
  'an illegal stream that the script asked for, and the gateway passed on': {
    parts: told(
      traffic({
        gateway: { turn: turn({ faults: [fault('chat.no-finish')] }) },
        agent: { turn: turn({ faults: [fault('chat.no-finish')] }) },
      }),
    ),
    party: null,
    rule: 5,
  },
  'an illegal stream from a real provider': {
    parts: told([
      modelCalled({ mode: 'live' }),
      ...traffic({
        gateway: { turn: turn({ faults: [fault('chat.no-finish')] }) },
        agent: { turn: turn({ faults: [fault('chat.no-finish')] }) },
      }),
    ]),
    party: 'model',
    rule: 2,
  },
  'a stream that was cut by the tap': {
    parts: told([
      felt('gateway', 'model', 101, 'cut by fin before event 2'),
      ...traffic({
        gateway: { turn: turn({ complete: false, faults: [fault('chat.no-finish')] }), incomplete: 'cut' },
        agent: { turn: turn({ complete: false, faults: [fault('chat.no-finish')] }) },
      }),
    ]),
    party: null,
    rule: 5,
  },
  'a stream that its reader left': {
    parts: told(
      traffic({
        agent: { turn: turn({ complete: false, faults: [fault('chat.no-finish')] }), incomplete: 'cut' },
      }),
    ),
    party: null,
    rule: 5,
  },
  'illegal arguments of a tool, after a legal turn': {
    parts: told(
      traffic({ files: { faults: [{ by: 'consumer', rule: 'mcp.arguments-schema', what: 'no path' }] } }),
    ),
    party: 'agent',
    rule: 2,
  },
  'something illegal from the trial itself': {
    parts: told(traffic({ outer: { faults: [{ by: 'consumer', rule: 'http.bad', what: 'no host' }] } })),
    party: null,
    rule: 5,
  },
  'two that break rules, each for itself': {
    parts: told(
      traffic({
        files: { faults: [{ by: 'provider', rule: 'mcp.result', what: 'no content' }] },
        agent: { turn: turn({ faults: [fault('chat.no-finish')] }) },
      }),
    ),
    party: null,
    rule: 5,
  },
  'a rule that is broken in every run': {
    green: told(traffic({ files: { faults: [{ by: 'provider', rule: 'mcp.result', what: 'no content' }] } })),
    parts: told(traffic({ files: { faults: [{ by: 'provider', rule: 'mcp.result', what: 'no content' }] } })),
    party: null,
    rule: 5,
  },
  'a history that a provider refuses': {
    parts: told([
      ...traffic({ agent: { request: asked({ text: 'hello' }) }, gateway: { response: answered(400) } }),
      modelCalled({
        status: 400,
        startedAt: 100,
        endedAt: 250,
        fault: { kind: 'bad-history', what: 'a tool result without its call' },
      }),
    ]),
    party: 'gateway',
    rule: 2,
  },
  'a bad history that the gateway only passes on': {
    parts: told([
      ...traffic({ gateway: { response: answered(400) }, agent: { response: answered(400) } }),
      modelCalled({
        status: 400,
        startedAt: 100,
        endedAt: 250,
        fault: { kind: 'bad-history', what: 'a tool result without its call' },
      }),
    ]),
    party: null,
    rule: 5,
  },
  'a gateway that fails though its provider was well': {
    parts: told(traffic({ agent: { response: answered(502), turn: turn({ text: '' }) } })),
    party: 'gateway',
    rule: 2,
  },
  'a gateway that fails because its provider did': {
    parts: told(traffic({ gateway: { response: answered(503) }, agent: { response: answered(502) } })),
    party: null,
    rule: 5,
  },
  'a service that fails on a database that nobody sees into': {
    parts: told(traffic({ outer: { response: answered(500) } }), { topology: withStore }),
    party: null,
    rule: 5,
  },
  'an error line, and nothing wrong around it': {
    parts: told([...traffic(), error('agent', 'ERROR lost the plot')], { record: { checks: [] } }),
    party: 'agent',
    rule: 2,
  },
  'an error line about a request that was refused': {
    parts: told([...traffic({ outer: { response: answered(403) } }), error('agent', 'ERROR bad key')]),
    party: null,
    rule: 5,
  },
  'an error line about somebody who failed': {
    parts: told([...traffic({ agent: { response: answered(503) } }), error('agent', 'ERROR upstream 503')]),
    party: null,
    rule: 5,
  },
  'a parameter that was dropped on the way': {
    parts: told(traffic({ gateway: { request: asked({ messages: chat.messages }) } }), {
      topology: withRelay,
    }),
    party: 'gateway',
    rule: 3,
  },
  'usage that did not come back': {
    parts: told(traffic({ agent: { turn: turn({ usage: null }) } }), { topology: withRelay }),
    party: 'gateway',
    rule: 3,
  },
  'an answer that is not passed on, because the provider failed': {
    parts: told(
      traffic({
        gateway: { turn: turn({ complete: false }), response: answered(500) },
        agent: { turn: turn({ text: '' }) },
      }),
      { topology: withRelay },
    ),
    party: null,
    rule: 5,
  },
  'a relation that does not hold in any run': {
    green: told(traffic({ agent: { turn: turn({ usage: null }) } }), { topology: withRelay }),
    parts: told(traffic({ agent: { turn: turn({ usage: null }) } }), { topology: withRelay }),
    party: null,
    rule: 5,
  },
  'an expectation that is wrong, in a trial that never passed': { parts: healthy, party: null, rule: 5 },
  'an expectation that is wrong, in a trial that has passed': {
    green: healthy,
    parts: healthy,
    party: null,
    rule: 5,
  },
  'a check that expects something else than when the trial passed': {
    green: told(traffic(), { record: { checks: [{ ...wanted, expect: { status: 200 } }] } }),
    parts: told(traffic({ agent: { turn: turn({ text: 'fine fine' }) } })),
    party: null,
    rule: 5,
  },
  'a gateway that says something else than it used to': {
    green: healthy,
    parts: told(
      traffic({ agent: { turn: turn({ text: 'fine fine' }) }, outer: { response: answered(200) } }),
    ),
    party: 'gateway',
    rule: 4,
  },
  'an agent that asks a tool for something else': {
    green: healthy,
    parts: told(
      traffic({ files: { params: { ...params, arguments: { path: '/b' } }, result: { text: 'y' } } }),
    ),
    party: 'agent',
    rule: 4,
  },
  'an agent that says it has used a tool, and has not': {
    green: healthy,
    parts: told(traffic({ files: null })),
    party: 'agent',
    rule: 4,
  },
  'a model that says something else than it used to': {
    green: healthy,
    parts: told(traffic({ gateway: { turn: turn({ text: 'no' }) }, agent: { turn: turn({ text: 'no' }) } })),
    party: null,
    rule: 5,
  },
  'a trial that sends something else than it used to': {
    green: healthy,
    parts: told(
      traffic({ outer: { request: asked({ text: 'bye' }), response: answered(200, { text: 'bye' }) } }),
    ),
    party: null,
    rule: 5,
  },
  'two that differ, each for itself': {
    green: healthy,
    parts: told(traffic({ agent: { turn: turn({ text: 'no' }) }, files: { result: { text: 'z' } } })),
    party: null,
    rule: 5,
  },
  'a gateway that asks again': {
    green: healthy,
    parts: told([...traffic(), call('gateway -> model', [260, 290], { request: asked(chat), turn: turn() })]),
    party: 'gateway',
    rule: 4,
  },
  'something that recurs, and comes once more because the trial waited': {
    green: told([...traffic(), call('files -> bank', [400, 410], { path: '/beat' })]),
    parts: told(
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
    green: told([...traffic(), sampled('kept', [{ n: 7 }])], {
      topology: prepared('a'),
      record: { checks: [check({ id: 'kept', expect: [{ n: 7 }] })] },
    }),
    parts: told([...traffic(), sampled('kept', [{ n: 5 }])], {
      topology: prepared('a'),
      record: { checks: [check({ id: 'kept', expect: [{ n: 7 }] })] },
    }),
    party: 'agent',
    rule: 4,
  },
  'rows in a database into which several write': {
    green: told([...traffic(), sampled('kept', [{ n: 7 }])], {
      topology: withStore,
      record: { checks: [check({ id: 'kept', expect: [{ n: 7 }] })] },
    }),
    parts: told([...traffic(), sampled('kept', [{ n: 5 }])], {
      topology: withStore,
      record: { checks: [check({ id: 'kept', expect: [{ n: 7 }] })] },
    }),
    party: null,
    rule: 5,
  },
  'a job that left the database otherwise': {
    green: told(traffic(), { topology: prepared('a') }),
    parts: told(traffic({ outer: { response: answered(500) } }), { topology: prepared('b') }),
    party: 'migrate',
    rule: 4,
  },
  'a service that dies of something that it never got before': {
    green: healthy,
    parts: told([
      ...traffic({ agent: { request: asked({ ...chat, temperature: 9 }) }, gateway: { request: asked(9) } }),
      died('gateway'),
    ]),
    party: null,
    rule: 5,
  },
  'an unscripted call in a trial that never passed': {
    parts: told([
      ...traffic(),
      modelCalled({ call: 3, status: 500, fault: { kind: 'unscripted', what: 'the script has 2 lines' } }),
    ]),
    party: null,
    rule: 5,
  },
  'an unscripted call in a trial that has passed': {
    green: healthy,
    parts: told([
      ...traffic({ agent: { response: answered(200, {}), turn: turn() } }),
      call('gateway -> model', [260, 290], { request: asked({ messages: [] }), response: answered(500) }),
      modelCalled({ call: 2, status: 500, fault: { kind: 'unscripted', what: 'the script has 1 line' } }),
    ]),
    party: 'gateway',
    rule: 4,
  },
};

/** From three runs that were all the same. */
function learnt(one: GreenDigest): GreenDigest {
  return mergeDigests(mergeDigests(one, one), one);
}

describe('who is to blame', () => {
  test.each(Object.entries(situations))('%s', (_, { parts, green, party, rule }) => {
    const digest = green && learnt(digestOf(attemptJournal(green)) as GreenDigest);
    const judged = judge(attemptJournal(parts), undefined, digest);
    expect(judged.verdict).toBe('failed');
    expect(judged.blame, judged.blame?.because).toMatchObject({ party, rule });
    expect(judged.blame?.because).not.toBe('');
  });
});

test('nobody is blamed for a trial that passed, or that nobody could judge', () => {
  const passing = told(traffic(), { record: { checks: [] } });
  expect(judge(attemptJournal(passing))).toMatchObject({ verdict: 'passed', blame: null });
  expect(judge(attemptJournal({ ...passing, end: 'interrupted' }))).toMatchObject({
    verdict: 'unknown',
    blame: null,
  });
});

test('the first rung that fails is to blame, whatever fails above it', () => {
  const rung = (name: string, party: string) => ({
    name,
    line: 3,
    driver: 'http',
    expect: { status: 200 },
    rung: { name: party, party },
  });
  const done = (step: string, status: number): AttemptEventBody => ({
    type: 'step.ended',
    step,
    outcome: status === 200 ? 'done' : 'failed',
    evidence: { status },
    sentBytes: 5,
  });
  const steps = [rung('ask', 'model'), rung('through', 'gateway'), rung('whole', 'agent')];
  const judged = judge(
    attemptJournal(told([done('through', 502), done('whole', 502)], { record: { steps, checks: [] } })),
  );
  expect(judged).toMatchObject({
    verdict: 'failed',
    cause: { kind: 'ladder', text: expect.stringMatching(/^first failing rung: gateway \(step through: /) },
    blame: { party: 'gateway', rule: 'ladder', because: 'first failing rung: gateway; model held' },
  });
});
