/** The mutants that taps can apply to a service or a resource, and how one is placed on a live environment. */

import type { KeeperClient } from '../../../environment/keeper/keeper-client.ts';
import type { JournalEvent } from '../../../journal/event.ts';
import { type MutantKind, type MutantOf, mutantText } from '../../../journal/mutant-kinds.ts';
import { createRandom } from '../../../kernel/random.ts';
import { isAttached } from '../../../system/attached/attached-services.ts';
import type { System } from '../../../system/system.ts';
import type { Disturbance } from '../../../taps/disturbance.ts';
import type { ExchangeRule } from '../../../taps/exchanges/exchange-rule.ts';
import { topologyOf } from '../../../trials/perform/topology-of.ts';
import { type KnownAnswers, mutantName } from './known-answers.ts';

export const mutantKinds = Object.keys(mutantText) as readonly MutantKind[];

export interface LiveMutant extends MutantOf {
  /** Every edge that leads to it, from services and from outside, with the fault for its tap. */
  readonly edges: readonly MutatedEdge[];
  /** Why it cannot be applied. */
  readonly notPossible?: string;
}

export interface MutatedEdge {
  readonly from: string;
  readonly to: string;
  /** For whole connections, or for single exchanges. */
  readonly disturb?: Disturbance;
  readonly rules?: readonly ExchangeRule[];
}

/** Each service and resource with each mutant, in the order of the config; impossible ones with the reason. */
export function listMutants(system: System, known?: KnownAnswers, session = ''): readonly LiveMutant[] {
  const { edges } = topologyOf(system);
  const jobs = new Set(system.jobs.map(({ name }) => name));
  return [...system.resources, ...system.services].flatMap((spec) => {
    const into = edges.filter(
      ({ from, to }) => !jobs.has(from) && (to === spec.name || to.startsWith(`${spec.name}.`)),
    );
    return mutantKinds.map((mutant) => mutantAbout(spec, mutant, into, known, session));
  });
}

type Edges = ReturnType<typeof topologyOf>['edges'];
type Victim = System['resources'][number] | System['services'][number];

function mutantAbout(
  spec: Victim,
  mutant: MutantKind,
  into: Edges,
  known: KnownAnswers | undefined,
  session: string,
): LiveMutant {
  const victim = { service: spec.name, mutant };
  if (spec.kind === 'telemetry')
    return {
      ...victim,
      edges: [],
      notPossible: 'it only receives data for Shakedown: no service depends on it',
    };
  if (spec.kind === 'service' && isAttached(spec))
    return {
      ...victim,
      edges: [],
      notPossible: "it is somebody else's (`at`): what leads to it is never disturbed",
    };
  if (into.length === 0) return { ...victim, edges: [], notPossible: 'no edge with a tap leads to it' };
  const asks = spec.kind !== 'model' || spec.mode === 'script' || spec.mode === 'cassette';
  const placed = into.map((edge) => ({
    from: edge.from,
    to: edge.to,
    ...place(mutant, edge, known, session, asks),
  }));
  const edges = placed.filter(({ disturb, rules = [] }) => disturb !== undefined || rules.length > 0);
  return edges.length > 0
    ? { ...victim, edges }
    : { ...victim, edges, notPossible: whyNone(mutant, into, asks) };
}

function place(
  mutant: MutantKind,
  { from, to, seen }: Edges[number],
  known: KnownAnswers | undefined,
  session: string,
  asks: boolean,
): Pick<MutatedEdge, 'disturb' | 'rules'> {
  if (mutant === 'dead') return { disturb: { rule: 'deny' } };
  if (mutant === 'garbage')
    return seen !== 'calls'
      ? { disturb: { rule: 'garble' } }
      : { rules: [{ name: mutantName, fault: junkAnswer(`${from} -> ${to}`, asks) }] };
  if (mutant === 'wrong') {
    const isSaid = asks && seen !== 'bytes' && (known?.hasValues(`${from} -> ${to}`, session) ?? true);
    if (!isSaid) return {};
    return seen === 'calls'
      ? { rules: [{ name: mutantName, fault: { do: 'wrong' } }] }
      : { disturb: { rule: 'wrong' } };
  }
  if (seen !== 'calls') return {};
  const rules = known?.otherAnswers(`${from} -> ${to}`, session) ?? [];
  return {
    rules: rules.map((rule) => ({ ...rule, fault: { ...rule.fault, forward: asks } as typeof rule.fault })),
  };
}

/** The provider still does its work, unless that costs money: checks that only look at the work see nothing wrong. */
function junkAnswer(edge: string, asks: boolean): ExchangeRule['fault'] {
  const junk = createRandom(edge).hex(64);
  return {
    do: 'answer',
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    text: `<!doctype html><title>${junk.slice(0, 8)}</title><p>{${junk}</p`,
    forward: asks,
  };
}

function whyNone(mutant: MutantKind, into: Edges, asks: boolean): string {
  const [first] = into;
  const edge = `${first?.from} -> ${first?.to}`;
  const isHttp = into.some(({ seen }) => seen === 'calls');
  if (mutant !== 'wrong')
    return isHttp
      ? 'no different answer to the same method and path was recorded'
      : `what passes on ${edge} is not HTTP, so answers in it cannot be told apart`;
  if (!isHttp) return `what passes on ${edge} is not HTTP, and no JSON was read from Redis there`;
  return asks
    ? 'no answer of JSON and no stream of events was recorded'
    : 'each of its own answers costs money, and would not be used as it is';
}

/** Implemented by a live environment and by the client of a keeper. */
export interface MutantGround {
  readonly ask: KeeperClient['ask'];
  onEvent(listener: (event: JournalEvent) => void): unknown;
}

/**
 *     const known = rememberAnswers([{ name: 'suite', calls }]);
 *     for (const mutant of listMutants(system, known, 'suite').filter(({ notPossible }) => notPossible === undefined)) {
 *       const placed = await placeMutant(ground, mutant); // a LiveEnvironment, or a subscribed KeeperClient
 *       … perform, or run a command …
 *       await placed.lift(); // connections that the mutant has corrupted are cut
 *       const met = await placed.felt(); // final now; 0: inconclusive
 *     }
 *
 * The environment must be ready before. A renewal removes every mutant: place it again afterwards.
 */
export async function placeMutant({ ask, onEvent }: MutantGround, mutant: LiveMutant) {
  const mutated = new Set(mutant.edges.map(({ from, to }) => `${from} -> ${to}`));
  const met = new Map<string, number>();
  const stopListening = onEvent((event) => {
    if (!isMeeting(event)) return;
    const edge = `${event.from} -> ${event.to}`;
    if (mutated.has(edge)) met.set(edge, (met.get(edge) ?? 0) + 1);
  });
  for (const { from, to, disturb, rules } of mutant.edges) {
    if (disturb) await ask('disturb', { from, to, rule: disturb });
    if (rules) await ask('disturbExchanges', { from, to, rules });
  }
  // Earlier tap events arrive before the answer to a later request.
  const feltOn = async (): Promise<ReadonlyMap<string, number>> => {
    await ask('status', {});
    return met;
  };
  return {
    /** The same by edge: `daemon -> provider-a`. */
    feltOn,
    /** How often it has been met so far. */
    felt: async () => [...(await feltOn()).values()].reduce((sum, count) => sum + count, 0),
    lift: async () => {
      await liftEdges(ask, mutant);
      if (typeof stopListening === 'function') stopListening();
    },
  };
}

type Meeting = Extract<JournalEvent, { type: 'connection.refused' | 'disturbance.felt' }>;

function isMeeting(event: JournalEvent): event is Meeting {
  if (event.type === 'connection.refused') return event.because === 'rule';
  return (
    event.type === 'disturbance.felt' && [mutantName, 'garble', 'wrong', 'deny'].includes(event.disturbance)
  );
}

async function liftEdges(ask: MutantGround['ask'], { edges }: LiveMutant): Promise<void> {
  for (const { from, to, disturb, rules } of edges) {
    if (rules) await ask('disturbExchanges', { from, to, rules: [] });
    if (disturb?.rule === 'garble')
      await ask('disturb', { from, to, rule: { rule: 'cut', direction: 'both', by: 'reset' } });
    if (disturb) await ask('disturb', { from, to, rule: { rule: 'pass' } });
  }
}
