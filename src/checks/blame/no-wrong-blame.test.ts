/** Constructed situations: each is blamed on the party at fault, or on none. */
import { describe, expect, test } from 'vitest';
import {
  answered,
  asked,
  attemptJournal,
  call,
  modelCalled,
  turn,
  unanswered,
} from '../../../test/harness/attempt-journal.ts';
import {
  chat,
  died,
  error,
  fault,
  felt,
  judgeSituation,
  refused,
  type Situation,
  shown,
  silent,
  traffic,
  withRelay,
  withStore,
} from '../../../test/harness/blame-situations.ts';
import type { CallEvent } from '../../journal/call-event.ts';
import type { AttemptEventBody } from '../../journal/trial-event.ts';
import { judge } from '../judge/judge-attempt.ts';

const waited = { end: 'timeout' as const };
const cutShort = [{ by: 'provider' as const, rule: 'http.no-last-chunk', what: 'it ended too early' }];
const longAgo = (one: CallEvent): CallEvent => ({ ...one, endedAt: 9_000 });

const situations: Readonly<Record<string, Situation>> = {
  'a service that died': { parts: shown([...traffic(), died('gateway')]), party: 'gateway', rule: 1 },
  'two that died, one after the other': {
    parts: shown([...traffic(), died('files'), died('agent')]),
    party: 'files',
    rule: 1,
  },
  'one that the trial ended': { parts: shown([...traffic(), died('gateway', true)]), party: null, rule: 5 },
  'one that does not listen': {
    parts: shown([...traffic({ files: null }), refused('agent', 'files')]),
    party: 'files',
    rule: 1,
  },
  'one that does not listen, because the trial stopped it': {
    parts: shown([died('files', true), ...traffic({ files: null }), refused('agent', 'files')]),
    party: null,
    rule: 5,
  },
  'one that broke off its stream, because the trial stopped it': {
    parts: shown([died('files', true), ...traffic(), call('agent -> files', [20, 30], { faults: cutShort })]),
    party: null,
    rule: 5,
  },
  'a peer of ours that does not listen': {
    parts: shown([...traffic(), refused('gateway', 'bank')]),
    party: null,
    rule: 5,
  },
  'one that was away for a moment': {
    parts: shown([refused('agent', 'files'), ...traffic()]),
    party: null,
    rule: 5,
  },
  'a tap that was set to refuse': {
    parts: shown([
      ...traffic({ files: null }),
      { type: 'connection.refused', from: 'agent', to: 'files', because: 'rule' },
    ]),
    party: null,
    rule: 5,
  },
  'a gateway that had its answer and kept it': {
    parts: shown(
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
  'a provider that was set to hang': {
    parts: shown(
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
    parts: shown(
      [
        felt('agent', 'gateway', 51, 'held before the first byte, permanently'),
        silent(call('agent -> gateway', [50, 9_000])),
        silent(call('outside -> agent', [10, 9_000])),
      ],
      waited,
    ),
    party: null,
    rule: 5,
  },
  'one that got its answer late, and had no time left': {
    parts: shown(
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
    parts: shown([silent(call('outside -> agent', [10, 9_000]))], { ...waited, topology: withStore }),
    party: null,
    rule: 5,
  },
  'one whose stream of events was only listened to': {
    parts: shown(
      [
        ...traffic(),
        call('outside -> files', [5, 9_000], {
          method: 'GET',
          path: '/mcp',
          response: { status: 200, headers: { 'content-type': 'text/event-stream' }, events: [], bytes: 0 },
          incomplete: 'in-flight',
        }),
      ],
      waited,
    ),
    party: null,
    rule: 5,
  },
  'one that was not to answer any more when its consumer went on and hung': {
    parts: shown(
      [
        unanswered(call('agent -> files', [50, 1_000], { protocol: 'json-rpc' }), 'cancelled'),
        silent(call('outside -> agent', [10, 9_000])),
      ],
      waited,
    ),
    party: 'agent',
    rule: 1,
  },
  'one whose silence was waited for': {
    parts: shown([silent(call('outside -> agent', [10, 9_000]))], {
      evidence: { error: { kind: 'timeout', message: 'no answer within 8990 ms' } },
      record: {
        steps: [
          { name: 'ask', line: 3, driver: 'http', to: 'agent', expect: { error: { kind: 'timeout' } } },
        ],
      },
    }),
    party: null,
    rule: 5,
  },
  'a step with too little time': {
    parts: shown([silent(call('outside -> agent', [10, 300]))], {
      evidence: { error: { kind: 'timeout', message: 'no answer within 290 ms' } },
    }),
    party: null,
    rule: 5,
  },
  'an illegal stream from the gateway': {
    parts: shown(traffic({ agent: { turn: turn({ faults: [fault('chat.no-finish')] }) } })),
    party: 'gateway',
    rule: 2,
  },
  'an illegal stream that the script asked for, and the gateway passed on': {
    parts: shown(
      traffic({
        gateway: { turn: turn({ faults: [fault('chat.no-finish')] }) },
        agent: { turn: turn({ faults: [fault('chat.no-finish')] }) },
      }),
    ),
    party: null,
    rule: 5,
  },
  'an illegal stream from a real provider': {
    parts: shown([
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
    parts: shown([
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
    parts: shown(
      traffic({
        agent: { turn: turn({ complete: false, faults: [fault('chat.no-finish')] }), incomplete: 'cut' },
      }),
    ),
    party: null,
    rule: 5,
  },
  'illegal arguments of a tool, after a legal turn': {
    parts: shown(
      traffic({ files: { faults: [{ by: 'consumer', rule: 'mcp.arguments-schema', what: 'no path' }] } }),
    ),
    party: 'agent',
    rule: 2,
  },
  'something illegal from the trial itself': {
    parts: shown(traffic({ outer: { faults: [{ by: 'consumer', rule: 'http.bad', what: 'no host' }] } })),
    party: null,
    rule: 5,
  },
  'two that break rules, each for itself': {
    parts: shown(
      traffic({
        files: { faults: [{ by: 'provider', rule: 'mcp.result', what: 'no content' }] },
        agent: { turn: turn({ faults: [fault('chat.no-finish')] }) },
      }),
    ),
    party: null,
    rule: 5,
  },
  'a rule that is broken in every run': {
    reference: shown(
      traffic({ files: { faults: [{ by: 'provider', rule: 'mcp.result', what: 'no content' }] } }),
    ),
    parts: shown(
      traffic({ files: { faults: [{ by: 'provider', rule: 'mcp.result', what: 'no content' }] } }),
    ),
    party: null,
    rule: 5,
  },
  'a history that a provider refuses': {
    parts: shown([
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
    parts: shown([
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
    parts: shown(traffic({ agent: { response: answered(502), turn: turn({ text: '' }) } })),
    party: 'gateway',
    rule: 2,
  },
  'a gateway that fails because its provider did': {
    parts: shown(traffic({ gateway: { response: answered(503) }, agent: { response: answered(502) } })),
    party: null,
    rule: 5,
  },
  'a service that fails on a database that is not observed': {
    parts: shown(traffic({ outer: { response: answered(500) } }), { topology: withStore }),
    party: null,
    rule: 5,
  },
  'an error line, and nothing wrong around it': {
    parts: shown([...traffic(), error('agent', 'ERROR lost the plot')], { record: { checks: [] } }),
    party: 'agent',
    rule: 2,
  },
  'an error line about a request that was refused': {
    parts: shown([...traffic({ outer: { response: answered(403) } }), error('agent', 'ERROR bad key')]),
    party: null,
    rule: 5,
  },
  'an error line about another party that failed': {
    parts: shown([...traffic({ agent: { response: answered(503) } }), error('agent', 'ERROR upstream 503')]),
    party: null,
    rule: 5,
  },
  'a parameter that was dropped on the way': {
    parts: shown(traffic({ gateway: { request: asked({ messages: chat.messages }) } }), {
      topology: withRelay,
    }),
    party: 'gateway',
    rule: 3,
  },
  'usage that did not come back': {
    parts: shown(traffic({ agent: { turn: turn({ usage: null }) } }), { topology: withRelay }),
    party: 'gateway',
    rule: 3,
  },
  'an answer that is not passed on, because the provider failed': {
    parts: shown(
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
    reference: shown(traffic({ agent: { turn: turn({ usage: null }) } }), { topology: withRelay }),
    parts: shown(traffic({ agent: { turn: turn({ usage: null }) } }), { topology: withRelay }),
    party: null,
    rule: 5,
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

test('no party is blamed for a trial that passed, or that could not be judged', () => {
  const passing = shown(traffic(), { record: { checks: [] } });
  expect(judge(attemptJournal(passing))).toMatchObject({ verdict: 'passed', blame: null });
  expect(judge(attemptJournal({ ...passing, end: 'interrupted' }))).toMatchObject({
    verdict: 'unknown',
    blame: null,
  });
});

test('connections that we could not carry ourselves leave it unknown, whatever the consequences', () => {
  const what = 'its keeper may have at most 9 files open; raise the limit';
  const parts = shown([
    ...traffic({ files: null }),
    { type: 'connection.refused', from: 'agent', to: 'files', because: 'too-many', what },
    died('gateway'),
  ]);
  expect(judge(attemptJournal(parts))).toMatchObject({
    verdict: 'unknown',
    cause: { kind: 'environment', text: `Shakedown itself refused a connection on agent -> files: ${what}` },
    faults: [{ kind: 'unknown' }],
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
    attemptJournal(shown([done('through', 502), done('whole', 502)], { record: { steps, checks: [] } })),
  );
  expect(judged).toMatchObject({
    verdict: 'failed',
    cause: { kind: 'ladder', text: expect.stringMatching(/^first failing rung: gateway \(step through: /) },
    blame: { party: 'gateway', rule: 'ladder', because: 'first failing rung: gateway; model held' },
  });
});
