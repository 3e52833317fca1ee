/** What a flow was given in a stored attempt, and everything in it that a broken system could have said otherwise. */
import type { AttemptView, ProbeView } from '../../../checks/attempt-view.ts';
import { outside } from '../../../journal/topology.ts';
import { defined } from '../../../kernel/defined.ts';
import { edgeName } from '../../../kernel/edge-name.ts';
import type { PathKey } from '../../../patterns/value-path.ts';
import type { FlowTrial } from '../../../trials/flow/flow-context.ts';
import type { Fetched, FlowRecord } from '../../../trials/flow/replay-flow.ts';
import { testControlled } from '../test-controlled.ts';
import { fetchedIn } from './fetched-calls.ts';

/** Observations that the flow made of one thing with nothing done in between: a system shows the same in all of them. */
export interface Given {
  readonly places: readonly Place[];
  readonly value: unknown;
  /** The kind of the check that would observe it. */
  readonly kind: string;
  /** Steps with the same number were under way at once. */
  readonly group?: number;
  isOwn(keys: readonly PathKey[]): boolean;
}

type Place =
  | { readonly step: string }
  | { readonly look: number }
  | { readonly wait: string }
  | { readonly sample: string }
  | { readonly fetched: number };

export interface Recorded {
  readonly record: FlowRecord;
  /** What the checks observed that look when everything is quiet, by check. */
  readonly samples: ReadonlyMap<string, unknown>;
  readonly given: readonly Given[];
}

export function recordOf(view: AttemptView): Recorded {
  const { steps, probes, scope, topology } = view;
  const looks = [...probes].filter(([name]) => /^look \d+$/.test(name)).map(([, probe]) => lastOf(probe));
  const waits = [...probes].flatMap(([name, probe]) =>
    name.startsWith('when #') ? [[name.slice('when '.length), lastOf(probe)] as const] : [],
  );
  const samples = view.checks.flatMap(({ id }) => {
    const probe = probes.get(id);
    return probe ? [[id, lastOf(probe)] as const] : [];
  });
  // Each has a port of its own, so that what is fetched names its service.
  const urls = (topology?.edges ?? []).map(({ from, to }, index): [string, string] => [
    from === outside ? to : edgeName(`${from} -> ${to}`),
    `http://127.0.0.1:${firstPort + index}`,
  ]);
  const fetched = fetchedIn(view, Object.fromEntries(urls));
  return {
    record: {
      fetched,
      steps: new Map([...steps].map(([name, { evidence }]) => [name, evidence])),
      looks,
      waits: new Map(waits),
      trial: (scope as { readonly trial: FlowTrial }).trial,
      urls: Object.fromEntries(urls),
    },
    samples: new Map(samples),
    given: [...givenIn(view), ...fetched.map(givenByFetch)],
  };
}

const firstPort = 61_001;

function givenByFetch({ answer }: Fetched, index: number): Given {
  return { places: [{ fetched: index }], value: answer, kind: 'exchange', isOwn: () => false };
}

function givenIn(view: AttemptView): readonly Given[] {
  const groups = groupsIn(view);
  const answers = [...view.steps].flatMap(([step, { evidence }]): readonly Given[] => {
    const own = testControlled(view, { kind: 'exchange', step, value: evidence });
    const group = defined({ group: groups.get(step) });
    return [{ places: [{ step }], value: evidence, kind: 'exchange', ...group, isOwn: own.isOwn }];
  });
  return [...answers, ...observationsIn(view)];
}

function groupsIn({ events }: AttemptView): ReadonlyMap<string, number> {
  const groups = new Map<string, number>();
  const open = new Set<string>();
  let group = 0;
  for (const event of events) {
    if (event.type === 'step.started') {
      if (open.size === 0) group += 1;
      open.add(event.step);
      groups.set(event.step, group);
    }
    if (event.type === 'step.ended') open.delete(event.step);
  }
  return groups;
}

/** In the order of the journal, so that what was done in between is known. */
function observationsIn(view: AttemptView): readonly Given[] {
  const found = new Map<string, { places: Place[]; value: unknown; kind: string }>();
  let done = 0;
  const sampled = new Set<string>();
  for (const event of view.events) {
    if (event.type === 'step.ended') done += 1;
    if (event.type !== 'probe.sampled' || sampled.has(event.probe)) continue;
    const place = placeOf(event.probe);
    const probe = view.probes.get(event.probe);
    if (!place || !probe) continue;
    sampled.add(event.probe);
    const value = lastOf(probe);
    const key = `${done} ${JSON.stringify(value)}`;
    const known = found.get(key) ?? {
      places: [],
      value,
      kind: view.checks.find(({ id }) => id === event.probe)?.kind ?? '',
    };
    known.places.push(place);
    found.set(key, known);
  }
  return [...found.values()].map((one) => ({ ...one, isOwn: () => false }));
}

function placeOf(probe: string): Place | undefined {
  const [, look] = /^look (\d+)$/.exec(probe) ?? [];
  if (look !== undefined) return { look: Number(look) - 1 };
  if (probe.startsWith('when ')) return { wait: probe.slice('when '.length) };
  return { sample: probe };
}

function lastOf({ samples }: ProbeView): unknown {
  const last = samples.findLast(({ type }) => type === 'probe.sampled');
  return last?.type === 'probe.sampled' ? last.value : undefined;
}

/** The same record with another value in the places of one observation. */
export function withValue({ record, samples, given }: Recorded, { places }: Given, value: unknown): Recorded {
  const steps = new Map(record.steps);
  const waits = new Map(record.waits);
  const looks = [...record.looks];
  const fetched = [...(record.fetched ?? [])];
  const seen = new Map(samples);
  for (const place of places) {
    if ('step' in place) steps.set(place.step, value);
    else if ('wait' in place) waits.set(place.wait, value);
    else if ('look' in place) looks[place.look] = value;
    else if ('fetched' in place)
      fetched.splice(place.fetched, 1, { ...(fetched[place.fetched] as Fetched), answer: value });
    else seen.set(place.sample, value);
  }
  return { record: { ...record, steps, waits, looks, fetched }, samples: seen, given };
}
