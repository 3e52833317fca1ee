/** Constructed situations: each is blamed on the party that made the mistake, or on nobody. */
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
  silent,
  told,
  traffic,
  withRelay,
  withStore,
} from '../../../test/harness/blame-situations.ts';
import type { CallEvent } from '../../journal/call-event.ts';
import type { AttemptEventBody } from '../../journal/trial-event.ts';
import { judge } from '../judge-attempt.ts';

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
  'a peer of ours that does not listen': {
    parts: told([...traffic(), refused('gateway', 'bank')]),
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
  'one whose stream of events was only listened to': {
    parts: told(
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
    parts: told(
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
    parts: told([silent(call('outside -> agent', [10, 9_000]))], {
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

test('nobody is blamed for a trial that passed, or that nobody could judge', () => {
  const passing = told(traffic(), { record: { checks: [] } });
  expect(judge(attemptJournal(passing))).toMatchObject({ verdict: 'passed', blame: null });
  expect(judge(attemptJournal({ ...passing, end: 'interrupted' }))).toMatchObject({
    verdict: 'unknown',
    blame: null,
  });
});

test('connections that we could not carry ourselves leave it unknown, whatever came of them', () => {
  const what = 'its keeper may have at most 9 files open; raise the limit';
  const parts = told([
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
    attemptJournal(told([done('through', 502), done('whole', 502)], { record: { steps, checks: [] } })),
  );
  expect(judged).toMatchObject({
    verdict: 'failed',
    cause: { kind: 'ladder', text: expect.stringMatching(/^first failing rung: gateway \(step through: /) },
    blame: { party: 'gateway', rule: 'ladder', because: 'first failing rung: gateway; model held' },
  });
});
