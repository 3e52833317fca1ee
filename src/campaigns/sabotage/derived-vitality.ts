/** Vitality of the checks that look at the journal as a whole: a call that was not made, or was made otherwise, must turn them red. */
import type { AttemptView } from '../../checks/attempt-view.ts';
import { derivedKinds, type OrderQuery } from '../../checks/derived/derived-queries.ts';
import { judgeDerived } from '../../checks/derived/judge-derived.ts';
import { judgeCheck } from '../../checks/judge-check.ts';
import type { SeenCall } from '../../checks/seen-call.ts';
import type { CheckRecord } from '../../checks/trial-record.ts';
import { outside } from '../../journal/topology.ts';
import { exampleOf } from '../../patterns/lies/example-of.ts';
import { tellLie } from '../../patterns/lies/lie.ts';
import { liesAbout } from '../../patterns/lies/lies-about.ts';
import { resolveInScope } from '../../patterns/scope.ts';
import type { Vitality } from './vitality.ts';
import { likePath, walkPlaces } from './walk-places.ts';

const mostCalls = 40;
const mostMoments = 60;

export interface DerivedVitality extends Vitality {
  /** What it reads of calls, as `source path`: beside the edges that it guards. */
  readonly places: ReadonlySet<string>;
}

/** `blame` speaks of what went wrong, and nothing has: it is not examined. */
export function examineDerived(check: CheckRecord, view: AttemptView): DerivedVitality | undefined {
  if (check.kind === 'blame') return undefined;
  const others = view.checks
    .filter(({ kind }) => !derivedKinds.includes(kind))
    .map((other) => judgeCheck(other, view));
  const edges = new Set<string>();
  const places = new Set<string>();
  let mutants = 0;
  let killed = 0;
  for (const { edge, place, view: lied } of falseViews(check, view)) {
    mutants += 1;
    if (judgeDerived(check, lied, others).verdict !== 'failed') continue;
    killed += 1;
    edges.add(edge);
    if (place !== undefined) places.add(`calls ${edge} ${place}`);
  }
  const counted = { mutants, killed, guards: edges, places };
  if (killed > 0) return { vital: true, kind: null, why: null, ...counted };
  const why =
    mutants === 0
      ? 'no call that it speaks of was made in this attempt'
      : 'each call that was made could have been missing or another, and it would still hold';
  return { vital: false, kind: mutants === 0 ? 'reads-nothing' : 'believes-anything', why, ...counted };
}

interface FalseView {
  readonly edge: string;
  /** Where the lie is, in a list of such calls. */
  readonly place?: string;
  readonly view: AttemptView;
}

function* falseViews(check: CheckRecord, view: AttemptView): Generator<FalseView> {
  for (const seen of view.calls.slice(0, mostCalls)) {
    // What the trial itself has asked was asked.
    if (seen.call.from === outside) continue;
    const others = view.calls.filter((call) => call !== seen);
    yield { edge: seen.edge, view: { ...view, calls: others } };
    for (const { call, place } of otherwise(seen))
      yield { edge: seen.edge, place, view: { ...view, calls: inPlaceOf(view, seen, call) } };
  }
  // One of several on an edge may be missing where all of them may not.
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
function otherwise({
  call,
}: SeenCall): readonly { readonly call: SeenCall['call']; readonly place: string }[] {
  const parts = {
    params: call.params,
    request: call.request.json,
    result: call.result,
    response: call.response?.json,
  };
  return walkPlaces(parts, 60).flatMap(({ keys, path, value }) => {
    const [lie] = liesAbout(value, keys).filter(({ kind }) => kind === 'value');
    if (!lie) return [];
    const lied = tellLie(parts, lie) as typeof parts;
    const other = {
      ...call,
      ...(lied.params === undefined ? {} : { params: lied.params }),
      ...(lied.result === undefined ? {} : { result: lied.result }),
      request: { ...call.request, ...(lied.request === undefined ? {} : { json: lied.request }) },
      ...(call.response
        ? { response: { ...call.response, ...(lied.response === undefined ? {} : { json: lied.response }) } }
        : {}),
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

/** A call that a `never` forbids, at each moment of the attempt and amid each call, however short that was. */
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

/** What an observer looked up for it: nothing, or something else. */
function* otherSamples(check: CheckRecord, view: AttemptView): Generator<FalseView> {
  for (const [name, probe] of view.probes) {
    if (!name.startsWith(`${check.id}/`)) continue;
    const samples = probe.samples.map((sample) =>
      sample.type === 'probe.sampled' ? { ...sample, value: [] } : sample,
    );
    yield { edge: name, view: { ...view, probes: new Map(view.probes).set(name, { ...probe, samples }) } };
  }
}

/** An answer to one who has sent the id may just repeat it; one from which the id was taken is true to itself. */
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

/** All that the step has sent, as one text. */
function sentWith({ events }: AttemptView, step: string): string {
  const sent = events.flatMap((event) =>
    event.type === 'step.started' && event.step === step ? [event.sent] : [],
  );
  return JSON.stringify(sent);
}
