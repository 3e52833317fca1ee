/** Situations in which a trial of a small chain of services fails: what each service did, and which one is to blame. */
import type { Blame } from '../../src/checks/blame/blame.ts';
import { digestOf } from '../../src/checks/blame/reference/digest-of.ts';
import { mergeDigests } from '../../src/checks/blame/reference/merge-digests.ts';
import type { ReferenceDigest } from '../../src/checks/blame/reference/reference-digest.ts';
import { type AttemptVerdict, judge } from '../../src/checks/judge/judge-attempt.ts';
import type { CallEvent } from '../../src/journal/call-event.ts';
import type { Topology } from '../../src/journal/topology.ts';
import type { AttemptEventBody } from '../../src/journal/trial-event.ts';
import {
  asked,
  attemptJournal,
  call,
  chain,
  check,
  type JournalParts,
  turn,
  unanswered,
} from './attempt-journal.ts';

export interface Chain {
  readonly outer?: Partial<CallEvent>;
  readonly agent?: Partial<CallEvent>;
  readonly gateway?: Partial<CallEvent>;
  readonly files?: Partial<CallEvent> | null;
}

const tool = { protocol: 'json-rpc', method: 'tools/call', path: '/mcp' } as const;
export const params = { name: 'read_file', arguments: { path: '/a' } };
export const chat = { messages: [{ role: 'user', content: 'hello' }], temperature: 0.2 };

/** The traffic of a healthy system, unless overridden. */
export function traffic({ outer, agent, gateway, files }: Chain = {}): CallEvent[] {
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
export function silent(one: CallEvent): CallEvent {
  return unanswered(one, 'in-flight');
}

export const wanted = check({
  id: 'told',
  kind: 'exchange',
  query: { exchange: 'ask' },
  expect: { json: 'never' },
});
export const died = (name: string, expected = false): AttemptEventBody => ({
  type: 'node.exited',
  kind: 'service',
  name,
  code: 1,
  signal: null,
  expected,
});
export const refused = (from: string, to: string): AttemptEventBody => ({
  type: 'connection.refused',
  from,
  to,
  because: 'provider-not-listening',
});
export const felt = (from: string, to: string, crossing: number, what: string): AttemptEventBody => ({
  type: 'disturbance.felt',
  from,
  to,
  disturbance: 'disturb[0]',
  crossing,
  connection: crossing,
  what,
});
export const fault = (rule: string) => ({ rule, what: 'something is wrong' });
export const error = (service: string, text: string): AttemptEventBody => ({
  type: 'log.error',
  service,
  text,
});
const relays: Topology['relays'] = [
  {
    name: 'chat',
    incoming: 'agent -> gateway',
    outgoing: 'gateway -> model',
    same: ['request.json.temperature', 'turn.text', 'turn.calls', 'turn.usage'],
  },
];
export const withRelay: Topology = { ...chain, relays };
export const withStore: Topology = {
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
export const prepared = (state: string): Topology => ({
  ...ownPlaces,
  prepared: [{ resource: 'db', by: ['migrate'], state }],
});

export interface Situation {
  readonly parts: JournalParts;
  /** The events of a run that passed. */
  readonly reference?: JournalParts;
  readonly party: string | null;
  readonly rule: Blame['rule'];
}

export function shown(events: readonly AttemptEventBody[], over: JournalParts = {}): JournalParts {
  const { record, ...rest } = over;
  return { topology: chain, events, ...rest, record: { checks: [wanted], ...record } };
}

export const healthy = shown(traffic());

/** Judged beside three identical passed runs, where the situation has one. */
export function judgeSituation({ parts, reference }: Situation): AttemptVerdict {
  const digest = reference && learned(digestOf(attemptJournal(reference)) as ReferenceDigest);
  return judge(attemptJournal(parts), undefined, digest);
}

function learned(one: ReferenceDigest): ReferenceDigest {
  return mergeDigests(mergeDigests(one, one), one);
}
