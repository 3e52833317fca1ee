/** Judging and blaming are pure and total, whatever taps and peers recorded. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attemptJournal, call, chain, check, modelCalled, turn } from '../../test/harness/attempt-journal.ts';
import type { CallEvent } from '../journal/call-event.ts';
import type { Topology } from '../journal/topology.ts';
import type { AttemptEvent, AttemptEventBody } from '../journal/trial-event.ts';
import { digestOf } from './blame/reference/digest-of.ts';
import { mergeDigests } from './blame/reference/merge-digests.ts';
import type { ReferenceDigest } from './blame/reference/reference-digest.ts';
import { judge } from './judge/judge-attempt.ts';

const party = fc.constantFrom('agent', 'gateway', 'files', 'model', 'bank', 'outside', 'stranger');
const edge = fc.tuple(party, party).map(([from, to]) => `${from} -> ${to}`);
const value = fc.oneof(fc.constant(undefined), fc.jsonValue({ maxDepth: 2 }));
const incomplete = fc.constantFrom(
  undefined,
  undefined,
  'cut',
  'too-large',
  'unanswered',
  'in-flight',
  'not-http',
);
const fault = fc.record({
  by: fc.constantFrom('consumer' as const, 'provider' as const),
  rule: fc.constantFrom('sse.not-json', 'mcp.result'),
  what: fc.string(),
});

const aCall: fc.Arbitrary<AttemptEventBody> = fc
  .record({
    edge,
    from: fc.nat(5_000),
    took: fc.nat(6_000),
    incomplete,
    protocol: fc.constantFrom('http' as const, 'json-rpc' as const),
    method: fc.constantFrom('POST', 'GET', 'tools/call', 'initialize'),
    params: value,
    result: value,
    error: value,
    json: value,
    status: fc.constantFrom(200, 404, 429, 500, 502),
    faults: fc.array(fault, { maxLength: 2 }),
    turned: fc.option(fc.record({ complete: fc.boolean(), text: fc.string(), bad: fc.boolean() })),
    hasAnswer: fc.boolean(),
  })
  .map((one) => {
    const { turned, hasAnswer, json, status } = one;
    const message = { headers: {}, bytes: 1, ...(json === undefined ? {} : { json }) };
    const { response: _response, ...base } = call(one.edge, [one.from, one.from + one.took]);
    const shown = {
      ...base,
      protocol: one.protocol,
      method: one.method,
      request: message,
      params: one.params,
      result: one.result,
      error: one.error,
      faults: one.faults,
      ...(hasAnswer ? { response: { ...message, status } } : {}),
      ...(one.incomplete === undefined ? {} : { incomplete: one.incomplete }),
      ...(turned
        ? {
            turn: turn({
              complete: turned.complete,
              text: turned.text,
              faults: turned.bad ? [{ rule: 'chat.no-finish', what: 'no end' }] : [],
              calls: [{ id: 'c1', name: 'read', arguments: one.params }],
            }),
          }
        : {}),
    };
    return JSON.parse(JSON.stringify(shown)) as CallEvent;
  });

const modelFault = fc.constantFrom('unscripted', 'ambiguous', 'bad-history', 'bad-key', 'budget', 'drift');
const other: fc.Arbitrary<AttemptEventBody> = fc.oneof(
  fc
    .record({ caller: party, call: fc.nat(4), kind: fc.option(modelFault), cost: fc.option(fc.nat(3)) })
    .map(({ caller, call: nth, kind, cost }) =>
      modelCalled({ caller, call: nth, costUsd: cost, ...(kind ? { fault: { kind, what: 'x' } } : {}) }),
    ),
  fc.record({ from: party, to: party, crossing: fc.nat(3), connection: fc.nat(3) }).map((felt) => ({
    type: 'disturbance.felt' as const,
    disturbance: 'disturb[0]',
    what: 'cut by fin',
    ...felt,
  })),
  fc.record({ from: party, to: party }).map((ends) => ({
    type: 'connection.refused' as const,
    because: 'provider-not-listening' as const,
    ...ends,
  })),
  fc.record({ name: party, expected: fc.boolean() }).map((node) => ({
    type: 'node.exited' as const,
    kind: 'service' as const,
    code: 1,
    signal: null,
    ...node,
  })),
  party.map((service) => ({ type: 'log.error' as const, service, text: 'ERROR x' })),
  party.map((caller) => ({ type: 'peer.unused' as const, resource: 'model', caller, line: 2, what: 'says' })),
);

const checks = [
  check({
    id: 'agreed',
    kind: 'agree',
    query: { said: { from: 'model', to: 'gateway' }, received: { tool: 'read' } },
  }),
  check({
    id: 'ordered',
    kind: 'order',
    query: {
      moments: [
        { from: 'gateway', to: 'model' },
        { exchange: 'ask' },
        { from: '*', to: 'files', never: true },
      ],
    },
  }),
  check({
    id: 'linked',
    kind: 'correlate',
    query: {
      id: '${trial.uid}',
      parts: [
        { kind: 'exchange', query: { exchange: 'ask' } },
        { kind: 'calls', query: {} },
      ],
    },
  }),
  check({ id: 'blamed', kind: 'blame', query: { party: 'model' } }),
];
const relay = {
  name: 'r',
  incoming: 'agent -> gateway',
  outgoing: 'gateway -> model',
  same: ['request.json', 'turn.text'],
};
const topology: Topology = { ...chain, relays: [relay] };

const story = fc
  .record({
    events: fc.array(fc.oneof(aCall, aCall, other), { maxLength: 14 }),
    picked: fc.subarray(checks),
    end: fc.constantFrom('done' as const, 'done' as const, 'timeout' as const, 'step-failed' as const),
    hasTopology: fc.boolean(),
  })
  .map(({ events, picked, end, hasTopology }) => {
    const disturbs = [{ name: 'disturb[0]', edge: 'gateway -> model', what: 'cut' }];
    const parts = { events, end, record: { checks: picked, disturbs } };
    return attemptJournal(hasTopology ? { ...parts, topology } : parts);
  });

const named = ['agent', 'gateway', 'files', 'model', 'bank', 'stranger'];

test('it never throws, is deterministic, names only existing parties, and knows whether its text has the edge', () => {
  fc.assert(
    fc.property(story, story, (events, earlier) => {
      const reference = mergeDigests(digestOf(earlier), digestOf(events) as ReferenceDigest);
      for (const known of [undefined, reference, digestOf(earlier)]) {
        const judged = judge(events, undefined, known);
        expect(judge(structuredClone(events), undefined, known)).toEqual(judged);
        expect(judged.blame === null).toBe(judged.plain.verdict !== 'failed');
        const {
          party: blamed = null,
          evidence = [],
          because = 'x',
          edge,
          edgeUnsaid = false,
        } = judged.blame ?? {};
        expect(blamed === null || named.includes(blamed)).toBe(true);
        expect(evidence.every((seq) => events.some((event) => event.seq === seq))).toBe(true);
        expect(because).not.toBe('');
        if (edge !== undefined) expect(because.includes(edge)).toBe(!edgeUnsaid);
      }
    }),
    { numRuns: 250 },
  );
});

test('a truncated journal is never a pass', () => {
  fc.assert(
    fc.property(story, fc.nat(), (events: readonly AttemptEvent[], cut) => {
      expect(judge(events.slice(0, cut % events.length)).verdict).not.toBe('passed');
    }),
    { numRuns: 300 },
  );
});

test('a run that is compared with itself is never blamed by comparison', () => {
  fc.assert(
    fc.property(story, (events) => {
      expect(judge(events, undefined, digestOf(events)).blame?.rule).not.toBe(4);
    }),
    { numRuns: 250 },
  );
});
