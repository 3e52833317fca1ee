/** Vitality of the checks that read the journal as a whole: a call that is missing or different must make them fail. */
import type { AttemptView } from '../../checks/attempt-view.ts';
import { judgeDerived } from '../../checks/derived/judge-derived.ts';
import { derivedKinds, type OrderQuery } from '../../checks/derived-queries.ts';
import { judgeCheck } from '../../checks/judge-check.ts';
import type { SeenCall } from '../../checks/seen-call.ts';
import type { CheckRecord } from '../../checks/trial-record.ts';
import { outside } from '../../journal/topology.ts';
import { defined } from '../../kernel/defined.ts';
import { exampleOf } from '../../patterns/mutants/example-of.ts';
import { applyMutant } from '../../patterns/mutants/mutant.ts';
import { mutantsAbout } from '../../patterns/mutants/mutants-about.ts';
import { resolveInScope } from '../../patterns/scope.ts';
import type { Vitality } from './vitality.ts';
import { likePath, walkPlaces } from './walk-places.ts';

const mostCalls = 40;
const mostMoments = 60;

export interface DerivedVitality extends Vitality {
  /** The parts of calls that it reads, as `source path`, beside the edges that it guards. */
  readonly places: ReadonlySet<string>;
}

/** `blame` asserts on failures, and a passing run has none: it is not examined. */
export function examineDerived(check: CheckRecord, view: AttemptView): DerivedVitality | undefined {
  if (check.kind === 'blame') return undefined;
  const others = view.checks
    .filter(({ kind }) => !derivedKinds.includes(kind))
    .map((other) => judgeCheck(other, view));
  const edges = new Set<string>();
  const places = new Set<string>();
  let mutants = 0;
  let killed = 0;
  for (const { edge, place, view: mutated } of falseViews(check, view)) {
    mutants += 1;
    if (judgeDerived(check, mutated, others).verdict !== 'failed') continue;
    killed += 1;
    edges.add(edge);
    if (place !== undefined) places.add(`calls ${edge} ${place}`);
  }
  const counted = { mutants, killed, guards: edges, places };
  if (killed > 0) return { vital: true, kind: null, why: null, ...counted };
  const why =
    mutants === 0
      ? 'no call that it asserts on was made in this attempt'
      : 'every call could have been missing or different, and it would still pass';
  return { vital: false, kind: mutants === 0 ? 'reads-nothing' : 'accepts-anything', why, ...counted };
}

interface FalseView {
  readonly edge: string;
  /** Where the mutant is, in a list of such calls. */
  readonly place?: string;
  readonly view: AttemptView;
}

function* falseViews(check: CheckRecord, view: AttemptView): Generator<FalseView> {
  for (const seen of view.calls.slice(0, mostCalls)) {
    // Calls of the trial itself are not mutated: they were made.
    if (seen.call.from === outside) continue;
    const others = view.calls.filter((call) => call !== seen);
    yield { edge: seen.edge, view: { ...view, calls: others } };
    for (const { call, place } of otherwise(seen))
      yield { edge: seen.edge, place, view: { ...view, calls: inPlaceOf(view, seen, call) } };
  }
  // One of several calls on an edge may be missing even where not all of them may.
  for (const edge of new Set(view.calls.filter(({ call }) => call.from !== outside).map((seen) => seen.edge)))
    yield { edge, view: { ...view, calls: view.calls.filter((seen) => seen.edge !== edge) } };
  if (check.kind === 'order') {
    yield* inOtherOrder(view);
    yield* forbiddenCalls(check.query as unknown as OrderQuery, view);
  }
  yield* otherSamples(check, view);
  if (check.kind !== 'order') yield* otherAnswers(check, view);
}

function inPlaceOf({ calls }: AttemptView, seen: SeenCall, call: SeenCall['call']): readonly SeenCall[] {
  return calls.map((one) => (one === seen ? { ...one, call } : one));
}

/** The same call with other arguments, or with another answer. */
function otherwise({ call }: SeenCall) {
  const parts = {
    params: call.params,
    request: call.request.json,
    result: call.result,
    response: call.response?.json,
  };
  return walkPlaces(parts, 60).flatMap(({ keys, path, value }) => {
    const [mutant] = mutantsAbout(value, keys).filter(({ kind }) => kind === 'value');
    if (!mutant) return [];
    const mutated = applyMutant(parts, mutant) as typeof parts;
    const other = {
      ...call,
      ...defined({ params: mutated.params, result: mutated.result }),
      request: { ...call.request, ...defined({ json: mutated.request }) },
      ...(call.response ? { response: { ...call.response, ...defined({ json: mutated.response }) } } : {}),
    };
    const place = likePath(path).replace(/^\$\.(request|response)(?![^.[])/, '$.$1.json');
    return [{ call: other, place: `$[]${place.slice('$'.length)}` }];
  });
}

/** Each call once before everything else, and once after. */
function* inOtherOrder(view: AttemptView): Generator<FalseView> {
  const times = view.calls.map(({ call }) => call.startedAt);
  const [first, last] = [Math.min(...times) - 1_000, Math.max(...times) + 1_000];
  for (const seen of view.calls.slice(0, mostCalls))
    for (const at of [first, last]) {
      const call = { ...seen.call, startedAt: at, endedAt: at + 1 };
      const calls = [...inPlaceOf(view, seen, call)].sort((a, b) => a.call.startedAt - b.call.startedAt);
      yield { edge: seen.edge, view: { ...view, calls } };
    }
}

/** A call that a `never` forbids, at each moment of the attempt and during each call, however short. */
function* forbiddenCalls({ moments }: OrderQuery, view: AttemptView): Generator<FalseView> {
  const moment = moments.find((one) => 'never' in one);
  if (!moment || !('from' in moment)) return;
  const { from, to, where } = moment;
  const made = exampleOf(where ?? {}, { method: 'POST', path: '/', request: { headers: {}, bytes: 0 } });
  const times = [
    ...view.calls.map(({ call }) => (call.startedAt + call.endedAt) / 2),
    ...view.events.map(({ at }) => view.keeperAt + at + 0.1),
  ];
  for (const startedAt of times.slice(0, mostMoments)) {
    const base = { type: 'call', protocol: 'http', crossing: 1, connection: 1, endedAt: startedAt + 1 };
    const call = { ...base, ...(made as object), from, to, startedAt } as SeenCall['call'];
    const edge = `${from} -> ${to}`;
    const calls = [...view.calls, { seq: view.events.length + 1, edge, number: 1, call }];
    yield { edge, view: { ...view, calls } };
  }
}

/** What an observer looked up for it: nothing, or something different. */
function* otherSamples(check: CheckRecord, view: AttemptView): Generator<FalseView> {
  for (const [name, probe] of view.probes) {
    if (!name.startsWith(`${check.id}/`)) continue;
    const samples = probe.samples.map((sample) =>
      sample.type === 'probe.sampled' ? { ...sample, value: [] } : sample,
    );
    yield { edge: name, view: { ...view, probes: new Map(view.probes).set(name, { ...probe, samples }) } };
  }
}

/** An answer to a caller that sent the id may just repeat it; one that the id was taken from agrees with itself. */
function* otherAnswers({ kind, query }: CheckRecord, view: AttemptView): Generator<FalseView> {
  const id = kind === 'correlate' ? resolveInScope(query.id, view.scope).value : undefined;
  const evidence = { status: 500 };
  for (const [name, step] of view.steps) {
    if (id !== undefined && sentWith(view, name).includes(String(id))) continue;
    const steps = new Map(view.steps).set(name, { ...step, evidence });
    const scope = { ...view.scope, [name]: evidence };
    yield { edge: `exchange ${name}`, view: { ...view, steps, scope } };
  }
}

/** Everything that the step sent, as one text. */
function sentWith({ events }: AttemptView, step: string): string {
  const sent = events.flatMap((event) =>
    event.type === 'step.started' && event.step === step ? [event.sent] : [],
  );
  return JSON.stringify(sent);
}
