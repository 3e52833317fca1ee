/** The lies that taps can tell of a service or a resource, and how one of them is placed on a live environment. */
import type { KeeperClient } from '../../../environment/keeper/keeper-client.ts';
import type { JournalEvent } from '../../../journal/event.ts';
import { createRandom } from '../../../kernel/random.ts';
import type { System } from '../../../system/system.ts';
import type { Disturbance } from '../../../taps/disturbance.ts';
import type { ExchangeRule } from '../../../taps/exchanges/exchange-rule.ts';
import { topologyOf } from '../../../trials/perform/topology-of.ts';
import { type KnownAnswers, lieName } from './known-answers.ts';

export const lieKinds = ['dead', 'garbage', 'other-tenant'] as const;

export type LieKind = (typeof lieKinds)[number];

export interface LiveLie {
  /** A service or a resource. */
  readonly service: string;
  readonly lie: LieKind;
  /** Every edge that leads to it, from services and from outside, with what its tap is told. */
  readonly edges: readonly LiedEdge[];
  /** Why it cannot be told. */
  readonly notPossible?: string;
}

export interface LiedEdge {
  readonly from: string;
  readonly to: string;
  /** For whole connections, or for single exchanges. */
  readonly disturb?: Disturbance;
  readonly rules?: readonly ExchangeRule[];
}

export interface PlacedLie {
  /** How often somebody has met it so far. */
  felt(): Promise<number>;
  /** The same by edge: `daemon -> provider-a`. */
  feltOn(): Promise<ReadonlyMap<string, number>>;
  lift(): Promise<void>;
}

/** Each service and resource with each lie, in the order of the config; those that cannot be told with the reason. */
export function listLies(system: System, known?: KnownAnswers, session = ''): readonly LiveLie[] {
  const { edges } = topologyOf(system);
  const jobs = new Set(system.jobs.map(({ name }) => name));
  return [...system.resources, ...system.services].flatMap((spec) => {
    const into = edges.filter(
      ({ from, to }) => !jobs.has(from) && (to === spec.name || to.startsWith(`${spec.name}.`)),
    );
    return lieKinds.map((lie) => lieAbout(spec, lie, into, known, session));
  });
}

type Edges = ReturnType<typeof topologyOf>['edges'];
type Victim = System['resources'][number] | System['services'][number];

function lieAbout(
  spec: Victim,
  lie: LieKind,
  into: Edges,
  known: KnownAnswers | undefined,
  session: string,
): LiveLie {
  const victim = { service: spec.name, lie };
  if (spec.kind === 'telemetry')
    return { ...victim, edges: [], notPossible: 'it only listens, for Shakedown: nobody depends on it' };
  if (into.length === 0)
    return { ...victim, edges: [], notPossible: 'nobody speaks to it through an edge that has a tap' };
  const asks = spec.kind !== 'model' || spec.mode === 'script' || spec.mode === 'cassette';
  const told = into.map((edge) => ({
    from: edge.from,
    to: edge.to,
    ...tell(lie, edge, known, session, asks),
  }));
  const edges = told.filter(({ disturb, rules = [] }) => disturb !== undefined || rules.length > 0);
  return edges.length > 0 ? { ...victim, edges } : { ...victim, edges, notPossible: noOther(into) };
}

function tell(
  lie: LieKind,
  { from, to, seen }: Edges[number],
  known: KnownAnswers | undefined,
  session: string,
  asks: boolean,
): Pick<LiedEdge, 'disturb' | 'rules'> {
  if (lie === 'dead') return { disturb: { rule: 'deny' } };
  if (lie === 'garbage')
    return seen === 'bytes'
      ? { disturb: { rule: 'garble' } }
      : { rules: [{ name: lieName, deed: junkAnswer(`${from} -> ${to}`, asks) }] };
  if (seen === 'bytes') return {};
  const rules = known?.otherAnswers(`${from} -> ${to}`, session) ?? [];
  return {
    rules: rules.map((rule) => ({ ...rule, deed: { ...rule.deed, forward: asks } as typeof rule.deed })),
  };
}

/** The provider does its work all the same, unless that costs money: whoever only looks at the work sees nothing wrong. */
function junkAnswer(edge: string, asks: boolean): ExchangeRule['deed'] {
  const junk = createRandom(edge).hex(64);
  return {
    do: 'answer',
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    text: `<!doctype html><title>${junk.slice(0, 8)}</title><p>{${junk}</p`,
    forward: asks,
  };
}

function noOther(into: Edges): string {
  const [first] = into;
  const edge = `${first?.from} -> ${first?.to}`;
  return into.every(({ seen }) => seen === 'bytes')
    ? `what passes on ${edge} is not HTTP, so that no answer in it can be told from another`
    : 'no other answer to the same method and path was recorded that says something else';
}

/** A stage has it, and so has the client of a keeper. */
export interface LieGround {
  readonly ask: KeeperClient['ask'];
  onEvent(listener: (event: JournalEvent) => void): unknown;
}

/**
 *     const known = rememberAnswers([{ name: 'suite', calls }]);
 *     for (const lie of listLies(system, known, 'suite').filter(({ notPossible }) => notPossible === undefined)) {
 *       const placed = await placeLie(stage, lie); // a Stage, or a KeeperClient that has asked to `subscribe`
 *       … perform, or run a command …
 *       await placed.lift(); // connections that the lie has spoiled are cut
 *       const met = await placed.felt(); // final now; 0: nothing is shown
 *     }
 *
 * The environment must be ready before. A renewal lifts every lie, so that it has to be placed again after one.
 */
export async function placeLie({ ask, onEvent }: LieGround, lie: LiveLie): Promise<PlacedLie> {
  const lied = new Set(lie.edges.map(({ from, to }) => `${from} -> ${to}`));
  const met = new Map<string, number>();
  let isPlaced = false;
  const stopListening = onEvent((event) => {
    if (!isPlaced || !isMeeting(event)) return;
    const edge = `${event.from} -> ${event.to}`;
    if (lied.has(edge)) met.set(edge, (met.get(edge) ?? 0) + 1);
  });
  for (const { from, to, disturb, rules } of lie.edges) {
    if (disturb) await ask('disturb', { from, to, rule: disturb });
    if (rules) await ask('disturbExchanges', { from, to, rules });
  }
  isPlaced = true;
  // What the taps have told is here before the answer to anything that is asked later.
  const feltOn = async (): Promise<ReadonlyMap<string, number>> => {
    await ask('status', {});
    return met;
  };
  return {
    feltOn,
    felt: async () => [...(await feltOn()).values()].reduce((sum, count) => sum + count, 0),
    lift: async () => {
      await liftEdges(ask, lie);
      if (typeof stopListening === 'function') stopListening();
    },
  };
}

type Meeting = Extract<JournalEvent, { type: 'connection.refused' | 'disturbance.felt' }>;

function isMeeting(event: JournalEvent): event is Meeting {
  if (event.type === 'connection.refused') return event.because === 'rule';
  return (
    event.type === 'disturbance.felt' && (event.disturbance === lieName || event.disturbance === 'garble')
  );
}

async function liftEdges(ask: LieGround['ask'], { edges }: LiveLie): Promise<void> {
  for (const { from, to, disturb, rules } of edges) {
    if (rules) await ask('disturbExchanges', { from, to, rules: [] });
    if (disturb?.rule === 'garble')
      await ask('disturb', { from, to, rule: { rule: 'cut', direction: 'both', by: 'reset' } });
    if (disturb) await ask('disturb', { from, to, rule: { rule: 'pass' } });
  }
}
